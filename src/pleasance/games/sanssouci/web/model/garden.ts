// The geometry of a garden: adjacent cells, walks, and positions on the drawing.

import type { SanssouciGarden } from "$app/wire";

export const COLUMNS = "abcdefghi";
export const ROWS = [1, 2, 3, 4, 5, 6] as const;

/** The side of a cell, including half of the path around it. */
export const CELL = 68;

/** The side of a tile. */
export const TILE = 64;

/** The y of row 1, below palace and terrace. */
export const TOP = 146;

/** The y of the terrace, below the palace. */
export const TERRACE = 84;

export const columnOf = (cell: string): number => COLUMNS.indexOf(cell[0]!);
export const rowOf = (cell: string): number => Number(cell[1]);
export const cellAt = (column: number, row: number): string => `${COLUMNS[column]}${row}`;

/** Find the upper left corner of a tile on a cell; row 0 is the terrace. */
export function corner(cell: string): { readonly x: number; readonly y: number } {
  const row = rowOf(cell);
  return { x: columnOf(cell) * CELL + 2, y: row ? TOP + (row - 1) * CELL + 2 : TERRACE - 1 };
}

function touching(cell: string): string[] {
  const column = columnOf(cell);
  const row = rowOf(cell);
  const around = [
    [column, row + 1],
    [column - 1, row],
    [column + 1, row],
    [column, row - 1],
  ] as const;
  return around.filter(([x, y]) => x >= 0 && x < 9 && y >= 1 && y <= 6).map(([x, y]) => cellAt(x, y));
}

/** Search breadth-first over *ground*; map each reached cell to its predecessor. */
function spread(start: string, ground: ReadonlySet<string>): Map<string, string> {
  const from = new Map<string, string>([[start, start]]);
  const line = [start];
  for (const cell of line) {
    const next = rowOf(cell) === 0 ? [cell[0] + "1"] : touching(cell);
    for (const other of next) {
      if (ground.has(other) && !from.has(other)) {
        from.set(other, cell);
        line.push(other);
      }
    }
  }
  return from;
}

/** Find a shortest path over built cells, both ends included; only the ends if there is none. */
export function findPath(built: readonly string[], start: string, end: string): string[] {
  const from = spread(start, new Set(built));
  if (!from.has(end)) return [start, end];
  const path = [end];
  while (path[0] !== start) path.unshift(from.get(path[0]!)!);
  return path;
}

/** Forecast the ends of walks with one more tile; only a preview, since the legal choices come from the server. */
export function forecastWalks(garden: SanssouciGarden, extra: string | null = null): string[] {
  const built = new Set(extra ? [...garden.built, extra] : garden.built);
  const gardeners = new Set(garden.gardeners);
  return garden.nobles.flatMap((row, column) => {
    const reached = spread(cellAt(column, row), built);
    return ROWS.map((end) => cellAt(column, end)).filter(
      (cell) => rowOf(cell) > row && reached.has(cell) && !gardeners.has(cell),
    );
  });
}

/** Collect the free cells that the boar can reach, its own included. */
export function findBoarArea(garden: SanssouciGarden): string[] {
  if (!garden.boar) return [];
  const built = new Set(garden.built);
  const free = ROWS.flatMap((row) => [...COLUMNS].map((letter) => letter + row)).filter((cell) => !built.has(cell));
  return [...spread(garden.boar, new Set(free)).keys()];
}

/** Count the free cells of a row or column. */
export function countMissing(built: ReadonlySet<string>, line: number | string): number {
  const cells = typeof line === "number" ? [...COLUMNS].map((letter) => letter + line) : ROWS.map((row) => line + row);
  return cells.filter((cell) => !built.has(cell)).length;
}
