// Times and clocks in words.

import type { Clock } from "$app/wire";
import { i18n, say } from "$app/lib/i18n.svelte";

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const pad = (number: number): string => String(number).padStart(2, "0");

/** Format a remaining time: `2:05`, `1:02:05`, or days and hours. */
export function formatTime(seconds: number): string {
  const total = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor((total % DAY_S) / HOUR_S), Math.floor((total % HOUR_S) / MINUTE_S)];
  if (total >= DAY_S) return say("time.short_days", { days: Math.floor(total / DAY_S), hours });
  if (total >= HOUR_S) return `${hours}:${pad(minutes)}:${pad(total % MINUTE_S)}`;
  return `${minutes}:${pad(total % MINUTE_S)}`;
}

const UNITS = [
  ["days", DAY_S],
  ["hours", HOUR_S],
  ["minutes", MINUTE_S],
  ["seconds", 1],
] as const;

function describeDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? UNITS[3];
  return say(`time.${unit}`, { n: Math.round(seconds / size) });
}

/** Describe the time control of a table. */
export function describeClock(clock: Clock | null): string {
  if (!clock) return say("clock.none");
  return say("clock.some", {
    move: describeDuration(clock.move),
    bank: clock.bank > 0 ? describeDuration(clock.bank) : "none",
  });
}

export const formatDay = (at: number): string =>
  new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium" }).format(new Date(at * 1000));
