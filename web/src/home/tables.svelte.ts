// The lists of tables, looked at again every few seconds while somebody looks at them.

import { ask } from "$app/lib/api";
import { me } from "$app/lib/me.svelte";
import type { Clock } from "$app/wire";

export interface ListedSeat {
  readonly seat: number;
  readonly name: string;
  readonly player: string | null;
  readonly bot: string | null;
}

export interface ListedResult {
  readonly points: number;
  /** 1 for who has won; equals share the better number. */
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
  /** One for each seat, once the game is over. */
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

const EVERY = 8000;

/** Whether a table waits for one of the seats of whoever looks. */
export function isYourTurn(table: ListedTable, player: string): boolean {
  return table.taken.some(({ seat, player: who }) => who !== null && who === player && table.waiting.includes(seat));
}

/** How a game has ended for whoever looks: they won alone or with others, or others did. */
export interface Verdict {
  readonly you: "won" | "shared" | "lost" | "watched";
  /** Who else has won, by seat. */
  readonly winners: readonly number[];
  /** The own place; 0 for who did not play. */
  readonly place: number;
}

export function judge({ results, taken }: Pick<ListedTable, "results" | "taken">, player: string): Verdict | null {
  if (results.length === 0) return null;
  const own = taken.filter((seat) => player && seat.player === player);
  // Who shared the device with others is told who won: the own seat is not known.
  const first = own.length === 1 ? own[0]?.seat : undefined;
  const place = first === undefined ? 0 : (results[first]?.place ?? 0);
  const winners = results.flatMap((result, seat) => (result.place === 1 && seat !== first ? [seat] : []));
  const you = place === 0 ? "watched" : place > 1 ? "lost" : winners.length > 0 ? "shared" : "won";
  return { you, winners, place };
}

export class Tables {
  mine = $state.raw<readonly ListedTable[]>([]);
  open = $state.raw<readonly ListedTable[]>([]);
  running = $state.raw<readonly ListedTable[]>([]);
  done = $state.raw<readonly ListedTable[]>([]);
  isRead = $state(false);
  trouble = $state("");
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly look = (): void => void this.read();

  constructor() {
    this.timer = setInterval(this.look, EVERY);
    document.addEventListener("visibilitychange", this.look);
    this.look();
  }

  close(): void {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.look);
  }

  async read(): Promise<void> {
    if (document.hidden) return;
    try {
      const [mine, open, running] = await Promise.all([
        me.who ? ask<Listed>("GET", "/api/me/tables?limit=50") : { items: [] },
        ask<Listed>("GET", "/api/tables?status=open&limit=50"),
        ask<Listed>("GET", "/api/tables?status=running&limit=20"),
      ]);
      this.sort(mine.items, open.items, running.items);
      this.trouble = "";
    } catch (trouble) {
      this.trouble = trouble instanceof Error ? trouble.message : String(trouble);
    }
  }

  private sort(mine: readonly ListedTable[], open: readonly ListedTable[], running: readonly ListedTable[]): void {
    const own = new Set(mine.map((table) => table.id));
    const turn = (table: ListedTable): number => (isYourTurn(table, me.id) ? 0 : 1);
    this.mine = mine
      .filter((table) => table.status === "open" || table.status === "running")
      .toSorted((one, other) => turn(one) - turn(other));
    this.done = mine.filter((table) => table.status === "over").slice(0, 5);
    this.open = open.filter((table) => !own.has(table.id));
    this.running = running.filter((table) => !own.has(table.id));
    this.isRead = true;
  }
}
