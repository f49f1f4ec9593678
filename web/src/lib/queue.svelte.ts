// Waiting for opponents near one's own strength, wherever in the app one is meanwhile.

import { ask, newNonce, recall, remember } from "$app/lib/api";
import { me } from "$app/lib/me.svelte";
import { announce, attempt } from "$app/lib/notices.svelte";
import { router } from "$app/lib/router.svelte";
import { Ear } from "$app/lib/ear";
import { chime } from "$app/lib/sound";
import { say } from "$app/lib/words.svelte";
import type { Clock } from "$app/wire";

export interface QueueState {
  readonly state: "idle" | "waiting" | "found" | "opening" | "matched";
  readonly game: string | null;
  readonly seats: number | null;
  readonly position: number | null;
  readonly waiting: number;
  readonly waited: number;
  /** Whether bots are offered, since nobody came. */
  readonly has_offer: boolean;
  readonly commitment: string | null;
  readonly table: string | null;
}

export interface QueueWish {
  readonly game: string;
  readonly seats: number;
  readonly options: readonly string[];
  readonly clock: Clock | null;
}

/** Who has not asked for thirty seconds loses the place; while news comes by itself that is enough. */
const SELDOM = 10_000;
/** Without a connection news is asked for: the nonce is waited for fifteen seconds. */
const OFTEN = 2500;

class Queue {
  now = $state.raw<QueueState | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nonce = "";
  private promised = "";
  private readonly ear = new Ear(() => void this.look());

  get isWaiting(): boolean {
    return this.now !== null && this.now.state !== "idle";
  }

  /** Go on waiting after the page was loaded anew. */
  resume(): void {
    if (me.who && recall("queue", false)) void attempt(() => this.follow("GET", "/api/queue"));
  }

  async join(wish: QueueWish): Promise<void> {
    if (await me.introduce()) await this.follow("POST", "/api/queue", wish);
  }

  async answer(accepts: boolean): Promise<void> {
    await this.follow("POST", "/api/queue/bot", { accepts });
  }

  async leave(): Promise<void> {
    await ask("DELETE", "/api/queue");
    this.take(null);
  }

  private async follow(method: string, path: string, body?: unknown): Promise<void> {
    clearTimeout(this.timer);
    this.take(await ask<QueueState>(method, path, body));
  }

  private take(state: QueueState | null): void {
    clearTimeout(this.timer);
    const wasOffered = this.now?.has_offer ?? false;
    this.now = state?.state === "idle" ? null : state;
    remember("queue", this.isWaiting);
    this.ear.listen(this.isWaiting && state?.state !== "matched");
    if (!state || !this.now) return;
    if (state.state === "matched") return this.arrive(state);
    if (state.has_offer && !wasOffered) announce(say("queue_offer"));
    if (state.state === "found") void attempt(() => this.add(state));
    this.lookLater();
  }

  private lookLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), this.ear.hears ? SELDOM : OFTEN);
  }

  private async look(): Promise<void> {
    try {
      await this.follow("GET", "/api/queue");
    } catch {
      // Lost for a moment: the place is kept for thirty seconds.
      this.lookLater();
    }
  }

  // What one adds to the draws is the same however often one must say it for the same table.
  private async add(state: QueueState): Promise<void> {
    if (this.promised !== state.commitment) this.nonce = newNonce();
    this.promised = state.commitment ?? "";
    await this.follow("POST", "/api/queue/nonce", { commitment: this.promised, nonce: this.nonce });
  }

  private arrive(state: QueueState): void {
    this.now = null;
    remember("queue", false);
    announce(say("queue_found"));
    chime();
    if (state.table) router.go(`/t/${state.table}`);
  }
}

export const queue = new Queue();
