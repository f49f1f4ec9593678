// The live connection, as docs/guide/protocol.md tells: one socket, one table. It comes back by
// itself, goes on after the last line seen, and sends unanswered requests again under their keys.

import { newKey, Refusal } from "$app/lib/api";
import { afterPaint } from "$app/lib/paint";
import type { Accepted, Command, Do, Message, Request, SeatView, Snapshot, Update } from "$app/wire";

const SHORTEST = 500;
const LONGEST = 15_000;
/** Milliseconds after which a request without an answer shows that nobody hears us. */
const PATIENCE = 10_000;

interface Waiting {
  readonly request: Do;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (refusal: Refusal) => void;
}

export class Live {
  state = $state.raw<Snapshot | null>(null);
  isThere = $state(false);
  /** Whether this connection has shown the table: then requests can be sent. */
  private hasBegun = false;
  /** Why the table cannot be followed, if it cannot. */
  trouble = $state("");
  private socket: WebSocket | null = null;
  private offset = 0;
  private failures = 0;
  private heard = 0;
  isClosed = false;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly pending = new Map<string, Waiting>();
  /** What has come and waits until what was clicked before is painted. */
  private inbox: Message[] = [];
  private readonly hurry = (): void => {
    if (!document.hidden && this.socket?.readyState === WebSocket.CLOSED) this.connect();
  };
  // A network that is gone closes nothing: the old connection may never hear of it.
  private readonly doubt = (): void => {
    this.isThere = false;
    this.send({ kind: "ping", key: newKey() }); // this computer may be the server
  };

  constructor(readonly table: string) {
    addEventListener("online", this.restart);
    addEventListener("offline", this.doubt);
    addEventListener("pageshow", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.connect();
  }

  /** The server's time in seconds. */
  now(): number {
    return Date.now() / 1000 + this.offset;
  }

  close(): void {
    this.isClosed = true;
    removeEventListener("online", this.restart);
    removeEventListener("offline", this.doubt);
    removeEventListener("pageshow", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    this.socket?.close();
  }

  /** Come in anew: as who one has become, or over a network that is back. */
  readonly restart = (): void => {
    const old = this.socket;
    this.connect();
    old?.close();
  };

  do(command: Command): Promise<Accepted> {
    const request: Do = { kind: "do", key: newKey(), table: this.table, command };
    return new Promise((resolve, reject) => {
      this.pending.set(request.key, { request, resolve, reject });
      if (this.hasBegun) this.send(request);
      setTimeout(() => this.worry(request.key), PATIENCE);
    });
  }

  private worry(key: string): void {
    if (!this.pending.has(key) || this.isClosed || !this.isThere) return;
    this.doubt();
    this.restart();
  }

  private connect(): void {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/live`);
    this.socket = socket;
    this.inbox = [];
    this.hasBegun = false;
    socket.onmessage = (event) => {
      if (socket === this.socket && !this.isClosed) this.take(JSON.parse(event.data as string) as Message);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lose();
    };
  }

  private lose(): void {
    clearInterval(this.pulse);
    this.isThere = this.hasBegun = false;
    this.inbox = []; // all of it is told again, or answered again, on the next connection
    if (this.isClosed) return;
    const wait = Math.min(LONGEST, SHORTEST * 2 ** this.failures);
    this.failures += 1;
    // Not all at the same moment when a server comes back.
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random() / 2));
  }

  private send(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  private take(message: Message): void {
    this.heard = Date.now();
    if (message.kind === "welcome" || message.kind === "pong") this.offset = message.now - this.heard / 1000;
    if (this.hasBegun) this.isThere = true;
    this.inbox.push(message);
    if (this.inbox.length === 1) afterPaint(() => this.read());
  }

  private read(): void {
    const come = this.inbox;
    this.inbox = [];
    if (!this.isClosed) come.forEach((message) => this.hear(message));
  }

  private hear(message: Message): void {
    switch (message.kind) {
      case "welcome":
        return this.greet(message.heartbeat);
      case "snapshot":
        return this.begin(message);
      case "update":
        return this.change(message);
      case "present":
        if (this.state) this.state = { ...this.state, here: message.here, watching: message.watching };
        return;
      case "accepted":
        return this.settle(message.key, (waiting) => waiting.resolve(message));
      case "refused":
        if (message.key === null || !this.pending.has(message.key)) this.trouble = message.message;
        else this.settle(message.key, (waiting) => waiting.reject(new Refusal(message.code, message.message)));
        return;
      case "pong":
        return;
      case "closing":
        this.failures = 0;
        this.socket?.close();
    }
  }

  private greet(heartbeat: number): void {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.beat(heartbeat), (heartbeat * 1000) / 3);
    const since = this.state ? { since: this.state.seq } : {};
    this.send({ kind: "watch", key: newKey(), table: this.table, ...since });
  }

  // A silent server is gone, even where the system has not noticed yet.
  private beat(heartbeat: number): void {
    if (Date.now() - this.heard > heartbeat * 1000) this.socket?.close();
    else this.send({ kind: "ping", key: newKey() });
  }

  private begin(snapshot: Snapshot): void {
    this.failures = 0;
    this.isThere = this.hasBegun = true;
    this.trouble = "";
    this.state = snapshot;
    for (const { request } of this.pending.values()) this.send(request);
  }

  private change(update: Update): void {
    if (!this.state || update.seq <= this.state.seq) return;
    const { kind: _, info, views, ...told } = update;
    this.state = { ...this.state, ...told, info: info ?? this.state.info, views: merge(this.state.views, views) };
  }

  private settle(key: string, answer: (waiting: Waiting) => void): void {
    const waiting = this.pending.get(key);
    this.pending.delete(key);
    if (waiting) answer(waiting);
  }
}

/** Only what has changed is sent: the other views are as they were. */
function merge(known: readonly SeatView[], fresh: readonly SeatView[]): readonly SeatView[] {
  if (fresh.length === 0) return known;
  const seats = new Set(fresh.map((view) => view.seat));
  const views = [...known.filter((view) => !seats.has(view.seat)), ...fresh];
  return views.sort((one, other) => (one.seat ?? -1) - (other.seat ?? -1));
}
