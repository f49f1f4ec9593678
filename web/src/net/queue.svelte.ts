// Matchmaking: waits for opponents of similar strength while the user goes on using the app.

import { api, newNonce, loadLocal, saveLocal } from "$app/net/api";
import { session } from "$app/lib/session.svelte";
import { announce, attempt } from "$app/lib/notices.svelte";
import { router } from "$app/lib/router.svelte";
import { QueueSocket } from "$app/net/queueSocket";
import { chime } from "$app/playback/sound";
import { say } from "$app/lib/i18n.svelte";
import type { Clock } from "$app/wire";

export interface QueueState {
  readonly state: "idle" | "waiting" | "found" | "opening" | "matched";
  readonly game: string | null;
  readonly seats: number | null;
  readonly position: number | null;
  readonly waiting: number;
  readonly waited: number;
  /** Whether bots are offered, since no opponent came. */
  readonly has_offer: boolean;
  readonly commitment: string | null;
  readonly table: string | null;
}

export interface SeekRequest {
  readonly game: string;
  readonly seats: number;
  readonly options: readonly string[];
  readonly clock: Clock | null;
}

/** The server drops a seek that was not polled for thirty seconds; an open socket reports offers. */
const POLL_MS_WITH_SOCKET = 10_000;
/** Without a socket the poll must find an offer within the fifteen seconds that the nonce is waited for. */
const POLL_MS_WITHOUT_SOCKET = 2500;

class Queue {
  now = $state.raw<QueueState | null>(null);
  private pollTimer: ReturnType<typeof setTimeout> | undefined;
  private nonce = "";
  private commitment = "";
  private readonly socket = new QueueSocket(() => void this.poll());

  get isWaiting(): boolean {
    return this.now !== null && this.now.state !== "idle";
  }

  /** Go on waiting after the page was reloaded. */
  resume(): void {
    if (session.user && loadLocal("queue", false)) void attempt(() => this.send("GET", "/api/queue"));
  }

  async join(seek: SeekRequest): Promise<void> {
    if (await session.ensure()) await this.send("POST", "/api/queue", seek);
  }

  async answerBotOffer(accepts: boolean): Promise<void> {
    await this.send("POST", "/api/queue/bot", { accepts });
  }

  async leave(): Promise<void> {
    await api("DELETE", "/api/queue");
    this.update(null);
  }

  private async send(method: string, path: string, body?: unknown): Promise<void> {
    clearTimeout(this.pollTimer);
    this.update(await api<QueueState>(method, path, body));
  }

  private update(state: QueueState | null): void {
    clearTimeout(this.pollTimer);
    const hadOffer = this.now?.has_offer ?? false;
    this.now = state?.state === "idle" ? null : state;
    saveLocal("queue", this.isWaiting);
    if (this.isWaiting && state?.state !== "matched") this.socket.open();
    else this.socket.close();
    if (!state || !this.now) return;
    if (state.state === "matched") return this.goToTable(state);
    if (state.has_offer && !hadOffer) announce(say("queue_offer"));
    if (state.state === "found") void attempt(() => this.sendNonce(state));
    this.pollLater();
  }

  private pollLater(): void {
    clearTimeout(this.pollTimer);
    const delay = this.socket.isOpen ? POLL_MS_WITH_SOCKET : POLL_MS_WITHOUT_SOCKET;
    this.pollTimer = setTimeout(() => void this.poll(), delay);
  }

  private async poll(): Promise<void> {
    try {
      await this.send("GET", "/api/queue");
    } catch {
      this.pollLater(); // the server keeps the seek for thirty seconds
    }
  }

  // One commitment gets one nonce, however often it must be sent.
  private async sendNonce(state: QueueState): Promise<void> {
    if (this.commitment !== state.commitment) this.nonce = newNonce();
    this.commitment = state.commitment ?? "";
    await this.send("POST", "/api/queue/nonce", { commitment: this.commitment, nonce: this.nonce });
  }

  private goToTable(state: QueueState): void {
    this.now = null;
    saveLocal("queue", false);
    announce(say("queue_found"));
    chime();
    if (state.table) router.go(`/t/${state.table}`);
  }
}

export const queue = new Queue();
