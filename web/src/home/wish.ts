// What somebody wants to play: how many, who sits where, how. Kept in this browser for the next time.

import { ask, newKey, newNonce, recall, remember } from "$app/lib/api";
import type { GameFacts } from "$app/lib/facts.svelte";
import { me } from "$app/lib/me.svelte";
import { say } from "$app/lib/words.svelte";
import type { Clock, Command, TableInfo } from "$app/wire";

export const CLOCKS: readonly (Clock | null)[] = [
  null,
  { move: 30, bank: 300 },
  { move: 120, bank: 600 },
  { move: 86_400, bank: 0 },
  { move: 259_200, bank: 0 },
];

/** A friend who is sent the link, somebody at this device, or the name of a bot. */
export type Other = string;
export const FRIEND: Other = "friend";
export const HERE: Other = "here";

export interface Wish {
  seats: number;
  /** Who sits on the seats after the first, which is one's own. */
  others: Other[];
  /** How those at this device are called. */
  names: string[];
  options: string[];
  /** Which of the clocks. */
  clock: number;
  isPublic: boolean;
  isRated: boolean;
  /** The text of an own component file; empty for the house set. */
  data: string;
}

/** The bot for who has not chosen one: quick, and a match for who has played a few times. */
export function usualBot(game: GameFacts): Other {
  const level = game.levels[1] ?? game.levels[0];
  if (level !== undefined) return level;
  return game.bots.findLast((bot) => !bot.includes(":")) ?? game.bots.at(-1) ?? FRIEND;
}

/** How many play if nobody says: two, and in games for many one more. */
export function usualSeats(game: GameFacts): number {
  return game.seats[Math.floor((game.seats.length - 1) / 4)] ?? 2;
}

/** Make a wish that can be played of one that was kept, perhaps by an older page. */
export function fitWish(game: GameFacts, kept: Partial<Wish>): Wish {
  const usual = { names: [], options: [], clock: 0, isPublic: false, isRated: false, data: "" };
  const wish = { ...usual, seats: usualSeats(game), others: [], ...kept };
  const known = [FRIEND, HERE, ...game.bots];
  const first = usualBot(game);
  const most = game.seats.at(-1) ?? 2;
  const others = Array.from({ length: most - 1 }, (_, n) => wish.others[n])
    .map((other) => (other !== undefined && known.includes(other) ? other : first))
    .map((other) => (wish.isRated && other === HERE ? FRIEND : other));
  return {
    ...wish,
    others,
    seats: game.seats.includes(wish.seats) ? wish.seats : usualSeats(game),
    options: wish.options.filter((name) => game.options.some((option) => option.name === name)),
    clock: CLOCKS[wish.clock] === undefined ? 0 : wish.clock,
  };
}

export const readWish = (game: GameFacts): Wish => fitWish(game, recall(`wish.${game.name}`, {}));

export function keepWish(game: GameFacts, wish: Wish): void {
  // An own box is large, and there to be chosen anew.
  remember(`wish.${game.name}`, { ...wish, data: "" });
}

/** A game against bots alone, as it was last set up: bots take the seats of people. */
export function quickWish(game: GameFacts, wish: Wish): Wish {
  const others = wish.others.map((other) => (game.bots.includes(other) ? other : usualBot(game)));
  return { ...wish, others, isPublic: false, isRated: false, clock: 0, data: "" };
}

/** The level of all bots of a game in one click; empty where they differ or are no level. */
export function levelOf(game: GameFacts, wish: Wish): Other {
  const [first = "", ...rest] = new Set(othersOf(quickWish(game, wish)));
  return rest.length === 0 && game.levels.includes(first) ? first : "";
}

/** Let bots of one level sit on all other seats. */
export const atLevel = (wish: Wish, level: Other): Wish => ({ ...wish, others: wish.others.map(() => level) });

export const othersOf = (wish: Wish): readonly Other[] => wish.others.slice(0, wish.seats - 1);
export const isInviting = (wish: Wish): boolean => othersOf(wish).includes(FRIEND);

/** The options that fit the number of players, in the order of the game. */
export function optionsOf(game: GameFacts, wish: Wish): string[] {
  return game.options
    .filter((option) => wish.options.includes(option.name) && option.seats.includes(wish.seats))
    .map((option) => option.name);
}

const doAt = (table: string, command: Command): Promise<unknown> =>
  ask("POST", `/api/tables/${table}/commands`, { key: newKey(), command });

/** Open a table, let everybody sit down who can, and begin if nobody is missing; `null` if not. */
export async function openTable(game: GameFacts, wish: Wish): Promise<string | null> {
  if (!(await me.comeIn())) return null;
  const { id } = await ask<TableInfo>("POST", "/api/tables", {
    game: game.name, seats: wish.seats, options: optionsOf(game, wish), clock: CLOCKS[wish.clock] ?? null,
    is_rated: wish.isRated, is_public: wish.isPublic, ...(wish.data.trim() ? { data: wish.data } : {}),
  });
  await doAt(id, { kind: "sit", seat: 0, nonce: newNonce() });
  for (const [n, other] of othersOf(wish).entries()) {
    const seat = n + 1;
    if (other === HERE) {
      const name = wish.names[n]?.trim() || say("player", { seat: seat + 1 });
      await doAt(id, { kind: "sit", seat, nonce: newNonce(), name });
    } else if (other !== FRIEND) await doAt(id, { kind: "seat_bot", seat, bot: other });
  }
  if (!isInviting(wish)) await doAt(id, { kind: "start" });
  return id;
}
