// How a score is counted up: which parts are on the table after how many moments, and what they add up to.

export interface Share {
  readonly points: number;
  readonly items: readonly string[];
}

export interface Part {
  readonly label: string;
  /** One for every seat. */
  readonly shares: readonly Share[];
}

export interface Result {
  readonly seat: number;
  readonly name: string;
  readonly points: number;
  readonly is_winner: boolean;
}

export interface Ended {
  readonly text: string;
  readonly results: readonly Result[];
  readonly parts: readonly Part[];
}

/** How long a part takes to be counted, in milliseconds at the usual pace. */
export const PART = 1100;
/** How much of that time the numbers run. */
const RUN = 0.6;

/** Count what a seat has after so many moments; a moment is a part, and in its first half the sum runs. */
export function countUp(parts: readonly Part[], seat: number, moment: number): number {
  const whole = Math.floor(moment);
  const told = parts.slice(0, whole).reduce((sum, part) => sum + (part.shares[seat]?.points ?? 0), 0);
  const next = parts[whole]?.shares[seat]?.points ?? 0;
  return told + Math.round(next * Math.min(1, (moment - whole) / RUN));
}
