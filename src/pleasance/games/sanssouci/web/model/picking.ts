// The meaning of a click, a key or a drop: select a spot, pick a choice, or ask why it is not legal.

import type { SanssouciView } from "$app/wire";
import { columnOf, rowOf } from "./garden";
import { boarToken, placeToken, takeToken, walkToken, type Targets } from "./tokens";

/** A place on the board that takes input; a noble is found by its cell. */
export type Spot =
  | { readonly kind: "card"; readonly name: string }
  | { readonly kind: "space"; readonly name: string }
  | { readonly kind: "cell"; readonly name: string }
  /** The taken tile that becomes a gardener. */
  | { readonly kind: "held"; readonly name: string };

/** The result of input: a new selection (`null` clears it), a picked choice, or a question why it is not legal. */
export interface PickResult {
  readonly select?: Spot | null;
  readonly pick?: string | null;
  readonly ask?: string;
  /** Whether no card takes the tile. */
  readonly isTakenByNone?: boolean;
}

export interface PickState {
  readonly view: SanssouciView;
  readonly targets: Targets;
  readonly selected: Spot | null;
}

export const spotName = (spot: Spot): string => `${spot.kind}/${spot.name}`;

export function parseSpot(text: string | undefined): Spot | null {
  const [kind, name] = text?.split("/") ?? [];
  if (!name) return null;
  return kind === "card" || kind === "space" || kind === "cell" || kind === "held" ? { kind, name } : null;
}

export const isSame = (one: Spot | null, other: Spot | null): boolean =>
  one?.kind === other?.kind && one?.name === other?.name;

/** Arrange the hand so that cards keep their places and a new card fills a gap. */
export function arrangeHand(before: readonly (string | null)[], hand: readonly string[]): readonly (string | null)[] {
  const kept = before.map((card) => (card !== null && hand.includes(card) ? card : null));
  const touched = hand.filter((card) => !kept.includes(card));
  return [...kept.map((card) => card ?? touched.shift() ?? null), ...touched];
}

/** The next step of a half-made choice; its message is `web.next.<step>`. */
export type NextStep = "tile" | "any_tile" | "card" | "end";

/** Find the next step of a half-made choice; `any_tile` is explained while its card is hovered. */
export function findNext({ view, targets, selected }: PickState, hovered: Spot | null): NextStep | null {
  const card = selected?.kind === "card" ? selected.name : !selected && hovered?.kind === "card" ? hovered.name : null;
  if (targets.due === "take" && card !== null && targets.spacesOf.has(card)) {
    const isMotif = card.length === 1 && card !== "*";
    if (isMotif && !view.market.some((space) => space.motif === card)) return "any_tile";
    return selected ? "tile" : null;
  }
  if (targets.due === "take" && selected?.kind === "space") return "card";
  return targets.due === "walk" && selected?.kind === "cell" ? "end" : null;
}

/** Decide the meaning of a click, a key or a drop on *spot*. */
export function respond(spot: Spot, moment: PickState): PickResult {
  const { due } = moment.targets;
  if (due === "take") {
    if (spot.kind === "card") return playCard(spot, moment);
    if (spot.kind === "space") return takeTile(spot, moment);
    return spot.kind === "cell" ? layTile(spot.name, moment) : {};
  }
  if (spot.kind !== "cell") return {};
  if (due === "place") return choose(moment, spot.name, placeToken);
  if (due === "boar") return choose(moment, spot.name, boarToken);
  return due === "walk" ? walk(spot, moment) : {};
}

function playCard(spot: Spot, { targets, selected }: PickState): PickResult {
  if (selected?.kind === "space") {
    const token = takeToken(spot.name, selected.name);
    return targets.spacesOf.get(spot.name)?.has(selected.name) ? { pick: token, select: null } : { ask: token };
  }
  return isSame(selected, spot) ? { select: null, pick: null } : { select: spot, pick: null };
}

function takeTile(spot: Spot, { targets, selected, view }: PickState): PickResult {
  if (!view.market.some((space) => space.space === spot.name && space.motif)) return {};
  if (selected?.kind === "card") {
    const token = takeToken(selected.name, spot.name);
    return targets.spacesOf.get(selected.name)?.has(spot.name) ? { pick: token, select: null } : { ask: token };
  }
  const cards = targets.cardsOf.get(spot.name) ?? [];
  if (cards.length === 0) return { isTakenByNone: true };
  if (cards.length === 1) return { pick: takeToken(cards[0]!, spot.name), select: null };
  return isSame(selected, spot) ? { select: null, pick: null } : { select: spot, pick: null };
}

/** Take the tile that belongs to a cell, if there is only one. */
function layTile(cell: string, { targets, selected, view }: PickState): PickResult {
  const spaces = view.market.filter((space) => space.cell === cell && targets.cardsOf.has(space.space));
  const tokens = spaces.flatMap(({ space }) =>
    (targets.cardsOf.get(space) ?? [])
      .filter((card) => !selected || selected.name === card || selected.name === space)
      .map((card) => takeToken(card, space)),
  );
  if (tokens.length === 1) return { pick: tokens[0]!, select: null };
  return spaces.length === 1 && !selected ? { select: { kind: "space", name: spaces[0]!.space }, pick: null } : {};
}

function choose({ targets }: PickState, cell: string, write: (cell: string) => string): PickResult {
  if (rowOf(cell) === 0) return {};
  const token = targets.cells.get(cell);
  return token ? { pick: token, select: null } : { ask: write(cell) };
}

function walk(spot: Spot, { targets, selected, view }: PickState): PickResult {
  const token = targets.cells.get(spot.name);
  if (token) return { pick: token, select: null };
  const stands = view.gardens[view.actor]?.nobles[columnOf(spot.name)];
  if (stands !== rowOf(spot.name)) return { ask: walkToken(spot.name) };
  // The cell of a noble: select it, or ask why it cannot walk.
  if (!targets.nobles.has(spot.name[0]!)) return { ask: walkToken(`${spot.name[0]}${Math.min(stands + 1, 6)}`) };
  return isSame(selected, spot) ? { select: null, pick: null } : { select: spot, pick: null };
}
