// Games in segments: the frames of consecutive steps, as one seat sees them.

import { api } from "$app/net/api";
import type { Scene } from "$app/lib/board";
import { i18n } from "$app/lib/i18n.svelte";
import type { Ending } from "$app/table/scoreSheet";
import type { Box, Position } from "$app/wire";

export interface Frame {
  /** The number of steps before this position. */
  readonly step: number;
  readonly tokens: readonly { readonly seat: number | null; readonly token: string | null }[];
  readonly lines: readonly string[];
  readonly scenes: readonly Scene[];
  readonly position: Position;
  readonly legal: readonly string[];
  readonly scores: readonly number[];
}

export interface GameSegment {
  readonly steps: number;
  readonly frames: readonly Frame[];
}

export interface RecordSegment extends GameSegment {
  readonly game: string;
  readonly seats: number;
  readonly options: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly box: Box;
  readonly is_over: boolean;
  readonly ending: Ending | null;
  /** The public scores at the start and after each step of the whole game. */
  readonly scores: readonly (readonly number[])[];
}

/** Load a segment of the game at a table; without *first* its last frame alone. */
export function readSegment(table: string, seat: number | null, first?: number, limit = 50): Promise<GameSegment> {
  const query = new URLSearchParams({ language: i18n.language, limit: String(limit) });
  if (seat !== null) query.set("seat", String(seat));
  if (first !== undefined) query.set("first", String(first));
  return api<GameSegment>("GET", `/t/${table}/playback.json?${query}`);
}

/** Load a segment of a record; *data* is the component file if the box is not the house set. */
export function readRecordSegment(
  record: string,
  seat: number | null,
  first = 0,
  limit = 100,
  data: string | null = null,
): Promise<RecordSegment> {
  return api<RecordSegment>("POST", "/page/playbacks", { record, seat, first, limit, data, language: i18n.language });
}
