// Times as people read them.

import type { Clock } from "$app/wire";
import { say } from "$app/lib/words.svelte";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const pad = (number: number): string => String(number).padStart(2, "0");

/** Show how long is left: `2:05`, `1:02:05`, or days and hours. */
export function showTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor((whole % DAY) / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  if (whole >= DAY) return say("time.short_days", { days: Math.floor(whole / DAY), hours });
  if (whole >= HOUR) return `${hours}:${pad(minutes)}:${pad(whole % MINUTE)}`;
  return `${minutes}:${pad(whole % MINUTE)}`;
}

const UNITS = [["days", DAY], ["hours", HOUR], ["minutes", MINUTE], ["seconds", 1]] as const;

function sayTime(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? UNITS[3];
  return say(`time.${unit}`, { n: Math.round(seconds / size) });
}

/** Say how long one may think. */
export function sayClock(clock: Clock | null): string {
  if (!clock) return say("clock.none");
  return say("clock.some", { move: sayTime(clock.move), bank: clock.bank > 0 ? sayTime(clock.bank) : "none" });
}
