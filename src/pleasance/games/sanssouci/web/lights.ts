// What lights up while somebody considers a choice: spaces, cells, ghosts of tiles, the way of a noble.

import type { SanssouciGarden, SanssouciView } from "$app/wire";
import { COLUMNS, ROWS, cellAt, columnOf, findPath, forecastWalks, rowOf } from "./garden";
import type { Spot } from "./picking";
import { parseChoice, type Targets } from "./tokens";

export interface Lights {
  readonly cards: ReadonlySet<string>;
  readonly spaces: ReadonlySet<string>;
  /** Cells where something may go, and what: a choice of now, or what would follow from one. */
  readonly cells: ReadonlyMap<string, "live" | "maybe">;
  /** A tile or figure where it would come to be. */
  readonly ghost: { readonly cell: string; readonly what: "motif" | "gardener" | "noble" | "boar" } | null;
  /** The ends of walks that are shown with their points. */
  readonly ends: ReadonlySet<string>;
  /** The way that a noble would take. */
  readonly path: readonly string[];
  /** Walks that a tile would open. */
  readonly opened: ReadonlySet<string>;
}

export interface Considered {
  readonly view: SanssouciView;
  readonly targets: Targets;
  /** The garden that is drawn large, if it is the looking seat's own. */
  readonly garden: SanssouciGarden | null;
  readonly pointed: Spot | null;
  readonly lifted: Spot | null;
  readonly picked: string | null;
}

export const NO_LIGHTS: Lights = {
  cards: new Set(), spaces: new Set(), cells: new Map(), ghost: null, ends: new Set(), path: [], opened: new Set(),
};

/** Find all that should light up. */
export function light(considered: Considered): Lights {
  const { targets } = considered;
  if (targets.due === "place" || targets.due === "boar") return lightCells(considered, targets.due);
  return targets.due === "walk" ? lightWalks(considered) : lightTakes(considered);
}

function lightTakes({ view, targets, garden, pointed, lifted, picked }: Considered): Lights {
  const choice = picked ? parseChoice(picked) : null;
  const of = (kind: Spot["kind"]): string | undefined =>
    pointed?.kind === kind ? pointed.name : lifted?.kind === kind ? lifted.name : undefined;
  const card = of("card") ?? (choice?.kind === "take" && pointed?.kind !== "space" ? choice.card : undefined);
  const space = of("space") ?? (choice?.kind === "take" && pointed?.kind !== "card" ? choice.space : undefined);
  const tile = view.market.find((each) => each.space === space);
  return {
    ...NO_LIGHTS,
    cards: new Set(space ? targets.cardsOf.get(space) : []),
    // A card may have left the hand while the pointer rested on it.
    spaces: new Set((card && targets.spacesOf.get(card)) ?? targets.cardsOf.keys()),
    ...(tile?.cell && garden ? foreseeTile(garden, tile.cell) : {}),
  };
}

/** Where a tile would go, or where a gardener could stand in its place. */
function foreseeTile(garden: SanssouciGarden, cell: string): Partial<Lights> {
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

function lightCells({ targets, pointed, picked }: Considered, due: "place" | "boar"): Lights {
  const live = [...targets.cells.keys()];
  const cell = pointed?.kind === "cell" && targets.cells.has(pointed.name) ? pointed.name : picked?.slice(1);
  const what = due === "place" ? "gardener" : "boar";
  return { ...NO_LIGHTS, cells: new Map(live.map((each) => [each, "live"])), ghost: cell ? { cell, what } : null };
}

function lightWalks({ view, targets, garden, pointed, lifted, picked }: Considered): Lights {
  const column = lifted?.kind === "cell" ? lifted.name[0] : pointed?.kind === "cell" ? pointed.name[0] : undefined;
  const isNoble = pointed && garden && garden.nobles[columnOf(pointed.name)] === rowOf(pointed.name);
  const isOne = lifted?.kind === "cell" || (pointed?.kind === "cell" && isNoble && targets.nobles.has(column!));
  const ends = [...targets.cells.keys()].filter((end) => !isOne || end[0] === column);
  const choice = picked ? parseChoice(picked) : null;
  const chosen = choice?.kind === "walk" ? choice.column + choice.row : undefined;
  const end = pointed?.kind === "cell" && targets.cells.has(pointed.name) ? pointed.name : chosen;
  const start = end && garden ? cellAt(columnOf(end), garden.nobles[columnOf(end)] ?? 0) : undefined;
  return {
    ...NO_LIGHTS,
    cells: new Map(ends.map((each) => [each, "live"])),
    ends: new Set(ends),
    ghost: end ? { cell: end, what: "noble" } : null,
    path: start && end && view.phase === "walk" ? findPath(garden!.built, start, end) : [],
  };
}
