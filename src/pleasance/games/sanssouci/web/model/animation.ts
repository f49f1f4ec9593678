// The animation of a step: a list of parts, derived from its tokens and both views.

import type { SanssouciView } from "$app/wire";
import { COLUMNS, ROWS, cellAt, columnOf, findPath } from "./garden";
import { parseChoice, parseOutcome } from "./tokens";

export type AnimationStep =
  | { readonly kind: "play"; readonly seat: number; readonly card: string; readonly space: string }
  | {
      readonly kind: "lay";
      readonly seat: number;
      readonly space: string;
      readonly cell: string;
      readonly what: "tile" | "gardener";
    }
  /** A tile whose cell is taken turns into a gardener. */
  | { readonly kind: "turn"; readonly space: string }
  | { readonly kind: "boar"; readonly seat: number; readonly from: string; readonly to: string }
  | { readonly kind: "walk"; readonly seat: number; readonly column: number; readonly path: readonly string[] }
  | { readonly kind: "points"; readonly seat: number; readonly cell: string; readonly points: number }
  | { readonly kind: "line"; readonly seat: number; readonly cells: readonly string[] }
  | { readonly kind: "refill"; readonly space: string }
  | { readonly kind: "draw"; readonly seat: number; readonly card: string | null };

interface Shown {
  readonly before: SanssouciView;
  readonly view: SanssouciView;
  readonly tokens: readonly { readonly seat: number | null; readonly token: string | null }[];
}

/** List the parts of a step's animation in order. */
export function planAnimation({ before, view, tokens }: Shown): AnimationStep[] {
  return tokens.flatMap(({ seat, token }): AnimationStep[] => {
    if (token === null || seat === null)
      return seat === null ? drawSteps(token ?? "", null) : [{ kind: "draw", seat, card: null }];
    const choice = parseChoice(token);
    if (!choice) return drawSteps(token, seat);
    if (choice.kind === "take") return takeSteps(before, view, seat, choice);
    if (choice.kind === "place") {
      const lay: AnimationStep = { kind: "lay", seat, space: before.emptied, cell: choice.cell, what: "gardener" };
      return [lay, ...pointSteps(before, view, seat, choice.cell), ...lineSteps(before, view, seat)];
    }
    if (choice.kind === "boar")
      return [{ kind: "boar", seat, from: before.gardens[seat]!.boar ?? choice.cell, to: choice.cell }];
    if (choice.kind !== "walk") return [];
    const column = COLUMNS.indexOf(choice.column);
    const garden = before.gardens[seat]!;
    const end = cellAt(column, choice.row);
    const path = findPath(garden.built, cellAt(column, garden.nobles[column] ?? 0), end);
    return [{ kind: "walk", seat, column, path }, ...pointSteps(before, view, seat, end)];
  });
}

function drawSteps(token: string, seat: number | null): AnimationStep[] {
  const outcome = parseOutcome(token);
  if (outcome?.kind === "tile") return [{ kind: "refill", space: outcome.space }];
  return outcome && seat !== null ? [{ kind: "draw", seat, card: outcome.card }] : [];
}

function takeSteps(
  before: SanssouciView,
  view: SanssouciView,
  seat: number,
  { card, space }: { card: string; space: string },
): AnimationStep[] {
  const play: AnimationStep = { kind: "play", seat, card, space };
  const cell = before.market.find((each) => each.space === space)?.cell;
  if (view.phase === "place" || !cell) return [play, { kind: "turn", space }];
  const lay: AnimationStep = { kind: "lay", seat, space, cell, what: "tile" };
  return [play, lay, ...pointSteps(before, view, seat, cell), ...lineSteps(before, view, seat)];
}

// Only points without parameters count: the last step also adds the points of the end.
function pointSteps(before: SanssouciView, view: SanssouciView, seat: number, cell: string): AnimationStep[] {
  const sum = (each: SanssouciView): number =>
    (each.score_items[seat] ?? [])
      .filter((item) => Object.keys(item.params).length === 0)
      .reduce((all, item) => all + item.points, 0);
  const points = sum(view) - sum(before);
  return points ? [{ kind: "points", seat, cell, points }] : [];
}

function lineSteps(before: SanssouciView, view: SanssouciView, seat: number): AnimationStep[] {
  const was = new Set(before.gardens[seat]!.built);
  const is = new Set(view.gardens[seat]!.built);
  const lines = [
    ...ROWS.map((row) => [...COLUMNS].map((letter) => letter + row)),
    ...[...COLUMNS].map((letter) => ROWS.map((row) => letter + row)),
  ];
  const done = lines.filter((cells) => cells.every((cell) => is.has(cell)) && !cells.every((cell) => was.has(cell)));
  return done.map((cells) => ({ kind: "line", seat, cells }));
}

/** The cells and spaces that the last turn of each seat changed. */
export interface TouchedSpots {
  readonly cells: ReadonlyMap<number, ReadonlySet<string>>;
  readonly spaces: ReadonlySet<string>;
}

export const NOTHING_TOUCHED: TouchedSpots = { cells: new Map(), spaces: new Set() };

/** Add the spots of an animation; a new turn of a seat replaces its last one. */
export function markTouched(touched: TouchedSpots, parts: readonly AnimationStep[]): TouchedSpots {
  const cells = new Map(touched.cells);
  let spaces = touched.spaces;
  const add = (seat: number, cell: string): unknown => cells.set(seat, new Set([...(cells.get(seat) ?? []), cell]));
  for (const part of parts) {
    if (part.kind === "play") cells.delete(part.seat);
    if (part.kind === "lay") add(part.seat, part.cell);
    if (part.kind === "walk") add(part.seat, part.path.at(-1)!);
    if (part.kind === "refill") spaces = new Set([part.space]);
  }
  return { cells, spaces };
}

/** Compute the offset of each cell of a path from its end, in cells. */
export function offsetsFromEnd(path: readonly string[]): { readonly x: number; readonly y: number }[] {
  const end = path.at(-1)!;
  return path.map((cell) => ({ x: columnOf(cell) - columnOf(end), y: Number(cell[1]) - Number(end[1]) }));
}
