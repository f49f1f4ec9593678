// Verifies every draw of a record in the browser, as docs/fairness.md specifies. The server only lists the
// possible outcomes; the check does not trust it.

import { isDraw, readRecord } from "$app/replay/record";
import { fromHex, hmac, sha256, toHex } from "$app/replay/sha256";

/** The possible outcomes of one draw with their outcomes, in the order of the game. */
export type Outcomes = readonly (readonly [token: string, weight: number])[];

export interface CheckedDraw {
  /** The unique number of the draw. */
  readonly index: number;
  readonly token: string;
  /** The token that follows from the secret. */
  readonly expected: string;
  readonly isFair: boolean;
  /** The sum of the outcomes, and the number drawn below it. */
  readonly total: bigint;
  readonly place: bigint;
}

/** The reason why a record cannot be checked. */
export type CheckError = "no_tag" | "no_secret" | "commitment" | "index_again" | "indexes";

export interface Verdict {
  readonly error: CheckError | null;
  readonly draws: readonly CheckedDraw[];
  /** The number of draws from the opening, which follow from no secret. */
  readonly given: number;
  /** The number of draws that were taken back; their numbers are skipped. */
  readonly skipped: number;
  readonly commitment: string;
  readonly isFair: boolean;
}

interface Tag {
  readonly commitment: string;
  readonly secret: string | undefined;
  readonly nonces: string;
  readonly indexes: readonly number[];
}

const HASH_RANGE = 1n << 64n;
const TAG_PATTERN = /^1 commitment=([0-9a-f]{64})(?: secret=([0-9a-f]{64}))? nonces=([0-9a-f,-]+) draws=([0-9,-]+)$/;
/** No game has more draws. */
const MAX_DRAWS = 100_000;

/** Draw a uniform integer below *total*, by rejection sampling. */
export function drawBelow(secret: Uint8Array, nonces: string, index: number, total: bigint): bigint {
  const limit = (HASH_RANGE / total) * total;
  for (let attempt = 0; ; attempt += 1) {
    const message = new TextEncoder().encode(`pleasance:1:${nonces}:${index}:${attempt}`);
    const number = BigInt(`0x${toHex(hmac(secret, message).subarray(0, 8))}`);
    if (number < limit) return number % total;
  }
}

function checkDraw(secret: Uint8Array, nonces: string, index: number, token: string, outcomes: Outcomes): CheckedDraw {
  const total = outcomes.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
  const place = drawBelow(secret, nonces, index, total);
  let left = place;
  const expected = outcomes.find(([, weight]) => (left -= BigInt(weight)) < 0n)?.[0] ?? "";
  return { index, token, expected, isFair: expected === token, total, place };
}

/** Parse runs of numbers such as `1-40,45-132`; `null` if malformed. */
export function readRuns(text: string): number[] | null {
  const found: number[] = [];
  for (const run of text === "-" ? [] : text.split(",")) {
    const match = /^([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?$/.exec(run);
    const [first, last] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
    if (!match || last < first || found.length + last - first > MAX_DRAWS) return null;
    for (let index = first; index <= last; index += 1) found.push(index);
  }
  return found;
}

function readTag(text: string | undefined): Tag | null {
  const match = TAG_PATTERN.exec(text ?? "");
  const indexes = match && readRuns(match[4]!);
  return indexes ? { commitment: match[1]!, secret: match[2], nonces: match[3]!, indexes } : null;
}

function findError(tag: Tag, draws: number): CheckError | null {
  if (tag.secret === undefined) return "no_secret";
  if (toHex(sha256(fromHex(tag.secret))) !== tag.commitment) return "commitment";
  if (tag.indexes.some((index, n) => n > 0 && index <= tag.indexes[n - 1]!)) return "index_again";
  return tag.indexes.length === draws ? null : "indexes";
}

/** Check all draws of a record against their possible outcomes. */
export function checkRecord(text: string, outcomes: readonly Outcomes[]): Verdict {
  const { tags, tokens } = readRecord(text);
  const opening = /^[0-9]{1,6}$/.test(tags.Opening ?? "") ? Number(tags.Opening) : 0;
  const given = tokens.slice(0, opening).filter(isDraw).length;
  const drawn = tokens.slice(opening).filter(isDraw);
  const tag = readTag(tags.Fair);
  const none = { draws: [], given, skipped: 0, commitment: tag?.commitment ?? "", isFair: false };
  if (!tag) return { ...none, error: "no_tag" };
  const error = findError(tag, drawn.length);
  if (error) return { ...none, error };
  if (outcomes.length !== given + drawn.length) return { ...none, error: "indexes" };
  const secret = fromHex(tag.secret!);
  const draws = drawn.map((token, n) => checkDraw(secret, tag.nonces, tag.indexes[n]!, token, outcomes[given + n]!));
  const skipped = (tag.indexes.at(-1) ?? 0) - draws.length;
  return { ...none, error: null, draws, skipped, isFair: draws.every((draw) => draw.isFair) };
}
