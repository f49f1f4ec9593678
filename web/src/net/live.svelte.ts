// The live connection of docs/guide/protocol.md: one socket follows one table. It reconnects by itself,
// resumes after the last `seq` it has seen, and sends unanswered requests again under their idempotency keys.

import { liveUrl, newKey, Refusal } from "$app/net/api";
import { afterPaint } from "$app/lib/afterPaint";
import type { Accepted, Command, Execute, Message, Request, SeatView, Snapshot, Update } from "$app/wire";

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/** After this time without an answer the connection counts as dead. */
const REQUEST_TIMEOUT_MS = 10_000;

interface PendingRequest {
  readonly request: Execute;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (refusal: Refusal) => void;
}

export class LiveConnection {
  state = $state.raw<Snapshot | null>(null);
  isConnected = $state(false);
  /** Why the server refuses to show the table, if it does. */
  error = $state("");
  isClosed = false;
  /** Whether this socket has received its snapshot; requests are sent only after it. */
  private hasSnapshot = false;
  private socket: WebSocket | null = null;
  private clockOffset = 0;
  private failures = 0;
  private lastMessageAt = 0;
  private heartbeatTimer: ReturnType<typeof setInterval> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly pending = new Map<string, PendingRequest>();
  /** Messages that wait until the browser has painted the last click. */
  private inbox: Message[] = [];
  private readonly listeners = new AbortController();

  constructor(readonly table: string) {
    const { signal } = this.listeners;
    addEventListener("online", this.restart, { signal });
    addEventListener("offline", this.onOffline, { signal });
    addEventListener("pageshow", this.reconnectNow, { signal });
    document.addEventListener("visibilitychange", this.reconnectNow, { signal });
    this.connect();
  }

  /** Return the server's time in seconds. */
  now(): number {
    return Date.now() / 1000 + this.clockOffset;
  }

  close(): void {
    this.isClosed = true;
    this.listeners.abort();
    clearTimeout(this.retryTimer);
    clearInterval(this.heartbeatTimer);
    this.socket?.close();
  }

  /** Replace the socket, after the session or the network has changed. */
  readonly restart = (): void => {
    const old = this.socket;
    this.connect();
    old?.close();
  };

  do(command: Command): Promise<Accepted> {
    const request: Execute = { kind: "do", key: newKey(), table: this.table, command };
    return new Promise((resolve, reject) => {
      this.pending.set(request.key, { request, resolve, reject });
      if (this.hasSnapshot) this.send(request);
      setTimeout(() => this.onTimeout(request.key), REQUEST_TIMEOUT_MS);
    });
  }

  private readonly reconnectNow = (): void => {
    if (!document.hidden && this.socket?.readyState === WebSocket.CLOSED) this.connect();
  };

  // A lost network closes no socket. The ping finds out whether the server still answers: it may run on this computer.
  private readonly onOffline = (): void => {
    this.isConnected = false;
    this.send({ kind: "ping", key: newKey() });
  };

  private onTimeout(key: string): void {
    if (!this.pending.has(key) || this.isClosed || !this.isConnected) return;
    this.onOffline();
    this.restart();
  }

  private connect(): void {
    clearTimeout(this.retryTimer);
    const socket = new WebSocket(liveUrl());
    this.socket = socket;
    this.inbox = [];
    this.hasSnapshot = false;
    socket.onmessage = (event) => {
      if (socket === this.socket && !this.isClosed) this.enqueue(JSON.parse(event.data as string) as Message);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.onClose();
    };
  }

  private onClose(): void {
    clearInterval(this.heartbeatTimer);
    this.isConnected = this.hasSnapshot = false;
    this.inbox = []; // the next connection sends all of it again
    if (this.isClosed) return;
    const delay = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** this.failures);
    this.failures += 1;
    // Exponential backoff with jitter: clients must not all return at the same moment when a server restarts.
    this.retryTimer = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2));
  }

  private send(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  private enqueue(message: Message): void {
    this.lastMessageAt = Date.now();
    if (message.kind === "welcome" || message.kind === "pong")
      this.clockOffset = message.now - this.lastMessageAt / 1000;
    if (this.hasSnapshot) this.isConnected = true;
    this.inbox.push(message);
    if (this.inbox.length === 1) afterPaint(() => this.dispatchAll());
  }

  private dispatchAll(): void {
    const messages = this.inbox;
    this.inbox = [];
    if (!this.isClosed) messages.forEach((message) => this.dispatch(message));
  }

  private dispatch(message: Message): void {
    switch (message.kind) {
      case "welcome":
        return this.onWelcome(message.heartbeat);
      case "snapshot":
        return this.onSnapshot(message);
      case "update":
        return this.onUpdate(message);
      case "present":
        if (this.state) this.state = { ...this.state, here: message.here, watching: message.watching };
        return;
      case "accepted":
        return this.settle(message.key, (pending) => pending.resolve(message));
      case "refused":
        if (message.key === null || !this.pending.has(message.key)) this.error = message.message;
        else this.settle(message.key, (pending) => pending.reject(new Refusal(message.code, message.message)));
        return;
      case "pong":
      case "offered": // for QueueSocket
        return;
      case "closing":
        this.failures = 0;
        this.socket?.close();
    }
  }

  private onWelcome(heartbeat: number): void {
    clearInterval(this.heartbeatTimer);
    this.heartbeatTimer = setInterval(() => this.heartbeat(heartbeat), (heartbeat * 1000) / 3);
    const since = this.state ? { since: this.state.seq } : {};
    this.send({ kind: "watch", key: newKey(), table: this.table, ...since });
  }

  // Closes a socket whose server is silent, even if the system has not noticed.
  private heartbeat(interval: number): void {
    if (Date.now() - this.lastMessageAt > interval * 1000) this.socket?.close();
    else this.send({ kind: "ping", key: newKey() });
  }

  private onSnapshot(snapshot: Snapshot): void {
    this.failures = 0;
    this.isConnected = this.hasSnapshot = true;
    this.error = "";
    this.state = snapshot;
    for (const { request } of this.pending.values()) this.send(request);
  }

  private onUpdate(update: Update): void {
    if (!this.state || update.seq <= this.state.seq) return;
    const { kind: _, info, views, ...changes } = update;
    this.state = { ...this.state, ...changes, info: info ?? this.state.info, views: merge(this.state.views, views) };
  }

  private settle(key: string, answer: (pending: PendingRequest) => void): void {
    const pending = this.pending.get(key);
    this.pending.delete(key);
    if (pending) answer(pending);
  }
}

/** Replace the views that an update contains; it omits the unchanged ones. */
function merge(known: readonly SeatView[], fresh: readonly SeatView[]): readonly SeatView[] {
  if (fresh.length === 0) return known;
  const seats = new Set(fresh.map((view) => view.seat));
  const views = [...known.filter((view) => !seats.has(view.seat)), ...fresh];
  return views.sort((one, other) => (one.seat ?? -1) - (other.seat ?? -1));
}
