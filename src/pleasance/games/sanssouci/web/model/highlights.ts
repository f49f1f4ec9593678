// Highlights while a player considers a choice: cards, spaces, cells, previews, the path of a noble.

import type { SanssouciGarden, SanssouciView } from "$app/wire";
import { COLUMNS, ROWS, cellAt, columnOf, findPath, forecastWalks, rowOf } from "./garden";
import type { Spot } from "./picking";
import { parseChoice, type Targets } from "./tokens";

export interface Highlights {
  readonly cards: ReadonlySet<string>;
  readonly spaces: ReadonlySet<string>;
  /** Cells that can be chosen now (`live`), or would follow from the considered choice (`maybe`). */
  readonly cells: ReadonlyMap<string, "live" | "maybe">;
  /** A preview of a tile or figure on its cell. */
  readonly ghost: { readonly cell: string; readonly what: "motif" | "gardener" | "noble" | "boar" } | null;
  /** The ends of walks, shown with their points. */
  readonly ends: ReadonlySet<string>;
  /** The path of the considered walk. */
  readonly path: readonly string[];
  /** The ends of walks that the considered tile would make possible. */
  readonly opened: ReadonlySet<string>;
}

export interface HighlightInput {
  readonly view: SanssouciView;
  readonly targets: Targets;
  /** The enlarged garden, if it is the viewer's own. */
  readonly garden: SanssouciGarden | null;
  readonly hovered: Spot | null;
  readonly selected: Spot | null;
  readonly picked: string | null;
}

export const NO_HIGHLIGHTS: Highlights = {
  cards: new Set(),
  spaces: new Set(),
  cells: new Map(),
  ghost: null,
  ends: new Set(),
  path: [],
  opened: new Set(),
};

/** Compute all highlights. */
export function findHighlights(considered: HighlightInput): Highlights {
  const { targets } = considered;
  if (targets.due === "place" || targets.due === "boar") return highlightCells(considered, targets.due);
  return targets.due === "walk" ? highlightWalks(considered) : highlightTakes(considered);
}

function highlightTakes({ view, targets, garden, hovered, selected, picked }: HighlightInput): Highlights {
  const choice = picked ? parseChoice(picked) : null;
  const of = (kind: Spot["kind"]): string | undefined =>
    hovered?.kind === kind ? hovered.name : selected?.kind === kind ? selected.name : undefined;
  const card = of("card") ?? (choice?.kind === "take" && hovered?.kind !== "space" ? choice.card : undefined);
  const space = of("space") ?? (choice?.kind === "take" && hovered?.kind !== "card" ? choice.space : undefined);
  const tile = view.market.find((each) => each.space === space);
  return {
    ...NO_HIGHLIGHTS,
    cards: new Set(space ? targets.cardsOf.get(space) : []),
    // The hovered card may have left the hand meanwhile.
    spaces: new Set((card && targets.spacesOf.get(card)) ?? targets.cardsOf.keys()),
    ...(tile?.cell && garden ? previewTile(garden, tile.cell) : {}),
  };
}

/** Preview the cell of a tile, or the cells for a gardener if it is taken. */
function previewTile(garden: SanssouciGarden, cell: string): Partial<Highlights> {
  if (garden.built.includes(cell)) {
    return { cells: new Map(gardenerCells(garden, cell).map((free) => [free, "maybe"])) };
  }
  const before = new Set(forecastWalks(garden));
  const opened = forecastWalks(garden, cell).filter((end) => !before.has(end));
  return { cells: new Map([[cell, "maybe"]]), ghost: { cell, what: "motif" }, opened: new Set(opened) };
}

function gardenerCells(garden: SanssouciGarden, cell: string): string[] {
  const all = ROWS.flatMap((row) => [...COLUMNS].map((letter) => letter + row));
  const free = all.filter((each) => !garden.built.includes(each));
  const inLine = free.filter((each) => each[0] === cell[0] || each[1] === cell[1]);
  return inLine.length > 0 ? inLine : free;
}

function highlightCells({ targets, hovered, picked }: HighlightInput, due: "place" | "boar"): Highlights {
  const live = [...targets.cells.keys()];
  const cell = hovered?.kind === "cell" && targets.cells.has(hovered.name) ? hovered.name : picked?.slice(1);
  const what = due === "place" ? "gardener" : "boar";
  return { ...NO_HIGHLIGHTS, cells: new Map(live.map((each) => [each, "live"])), ghost: cell ? { cell, what } : null };
}

function highlightWalks({ view, targets, garden, hovered, selected, picked }: HighlightInput): Highlights {
  const column = selected?.kind === "cell" ? selected.name[0] : hovered?.kind === "cell" ? hovered.name[0] : undefined;
  const isNoble = hovered && garden && garden.nobles[columnOf(hovered.name)] === rowOf(hovered.name);
  const isOne = selected?.kind === "cell" || (hovered?.kind === "cell" && isNoble && targets.nobles.has(column!));
  const ends = [...targets.cells.keys()].filter((end) => !isOne || end[0] === column);
  const choice = picked ? parseChoice(picked) : null;
  const chosen = choice?.kind === "walk" ? choice.column + choice.row : undefined;
  const end = hovered?.kind === "cell" && targets.cells.has(hovered.name) ? hovered.name : chosen;
  const start = end && garden ? cellAt(columnOf(end), garden.nobles[columnOf(end)] ?? 0) : undefined;
  return {
    ...NO_HIGHLIGHTS,
    cells: new Map(ends.map((each) => [each, "live"])),
    ends: new Set(ends),
    ghost: end ? { cell: end, what: "noble" } : null,
    path: start && end && view.phase === "walk" ? findPath(garden!.built, start, end) : [],
  };
}
