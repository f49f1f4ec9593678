// Ratings: wire types and formatting.

import { botName } from "$app/lib/botNames";
import { i18n } from "$app/lib/i18n.svelte";

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

export interface PlayerProfile extends Subject {
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

/** Return the name of a player, or of a built-in bot with its time: `bot:flat:1s`. */
export function nameSubject({ id, name }: Subject): string {
  if (!id.startsWith("bot:")) return name;
  const [, kind = "", budget] = id.split(":");
  return budget ? `${botName(kind)} (${budget})` : botName(kind);
}

export function formatRating(rating: number): string {
  return new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rating);
}

/** Format the change of a rating with its sign. */
export function formatChange({ mu_before, mu_after }: Pick<Result, "mu_before" | "mu_after">): string {
  if (mu_before === null || mu_after === null) return "";
  const format = new Intl.NumberFormat(i18n.language, {
    signDisplay: "exceptZero",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return format.format(mu_after - mu_before);
}
