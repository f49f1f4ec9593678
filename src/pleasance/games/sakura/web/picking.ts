// From what is legal to what can be picked, and back: a token is one card, two cards, or a direction.

/** The choice of a round: a card, or with a court painter to be led two. */
export interface Pair {
  readonly own: number;
  readonly court: number | null;
}

export const FORWARD = "^";
export const BACK = "v";

export function readPair(token: string): Pair | null {
  const found = /^(\d+)(?:\/(\d+))?$/.exec(token);
  return found ? { own: Number(found[1]), court: found[2] ? Number(found[2]) : null } : null;
}

/** Which cards may come first: as the own card. */
export function listOwn(legal: readonly string[]): Set<number> {
  return new Set(legal.flatMap((token) => readPair(token)?.own ?? []));
}

/** Which cards may be given to the court painter besides an own one. */
export function listCourt(legal: readonly string[], own: number): Set<number> {
  return new Set(legal.flatMap((token) => {
    const pair = readPair(token);
    return pair?.own === own && pair.court !== null ? [pair.court] : [];
  }));
}

/** Whether two cards are wanted. */
export const wantsPair = (legal: readonly string[]): boolean => legal.some((token) => token.includes("/"));

export const wantsWay = (legal: readonly string[]): boolean => legal.includes(FORWARD) || legal.includes(BACK);

/** What a tap on a card makes of what was picked before. */
export interface Tap {
  /** The own card that waits for the court painter's. */
  readonly own: number | null;
  /** What to tell whoever confirms: a token, `null` for none, nothing where all stays. */
  readonly token?: string | null;
}

/**
 * Tap a card. One card is picked at once, and tapped again it is played. Of two, the first is the
 * own card, the second the court painter's; the own card tapped again is put back.
 */
export function tap(card: number, legal: readonly string[], own: number | null, picked: string | null): Tap {
  if (!wantsPair(legal)) return legal.includes(String(card)) ? { own: null, token: String(card) } : { own: null };
  const pair = picked === null ? null : readPair(picked);
  if (pair && pair.court === card && picked !== null) return { own: pair.own, token: picked };
  const first = pair?.own ?? own;
  if (first === card) return { own: null, token: null };
  if (first !== null && listCourt(legal, first).has(card)) return { own: first, token: `${first}/${card}` };
  return listOwn(legal).has(card) ? { own: card } : { own };
}
