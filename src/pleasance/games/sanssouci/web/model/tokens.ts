// A parser for choices and draws in notation.

export type Choice =
  | { readonly kind: "take"; readonly card: string; readonly space: string }
  | { readonly kind: "place"; readonly cell: string }
  | { readonly kind: "boar"; readonly cell: string }
  | { readonly kind: "walk"; readonly column: string; readonly row: number }
  | { readonly kind: "stay" }
  | { readonly kind: "side"; readonly side: string };

/** A visible draw. */
export type Outcome =
  | { readonly kind: "tile"; readonly space: string; readonly motif: string }
  | { readonly kind: "card"; readonly card: string };

const TAKE = /^([2-6]{2}|[a-i]|\*):([2-6][lr])$/;
const PLACE = /^@([a-i][1-6])$/;
const BOAR = /^~([a-i][1-6])$/;
const WALK = /^([a-i])>([1-6])$/;
const TILE = /^\+t([2-6][lr])=([a-i])$/;
const CARD = /^\+c([2-6]{2}|[a-i]|\*)$/;

/** Parse a choice; `null` for any other text, such as a draw. */
export function parseChoice(token: string): Choice | null {
  let found: RegExpExecArray | null;
  if ((found = TAKE.exec(token))) return { kind: "take", card: found[1]!, space: found[2]! };
  if ((found = PLACE.exec(token))) return { kind: "place", cell: found[1]! };
  if ((found = BOAR.exec(token))) return { kind: "boar", cell: found[1]! };
  if ((found = WALK.exec(token))) return { kind: "walk", column: found[1]!, row: Number(found[2]) };
  if (token === "-") return { kind: "stay" };
  return token === "A" || token === "B" ? { kind: "side", side: token } : null;
}

/** Parse a draw; `null` for choices and for draws of the setup. */
export function parseOutcome(token: string): Outcome | null {
  const tile = TILE.exec(token);
  if (tile) return { kind: "tile", space: tile[1]!, motif: tile[2]! };
  const card = CARD.exec(token);
  return card ? { kind: "card", card: card[1]! } : null;
}

export const takeToken = (card: string, space: string): string => `${card}:${space}`;
export const placeToken = (cell: string): string => `@${cell}`;
export const boarToken = (cell: string): string => `~${cell}`;
export const walkToken = (cell: string): string => `${cell[0]}>${cell[1]}`;
export const STAY = "-";

/** The legal choices, indexed by the spots that they name. */
export interface Targets {
  /** The spaces whose tiles a card may take. */
  readonly spacesOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The cards that may take the tile of a space. */
  readonly cardsOf: ReadonlyMap<string, readonly string[]>;
  /** The token of a cell: for a gardener, the boar, or the end of a walk. */
  readonly cells: ReadonlyMap<string, string>;
  /** The columns whose nobles can walk. */
  readonly nobles: ReadonlySet<string>;
  readonly sides: readonly string[];
  readonly canStay: boolean;
  /** The kind of choice that is due. */
  readonly due: Choice["kind"] | null;
}

/** Index the legal choices. */
export function findTargets(legal: readonly string[]): Targets {
  const spacesOf = new Map<string, Set<string>>();
  const cardsOf = new Map<string, string[]>();
  const cells = new Map<string, string>();
  const nobles = new Set<string>();
  const sides: string[] = [];
  let due: Targets["due"] = null;
  for (const token of legal) {
    const choice = parseChoice(token);
    if (!choice) continue;
    due = choice.kind === "stay" ? "walk" : choice.kind;
    if (choice.kind === "take") {
      spacesOf.set(choice.card, (spacesOf.get(choice.card) ?? new Set()).add(choice.space));
      cardsOf.set(choice.space, [...(cardsOf.get(choice.space) ?? []), choice.card]);
    } else if (choice.kind === "walk") {
      cells.set(choice.column + choice.row, token);
      nobles.add(choice.column);
    } else if (choice.kind === "side") sides.push(choice.side);
    else if (choice.kind !== "stay") cells.set(choice.cell, token);
  }
  return { spacesOf, cardsOf, cells, nobles, sides, canStay: legal.includes(STAY), due };
}

/** List the rows of a two-color card, from the palace down; none for other cards. */
export function cardRows(card: string): readonly number[] {
  return card.length === 2 ? [...card].map(Number) : [];
}
