// Ratings as people read them.

import { nameBot } from "$app/lib/bots";
import { speech } from "$app/lib/words.svelte";

export interface Rating {
  readonly rating: number;
  readonly games: number;
  readonly wins: number;
}

export interface Subject {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

export interface Leader extends Rating, Subject {
  readonly rank: number;
}

export interface Profiled extends Subject {
  readonly ratings: readonly (Rating & {
    readonly game: string;
    readonly seats: number;
    readonly rank: number | null;
    readonly sigma: number;
  })[];
}

export interface Result {
  readonly table: string | null;
  readonly game: string;
  readonly seats: number;
  readonly rank: number;
  readonly score: number | null;
  readonly has_left: boolean;
  readonly mu_before: number | null;
  readonly mu_after: number | null;
  readonly at: number;
}

/** Name a player, or a bot of the house with how long it thinks: `bot:flat:1s`. */
export function nameSubject({ id, name }: Subject): string {
  if (!id.startsWith("bot:")) return name;
  const [, kind = "", budget] = id.split(":");
  return budget ? `${nameBot(kind)} (${budget})` : nameBot(kind);
}

export function showRating(rating: number): string {
  return new Intl.NumberFormat(speech.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rating);
}

/** Show by how much a rating moved, with its sign. */
export function showChange({ mu_before, mu_after }: Pick<Result, "mu_before" | "mu_after">): string {
  if (mu_before === null || mu_after === null) return "";
  const format = new Intl.NumberFormat(speech.language, { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return format.format(mu_after - mu_before);
}
