// Listens for news of the queue: the server tells it over the live connection, as docs/guide/protocol.md says.

import { newKey } from "$app/lib/api";
import type { Message } from "$app/wire";

export class Ear {
  private socket: WebSocket | null = null;
  private pulse: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly news: () => void) {}

  /** Whether news would be heard. */
  get hears(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Listen, or listen no more; a connection that was lost is made anew when this is called again. */
  listen(isWanted: boolean): void {
    if (!isWanted) return this.close();
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    this.socket = socket;
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as Message);
    socket.onclose = () => {
      if (socket === this.socket) clearInterval(this.pulse);
    };
  }

  private hear(message: Message): void {
    if (message.kind === "offered") this.news();
    if (message.kind !== "welcome") return;
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.beat(), (message.heartbeat * 1000) / 3);
  }

  // A server ends connections that are silent for long.
  private beat(): void {
    if (this.hears) this.socket?.send(JSON.stringify({ kind: "ping", key: newKey() }));
  }

  private close(): void {
    clearInterval(this.pulse);
    this.socket?.close();
    this.socket = null;
  }
}
