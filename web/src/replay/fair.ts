// Makes every draw of a record again, as docs/fairness.md tells, here in the browser: the server is
// asked what could have come, but whether it came rightly is found out without it.

import { isDraw, readRecord } from "$app/replay/record";
import { fromHex, hmac, sha256, toHex } from "$app/replay/sha256";

/** What could have come in one draw: tokens with their weights, in the order of the game. */
export type Outcomes = readonly (readonly [token: string, weight: number])[];

export interface Checked {
  /** The number the draw had; none is used twice. */
  readonly index: number;
  readonly token: string;
  /** What should have come. */
  readonly due: string;
  readonly isFair: boolean;
  /** The sum of the weights, and the place among them that was drawn. */
  readonly total: bigint;
  readonly place: bigint;
}

/** Why the draws of a record cannot be checked: they tell no secret, another one, or do not fit. */
export type Trouble = "no_tag" | "no_secret" | "commitment" | "index_again" | "indexes";

export interface Verdict {
  readonly trouble: Trouble | null;
  readonly draws: readonly Checked[];
  /** Draws that were given with the beginning of the game, and so follow from no secret. */
  readonly given: number;
  /** Draws that were taken back by consent: their numbers are passed over. */
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

const SPAN = 1n << 64n;
const FORM = /^1 commitment=([0-9a-f]{64})(?: secret=([0-9a-f]{64}))? nonces=([0-9a-f,-]+) draws=([0-9,-]+)$/;
/** More draws than any game has; a tag that claims more is not worth reading. */
const MOST = 100_000;

/** Choose a whole number below *total*, all equally likely. */
export function below(secret: Uint8Array, nonces: string, index: number, total: bigint): bigint {
  const limit = (SPAN / total) * total;
  for (let attempt = 0; ; attempt += 1) {
    const message = new TextEncoder().encode(`pleasance:1:${nonces}:${index}:${attempt}`);
    const number = BigInt(`0x${toHex(hmac(secret, message).subarray(0, 8))}`);
    if (number < limit) return number % total;
  }
}

function checkDraw(secret: Uint8Array, nonces: string, index: number, token: string, outcomes: Outcomes): Checked {
  const total = outcomes.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
  const place = below(secret, nonces, index, total);
  let left = place;
  const due = outcomes.find(([, weight]) => (left -= BigInt(weight)) < 0n)?.[0] ?? "";
  return { index, token, due, isFair: due === token, total, place };
}

/** Read runs of numbers, `1-40,45-132`; `null` where they cannot be read. */
export function readRuns(text: string): number[] | null {
  const found: number[] = [];
  for (const run of text === "-" ? [] : text.split(",")) {
    const match = /^([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?$/.exec(run);
    const [first, last] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
    if (!match || last < first || found.length + last - first > MOST) return null;
    for (let index = first; index <= last; index += 1) found.push(index);
  }
  return found;
}

function readTag(text: string | undefined): Tag | null {
  const match = FORM.exec(text ?? "");
  const indexes = match && readRuns(match[4]!);
  return indexes ? { commitment: match[1]!, secret: match[2], nonces: match[3]!, indexes } : null;
}

function findTrouble(tag: Tag, draws: number): Trouble | null {
  if (tag.secret === undefined) return "no_secret";
  if (toHex(sha256(fromHex(tag.secret))) !== tag.commitment) return "commitment";
  if (tag.indexes.some((index, n) => n > 0 && index <= tag.indexes[n - 1]!)) return "index_again";
  return tag.indexes.length === draws ? null : "indexes";
}

/** Check all draws of a record; *weights* tell what could have come in each of them. */
export function checkRecord(text: string, weights: readonly Outcomes[]): Verdict {
  const { tags, tokens } = readRecord(text);
  const opening = /^[0-9]{1,6}$/.test(tags.Opening ?? "") ? Number(tags.Opening) : 0;
  const given = tokens.slice(0, opening).filter(isDraw).length;
  const drawn = tokens.slice(opening).filter(isDraw);
  const tag = readTag(tags.Fair);
  const none = { draws: [], given, skipped: 0, commitment: tag?.commitment ?? "", isFair: false };
  if (!tag) return { ...none, trouble: "no_tag" };
  const trouble = findTrouble(tag, drawn.length);
  if (trouble) return { ...none, trouble };
  if (weights.length !== given + drawn.length) return { ...none, trouble: "indexes" };
  const secret = fromHex(tag.secret!);
  const draws = drawn.map((token, n) => checkDraw(secret, tag.nonces, tag.indexes[n]!, token, weights[given + n]!));
  const skipped = (tag.indexes.at(-1) ?? 0) - draws.length;
  return { ...none, trouble: null, draws, skipped, isFair: draws.every((draw) => draw.isFair) };
}
