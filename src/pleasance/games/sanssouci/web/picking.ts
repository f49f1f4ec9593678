// What pointing at something means: lift it, pick a choice, or ask why not. No drawing here.

import type { SanssouciView } from "$app/wire";
import { columnOf, rowOf } from "./garden";
import { boarToken, placeToken, takeToken, walkToken, type Targets } from "./tokens";

/** Something on the board that can be pointed at; nobles are found by the cell where they stand. */
export type Spot =
  | { readonly kind: "card"; readonly name: string }
  | { readonly kind: "space"; readonly name: string }
  | { readonly kind: "cell"; readonly name: string }
  /** The tile in hand that becomes a gardener. */
  | { readonly kind: "held"; readonly name: string };

/** What follows: something lifted (or with `null` laid down), a choice picked, a reason asked for. */
export interface Answer {
  readonly lift?: Spot | null;
  readonly pick?: string | null;
  readonly ask?: string;
  /** Whether no card takes what was pointed at, so that there is nothing to ask about. */
  readonly isForNone?: boolean;
}

export interface Moment {
  readonly view: SanssouciView;
  readonly targets: Targets;
  readonly lifted: Spot | null;
}

export const spotName = (spot: Spot): string => `${spot.kind}/${spot.name}`;

export function parseSpot(text: string | undefined): Spot | null {
  const [kind, name] = text?.split("/") ?? [];
  if (!name) return null;
  return kind === "card" || kind === "space" || kind === "cell" || kind === "held" ? { kind, name } : null;
}

export const isSame = (one: Spot | null, other: Spot | null): boolean =>
  one?.kind === other?.kind && one?.name === other?.name;

/** Lay the hand out so that a card stays where it lies: a new one comes where another has left. */
export function keepPlaces(before: readonly (string | null)[], hand: readonly string[]): readonly (string | null)[] {
  const kept = before.map((card) => (card !== null && hand.includes(card) ? card : null));
  const fresh = hand.filter((card) => !kept.includes(card));
  return [...kept.map((card) => card ?? fresh.shift() ?? null), ...fresh];
}

/** What comes after something was lifted: `web.next.<this>` says it. */
export type Next = "tile" | "any_tile" | "card" | "end";

/** Find what is to be pointed at next; a card that takes any tile says why as soon as it is looked at. */
export function findNext({ view, targets, lifted }: Moment, pointed: Spot | null): Next | null {
  const card = lifted?.kind === "card" ? lifted.name : !lifted && pointed?.kind === "card" ? pointed.name : null;
  if (targets.due === "take" && card !== null && targets.spacesOf.has(card)) {
    const isMotif = card.length === 1 && card !== "*";
    if (isMotif && !view.market.some((space) => space.motif === card)) return "any_tile";
    return lifted ? "tile" : null;
  }
  if (targets.due === "take" && lifted?.kind === "space") return "card";
  return targets.due === "walk" && lifted?.kind === "cell" ? "end" : null;
}

/** Decide what a click, a key or a drop on *spot* means. */
export function respond(spot: Spot, moment: Moment): Answer {
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

function playCard(spot: Spot, { targets, lifted }: Moment): Answer {
  if (lifted?.kind === "space") {
    const token = takeToken(spot.name, lifted.name);
    return targets.spacesOf.get(spot.name)?.has(lifted.name) ? { pick: token, lift: null } : { ask: token };
  }
  return isSame(lifted, spot) ? { lift: null, pick: null } : { lift: spot, pick: null };
}

function takeTile(spot: Spot, { targets, lifted, view }: Moment): Answer {
  if (!view.market.some((space) => space.space === spot.name && space.motif)) return {};
  if (lifted?.kind === "card") {
    const token = takeToken(lifted.name, spot.name);
    return targets.spacesOf.get(lifted.name)?.has(spot.name) ? { pick: token, lift: null } : { ask: token };
  }
  const cards = targets.cardsOf.get(spot.name) ?? [];
  if (cards.length === 0) return { isForNone: true };
  if (cards.length === 1) return { pick: takeToken(cards[0]!, spot.name), lift: null };
  return isSame(lifted, spot) ? { lift: null, pick: null } : { lift: spot, pick: null };
}

/** A cell of the garden stands for the one tile that would come to lie there. */
function layTile(cell: string, { targets, lifted, view }: Moment): Answer {
  const spaces = view.market.filter((space) => space.cell === cell && targets.cardsOf.has(space.space));
  const tokens = spaces.flatMap(({ space }) =>
    (targets.cardsOf.get(space) ?? [])
      .filter((card) => !lifted || lifted.name === card || lifted.name === space)
      .map((card) => takeToken(card, space)),
  );
  if (tokens.length === 1) return { pick: tokens[0]!, lift: null };
  return spaces.length === 1 && !lifted ? { lift: { kind: "space", name: spaces[0]!.space }, pick: null } : {};
}

function choose({ targets }: Moment, cell: string, write: (cell: string) => string): Answer {
  if (rowOf(cell) === 0) return {};
  const token = targets.cells.get(cell);
  return token ? { pick: token, lift: null } : { ask: write(cell) };
}

function walk(spot: Spot, { targets, lifted, view }: Moment): Answer {
  const token = targets.cells.get(spot.name);
  if (token) return { pick: token, lift: null };
  const stands = view.gardens[view.actor]?.nobles[columnOf(spot.name)];
  if (stands !== rowOf(spot.name)) return { ask: walkToken(spot.name) };
  // A noble was pointed at: it waits to be told where to go, or it is explained why it cannot.
  if (!targets.nobles.has(spot.name[0]!)) return { ask: walkToken(`${spot.name[0]}${Math.min(stands + 1, 6)}`) };
  return isSame(lifted, spot) ? { lift: null, pick: null } : { lift: spot, pick: null };
}
