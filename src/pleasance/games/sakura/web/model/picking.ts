// Picking cards: a token is one card, two cards, or a direction.

/** The choice of a round: a card, and a second one for the court painter in the tactical variant. */
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

/** Collect the legal own cards. */
export function listOwn(legal: readonly string[]): Set<number> {
  return new Set(legal.flatMap((token) => readPair(token)?.own ?? []));
}

/** Collect the legal cards for the court painter beside an own card. */
export function listCourt(legal: readonly string[], own: number): Set<number> {
  return new Set(
    legal.flatMap((token) => {
      const pair = readPair(token);
      return pair?.own === own && pair.court !== null ? [pair.court] : [];
    }),
  );
}

/** Whether a choice of two cards is due. */
export const isPairDue = (legal: readonly string[]): boolean => legal.some((token) => token.includes("/"));

export const isDirectionDue = (legal: readonly string[]): boolean => legal.includes(FORWARD) || legal.includes(BACK);

/** The result of a tap on a card. */
export interface Tap {
  /** The own card, while the court painter's is missing. */
  readonly own: number | null;
  /** The new pick, or `null` for none; undefined if it does not change. */
  readonly token?: string | null;
}

/**
 * Compute the result of a tap. A single card is picked at once, and played by a second tap. Of two cards the first is the
 * own card, the second the court painter's; a second tap on the own card puts it back.
 */
export function tap(card: number, legal: readonly string[], own: number | null, picked: string | null): Tap {
  if (!isPairDue(legal)) return legal.includes(String(card)) ? { own: null, token: String(card) } : { own: null };
  const pair = picked === null ? null : readPair(picked);
  if (pair && pair.court === card && picked !== null) return { own: pair.own, token: picked };
  const first = pair?.own ?? own;
  if (first === card) return { own: null, token: null };
  if (first !== null && listCourt(legal, first).has(card)) return { own: first, token: `${first}/${card}` };
  return listOwn(legal).has(card) ? { own: card } : { own };
}
