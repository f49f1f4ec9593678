// The setup of a new table: seats, opponents, options. This browser remembers the last one of each game.

import { api, loadLocal, newNonce, saveLocal, sendCommand } from "$app/net/api";
import type { GameInfo } from "$app/lib/pageData.svelte";
import { session } from "$app/lib/session.svelte";
import { say } from "$app/lib/i18n.svelte";
import type { Clock, TableInfo } from "$app/wire";

export const CLOCKS: readonly (Clock | null)[] = [
  null,
  { move: 30, bank: 300 },
  { move: 120, bank: 600 },
  { move: 86_400, bank: 0 },
  { move: 259_200, bank: 0 },
];

/** A friend who gets the link, a second player at this device, or the name of a bot. */
export type Opponent = string;
export const FRIEND: Opponent = "friend";
export const LOCAL_PLAYER: Opponent = "local";

export interface TableSetup {
  seats: number;
  /** The opponents; the user has the first seat. */
  opponents: Opponent[];
  /** The names of the players at this device. */
  names: string[];
  options: string[];
  /** An index of `CLOCKS`. */
  clock: number;
  isPublic: boolean;
  isRated: boolean;
  /** The text of a component file; empty for the house set. */
  data: string;
}

/** Choose the default bot: quick, and of middle strength. */
export function defaultBot(game: GameInfo): Opponent {
  const level = game.levels[1] ?? game.levels[0];
  if (level !== undefined) return level;
  return game.bots.findLast((bot) => !bot.includes(":")) ?? game.bots.at(-1) ?? FRIEND;
}

/** Choose the default number of seats: two, or three in games for many players. */
export function defaultSeats(game: GameInfo): number {
  return game.seats[Math.floor((game.seats.length - 1) / 4)] ?? 2;
}

/** Replace what is no longer valid in a saved setup. */
export function normalizeSetup(game: GameInfo, saved: Partial<TableSetup>): TableSetup {
  const defaults = { names: [], options: [], clock: 0, isPublic: false, isRated: false, data: "" };
  const setup = { ...defaults, seats: defaultSeats(game), opponents: [], ...saved };
  const known = [FRIEND, LOCAL_PLAYER, ...game.bots];
  const first = defaultBot(game);
  const most = game.seats.at(-1) ?? 2;
  const opponents = Array.from({ length: most - 1 }, (_, n) => setup.opponents[n])
    .map((other) => (other !== undefined && known.includes(other) ? other : first))
    .map((other) => (setup.isRated && other === LOCAL_PLAYER ? FRIEND : other));
  return {
    ...setup,
    opponents,
    seats: game.seats.includes(setup.seats) ? setup.seats : defaultSeats(game),
    options: setup.options.filter((name) => game.options.some((option) => option.name === name)),
    clock: CLOCKS[setup.clock] === undefined ? 0 : setup.clock,
  };
}

export const loadSetup = (game: GameInfo): TableSetup => normalizeSetup(game, loadLocal(`setup.${game.name}`, {}));

export function saveSetup(game: GameInfo, setup: TableSetup): void {
  // Component files are large; they are chosen each time.
  saveLocal(`setup.${game.name}`, { ...setup, data: "" });
}

/** Make the setup of a private game in which bots replace all people. */
export function botGameSetup(game: GameInfo, setup: TableSetup): TableSetup {
  const opponents = setup.opponents.map((other) => (game.bots.includes(other) ? other : defaultBot(game)));
  return { ...setup, opponents, isPublic: false, isRated: false, clock: 0, data: "" };
}

/** Return the common level of all bots; empty if they differ or have no level. */
export function commonBotLevel(game: GameInfo, setup: TableSetup): Opponent {
  const [first = "", ...rest] = new Set(opponentsOf(botGameSetup(game, setup)));
  return rest.length === 0 && game.levels.includes(first) ? first : "";
}

/** Make all opponents bots of one level. */
export const withBotLevel = (setup: TableSetup, level: Opponent): TableSetup => ({
  ...setup,
  opponents: setup.opponents.map(() => level),
});

export const opponentsOf = (setup: TableSetup): readonly Opponent[] => setup.opponents.slice(0, setup.seats - 1);
export const needsInvite = (setup: TableSetup): boolean => opponentsOf(setup).includes(FRIEND);

/** List the chosen options that fit the number of seats. */
export function fittingOptions(game: GameInfo, setup: TableSetup): string[] {
  return game.options
    .filter((option) => setup.options.includes(option.name) && option.seats.includes(setup.seats))
    .map((option) => option.name);
}

/** Open a table, fill its seats, and start unless a friend is missing; `null` without a session. */
export async function openTable(game: GameInfo, setup: TableSetup): Promise<string | null> {
  if (!(await session.start())) return null;
  const { id } = await api<TableInfo>("POST", "/api/tables", {
    game: game.name,
    seats: setup.seats,
    options: fittingOptions(game, setup),
    clock: CLOCKS[setup.clock] ?? null,
    is_rated: setup.isRated,
    is_public: setup.isPublic,
    ...(setup.data.trim() ? { data: setup.data } : {}),
  });
  await sendCommand(id, { kind: "sit", seat: 0, nonce: newNonce() });
  for (const [n, other] of opponentsOf(setup).entries()) {
    const seat = n + 1;
    if (other === LOCAL_PLAYER) {
      const name = setup.names[n]?.trim() || say("player", { seat: seat + 1 });
      await sendCommand(id, { kind: "sit", seat, nonce: newNonce(), name });
    } else if (other !== FRIEND) await sendCommand(id, { kind: "seat_bot", seat, bot: other });
  }
  if (!needsInvite(setup)) await sendCommand(id, { kind: "start" });
  return id;
}
