// The lists of tables on the home page, refreshed while the page is visible.

import { api } from "$app/net/api";
import { messageOf } from "$app/lib/notices.svelte";
import { session } from "$app/lib/session.svelte";
import type { Clock } from "$app/wire";

export interface ListedSeat {
  readonly seat: number;
  readonly name: string;
  readonly player: string | null;
  readonly bot: string | null;
}

export interface ListedResult {
  readonly points: number;
  /** The rank: 1 for winners; equal scores share the better rank. */
  readonly place: number;
}

export interface ListedTable {
  readonly id: string;
  readonly game: string;
  readonly options: readonly string[];
  readonly seats: number;
  readonly taken: readonly ListedSeat[];
  readonly status: string;
  /** The seats of people who must choose now. */
  readonly waiting: readonly number[];
  /** One per seat, once the game is over. */
  readonly results: readonly ListedResult[];
  readonly is_rated: boolean;
  readonly is_public: boolean;
  readonly clock: Clock | null;
  readonly created_at: number;
  readonly changed_at: number;
}

interface Listed {
  readonly items: readonly ListedTable[];
}

const REFRESH_MS = 8000;

/** Whether a table waits for *player*. */
export function isYourTurn(table: ListedTable, player: string): boolean {
  return table.taken.some(
    ({ seat, player: seated }) => seated !== null && seated === player && table.waiting.includes(seat),
  );
}

/** The result of a game from one player's side. */
export interface PersonalResult {
  readonly you: "won" | "shared" | "lost" | "watched";
  /** The seats of the other winners. */
  readonly winners: readonly number[];
  /** The player's rank; 0 for a spectator. */
  readonly place: number;
}

export function resultFor(
  { results, taken }: Pick<ListedTable, "results" | "taken">,
  player: string,
): PersonalResult | null {
  if (results.length === 0) return null;
  const own = taken.filter((seat) => player && seat.player === player);
  // With several seats at one device, the player's own one is not known.
  const ownSeat = own.length === 1 ? own[0]?.seat : undefined;
  const place = ownSeat === undefined ? 0 : (results[ownSeat]?.place ?? 0);
  const winners = results.flatMap((result, seat) => (result.place === 1 && seat !== ownSeat ? [seat] : []));
  const you = place === 0 ? "watched" : place > 1 ? "lost" : winners.length > 0 ? "shared" : "won";
  return { you, winners, place };
}

export class TableLists {
  mine = $state.raw<readonly ListedTable[]>([]);
  open = $state.raw<readonly ListedTable[]>([]);
  running = $state.raw<readonly ListedTable[]>([]);
  finished = $state.raw<readonly ListedTable[]>([]);
  isLoaded = $state(false);
  error = $state("");
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly refresh = (): void => void this.load();

  constructor() {
    this.timer = setInterval(this.refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", this.refresh);
    this.refresh();
  }

  close(): void {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.refresh);
  }

  async load(): Promise<void> {
    if (document.hidden) return;
    try {
      const [mine, open, running] = await Promise.all([
        session.user ? api<Listed>("GET", "/api/me/tables?limit=50") : { items: [] },
        api<Listed>("GET", "/api/tables?status=open&limit=50"),
        api<Listed>("GET", "/api/tables?status=running&limit=20"),
      ]);
      this.sort(mine.items, open.items, running.items);
      this.error = "";
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private sort(mine: readonly ListedTable[], open: readonly ListedTable[], running: readonly ListedTable[]): void {
    const own = new Set(mine.map((table) => table.id));
    const turn = (table: ListedTable): number => (isYourTurn(table, session.id) ? 0 : 1);
    this.mine = mine
      .filter((table) => table.status === "open" || table.status === "running")
      .toSorted((one, other) => turn(one) - turn(other));
    this.finished = mine.filter((table) => table.status === "over").slice(0, 5);
    this.open = open.filter((table) => !own.has(table.id));
    this.running = running.filter((table) => !own.has(table.id));
    this.isLoaded = true;
  }
}
