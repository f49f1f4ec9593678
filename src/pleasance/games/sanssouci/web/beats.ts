// What a step changes, as beats to be shown one after the other: read from its tokens and both views.

import type { SanssouciView } from "$app/wire";
import { COLUMNS, ROWS, cellAt, columnOf, findPath } from "./garden";
import { parseChoice, parseOutcome } from "./tokens";

export type Beat =
  | { readonly kind: "play"; readonly seat: number; readonly card: string; readonly space: string }
  | { readonly kind: "lay"; readonly seat: number; readonly space: string; readonly cell: string; readonly what: "tile" | "gardener" }
  /** A tile whose cell is taken is turned to its gardener. */
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

/** List what happened, in the order in which it is shown. */
export function planBeats({ before, view, tokens }: Shown): Beat[] {
  return tokens.flatMap(({ seat, token }): Beat[] => {
    if (token === null || seat === null) return seat === null ? drawBeats(token ?? "", null) : [{ kind: "draw", seat, card: null }];
    const choice = parseChoice(token);
    if (!choice) return drawBeats(token, seat);
    if (choice.kind === "take") return takeBeats(before, view, seat, choice);
    if (choice.kind === "place") {
      const lay: Beat = { kind: "lay", seat, space: before.emptied, cell: choice.cell, what: "gardener" };
      return [lay, ...pointBeats(before, view, seat, choice.cell), ...lineBeats(before, view, seat)];
    }
    if (choice.kind === "boar") return [{ kind: "boar", seat, from: before.gardens[seat]!.boar ?? choice.cell, to: choice.cell }];
    if (choice.kind !== "walk") return [];
    const column = COLUMNS.indexOf(choice.column);
    const garden = before.gardens[seat]!;
    const end = cellAt(column, choice.row);
    const path = findPath(garden.built, cellAt(column, garden.nobles[column] ?? 0), end);
    return [{ kind: "walk", seat, column, path }, ...pointBeats(before, view, seat, end)];
  });
}

function drawBeats(token: string, seat: number | null): Beat[] {
  const outcome = parseOutcome(token);
  if (outcome?.kind === "tile") return [{ kind: "refill", space: outcome.space }];
  return outcome && seat !== null ? [{ kind: "draw", seat, card: outcome.card }] : [];
}

function takeBeats(before: SanssouciView, view: SanssouciView, seat: number, { card, space }: { card: string; space: string }): Beat[] {
  const play: Beat = { kind: "play", seat, card, space };
  const cell = before.market.find((each) => each.space === space)?.cell;
  if (view.phase === "place" || !cell) return [play, { kind: "turn", space }];
  const lay: Beat = { kind: "lay", seat, space, cell, what: "tile" };
  return [play, lay, ...pointBeats(before, view, seat, cell), ...lineBeats(before, view, seat)];
}

// The last step also counts the end; that is told elsewhere, line by line.
function pointBeats(before: SanssouciView, view: SanssouciView, seat: number, cell: string): Beat[] {
  const sum = (each: SanssouciView): number =>
    (each.causes[seat] ?? []).filter((cause) => Object.keys(cause.params).length === 0).reduce((all, cause) => all + cause.points, 0);
  const points = sum(view) - sum(before);
  return points ? [{ kind: "points", seat, cell, points }] : [];
}

function lineBeats(before: SanssouciView, view: SanssouciView, seat: number): Beat[] {
  const was = new Set(before.gardens[seat]!.built);
  const is = new Set(view.gardens[seat]!.built);
  const lines = [
    ...ROWS.map((row) => [...COLUMNS].map((letter) => letter + row)),
    ...[...COLUMNS].map((letter) => ROWS.map((row) => letter + row)),
  ];
  const done = lines.filter((cells) => cells.every((cell) => is.has(cell)) && !cells.every((cell) => was.has(cell)));
  return done.map((cells) => ({ kind: "line", seat, cells }));
}

/** The cells and spaces that the last turn of each seat has touched, to be marked for a while. */
export interface Traces {
  readonly cells: ReadonlyMap<number, ReadonlySet<string>>;
  readonly spaces: ReadonlySet<string>;
}

export const NO_TRACES: Traces = { cells: new Map(), spaces: new Set() };

/** Add what beats have touched; a new turn of a seat wipes out its old one. */
export function trace(traces: Traces, beats: readonly Beat[]): Traces {
  const cells = new Map(traces.cells);
  let spaces = traces.spaces;
  const add = (seat: number, cell: string): unknown => cells.set(seat, new Set([...(cells.get(seat) ?? []), cell]));
  for (const beat of beats) {
    if (beat.kind === "play") cells.delete(beat.seat);
    if (beat.kind === "lay") add(beat.seat, beat.cell);
    if (beat.kind === "walk") add(beat.seat, beat.path.at(-1)!);
    if (beat.kind === "refill") spaces = new Set([beat.space]);
  }
  return { cells, spaces };
}

/** How far a noble is from the end of its way at each of its cells, in cells: right and down. */
export function retrace(path: readonly string[]): { readonly x: number; readonly y: number }[] {
  const end = path.at(-1)!;
  return path.map((cell) => ({ x: columnOf(cell) - columnOf(end), y: Number(cell[1]) - Number(end[1]) }));
}
