// A game as a reel: every moment as one seat saw it, fetched in pieces when somebody looks there.

import { ask } from "$app/lib/api";
import type { Scene } from "$app/lib/board";
import { speech } from "$app/lib/words.svelte";
import type { Ended } from "$app/table/tally";
import type { Box, Position } from "$app/wire";

export interface Frame {
  /** After how many steps this is. */
  readonly step: number;
  readonly tokens: readonly { readonly seat: number | null; readonly token: string | null }[];
  readonly lines: readonly string[];
  readonly scenes: readonly Scene[];
  readonly position: Position;
  readonly legal: readonly string[];
  readonly scores: readonly number[];
}

export interface Reel {
  readonly steps: number;
  readonly undone: number;
  readonly frames: readonly Frame[];
}

export interface RecordReel extends Omit<Reel, "undone"> {
  readonly game: string;
  readonly seats: number;
  readonly options: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly box: Box;
  readonly is_over: boolean;
  /** How it came out, where it was played to the end. */
  readonly ending: Ended | null;
  /** What everybody could count at the start and after each step of the whole. */
  readonly scores: readonly (readonly number[])[];
}

/** Fetch a part of the game at a table; without *first* its last moment alone. */
export function readReel(table: string, seat: number | null, first?: number, limit = 50): Promise<Reel> {
  const query = new URLSearchParams({ language: speech.language, limit: String(limit) });
  if (seat !== null) query.set("seat", String(seat));
  if (first !== undefined) query.set("first", String(first));
  return ask<Reel>("GET", `/t/${table}/reel.json?${query}`);
}

/** Fetch a part of a recorded game; *data* is the component file of a box that is not the house's. */
export function playRecord(record: string, seat: number | null, first = 0, limit = 100, data: string | null = null): Promise<RecordReel> {
  return ask<RecordReel>("POST", "/page/reels", { record, seat, first, limit, data, language: speech.language });
}
