// The score sheet at the end of a game, and the sums while its parts are counted up.

export interface Share {
  readonly points: number;
  readonly items: readonly string[];
}

export interface Part {
  readonly label: string;
  /** One per seat. */
  readonly shares: readonly Share[];
}

export interface Result {
  readonly seat: number;
  readonly name: string;
  readonly points: number;
  readonly is_winner: boolean;
}

export interface Ending {
  readonly text: string;
  readonly results: readonly Result[];
  readonly parts: readonly Part[];
}

/** The time for one part at the usual pace. */
export const PART_DURATION_MS = 1100;
/** The fraction of that time in which the numbers change. */
const COUNTING_FRACTION = 0.6;

/** Compute the sum of a seat after *moment* parts; within a part the sum changes first, then rests. */
export function countUp(parts: readonly Part[], seat: number, moment: number): number {
  const counted = Math.floor(moment);
  const sum = parts.slice(0, counted).reduce((total, part) => total + (part.shares[seat]?.points ?? 0), 0);
  const next = parts[counted]?.shares[seat]?.points ?? 0;
  return sum + Math.round(next * Math.min(1, (moment - counted) / COUNTING_FRACTION));
}
