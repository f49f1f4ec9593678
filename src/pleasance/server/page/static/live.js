// The live connection, as docs/guide/protocol.md tells: one socket, one table. It comes back by
// itself, goes on after the last line seen, and sends unanswered requests again under their keys.

import { Refusal, newKey } from "./api.js";

const SHORTEST = 500;
const LONGEST = 15_000;

export class Live {
  constructor(table, { onState, onPresent, onNetwork, onTrouble }) {
    this.table = table;
    this.state = null;
    this.player = "";
    this.offset = 0;
    this.pending = new Map();
    this.failures = 0;
    Object.assign(this, { onState, onPresent, onNetwork, onTrouble });
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    this.connect();
  }

  // The server's time in seconds.
  now() {
    return Date.now() / 1000 + this.offset;
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/live`);
    this.socket = socket;
    this.isReady = false;
    socket.onmessage = (event) => {
      if (socket === this.socket) this.hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lose();
    };
  }

  // Comes in anew, as who one has become.
  restart() {
    const old = this.socket;
    this.connect();
    old.close();
  }

  hurry() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  lose() {
    clearInterval(this.pulse);
    this.isReady = false;
    this.onNetwork(false);
    const wait = Math.min(LONGEST, SHORTEST * 2 ** this.failures);
    this.failures += 1;
    // Not all at the same moment when a server comes back.
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random() / 2));
  }

  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  do(command) {
    const request = { kind: "do", key: newKey(), table: this.table, command };
    return new Promise((resolve, reject) => {
      this.pending.set(request.key, { request, resolve, reject });
      if (this.isReady) this.send(request);
    });
  }

  hear(message) {
    this.heard = Date.now();
    const handle = this[`on_${message.kind}`];
    if (handle) handle.call(this, message);
  }

  on_welcome({ player, heartbeat, now }) {
    this.player = player;
    this.offset = now - Date.now() / 1000;
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.beat(heartbeat), (heartbeat * 1000) / 3);
    const watch = { kind: "watch", key: newKey(), table: this.table };
    if (this.state) watch.since = this.state.seq;
    this.send(watch);
  }

  // A silent server is gone, even where the system has not noticed yet.
  beat(heartbeat) {
    if (Date.now() - this.heard > heartbeat * 1000) this.socket.close();
    else this.send({ kind: "ping", key: newKey() });
  }

  on_snapshot(message) {
    this.failures = 0;
    this.isReady = true;
    this.state = message;
    this.onNetwork(true);
    this.onState(this.state);
    for (const { request } of this.pending.values()) this.send(request);
  }

  on_update(message) {
    if (!this.state || message.seq <= this.state.seq) return;
    const info = message.info ?? this.state.info;
    // Only what has changed is sent: the other views are as they were.
    const fresh = new Set(message.views.map((view) => view.seat));
    const views = [...this.state.views.filter((view) => !fresh.has(view.seat)), ...message.views];
    views.sort((one, other) => one.seat - other.seat);
    this.state = { ...this.state, ...message, info, views };
    this.onState(this.state);
  }

  on_present({ here, watching }) {
    if (!this.state) return;
    Object.assign(this.state, { here, watching });
    this.onPresent(this.state);
  }

  on_accepted(message) {
    this.pending.get(message.key)?.resolve(message);
    this.pending.delete(message.key);
  }

  on_refused(message) {
    const waiting = this.pending.get(message.key);
    if (waiting) waiting.reject(new Refusal(message));
    else this.onTrouble(message);
    this.pending.delete(message.key);
  }

  on_pong({ now }) {
    this.offset = now - Date.now() / 1000;
  }

  on_closing() {
    this.failures = 0;
    this.socket.close();
  }
}
