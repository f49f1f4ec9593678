// The points that the end of the game would add to a position: lines, missions, the boar.

import type { SanssouciBox, SanssouciView } from "$app/wire";
import { COLUMNS, ROWS, countMissing, findBoarArea } from "./garden";

export interface Line {
  /** The number of a row, or the letter of a column. */
  readonly line: number | string;
  readonly missing: number;
  /** The points for completing it. */
  readonly bonus: number;
}

export interface Projection {
  readonly rows: readonly Line[];
  readonly columns: readonly Line[];
  /** The points of the known missions as the nobles stand. */
  readonly missions: readonly { readonly motif: string; readonly points: number }[];
  /** The number of free cells that the boar can reach, each of which costs a point. */
  readonly boar: number;
  /** The sum of lines and missions; without the boar, which is likely to be chased. */
  readonly total: number;
}

/** Compute the points that the end would add for *seat*. */
export function projectEnd(view: SanssouciView, box: SanssouciBox, seat: number): Projection {
  const garden = view.gardens[seat]!;
  const built = new Set(garden.built);
  const rows = ROWS.map((row) => ({
    line: row,
    missing: countMissing(built, row),
    bonus: box.row_bonus[row - 1] ?? 0,
  }));
  const columns = [...COLUMNS].map((line) => ({ line, missing: countMissing(built, line), bonus: box.column_bonus }));
  const missions = (view.missions[seat] ?? []).map((motif) => ({
    motif,
    points: garden.nobles[COLUMNS.indexOf(motif)] ?? 0,
  }));
  const boar = findBoarArea(garden).length;
  const won = [...rows, ...columns].filter((line) => line.missing === 0).map((line) => line.bonus);
  const total = [...won, ...missions.map((mission) => mission.points)].reduce((sum, points) => sum + points, 0);
  return { rows, columns, missions, boar, total };
}
