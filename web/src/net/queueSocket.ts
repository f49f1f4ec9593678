// A socket for matchmaking: it reports when the server offers a table, as docs/guide/protocol.md describes.

import { liveUrl, newKey } from "$app/net/api";
import type { Message } from "$app/wire";

export class QueueSocket {
  private socket: WebSocket | null = null;
  private heartbeatTimer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly onOffer: () => void) {}

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Open the socket, or open it again after its connection was lost. */
  open(): void {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(liveUrl());
    this.socket = socket;
    socket.onmessage = (event) => this.dispatch(JSON.parse(event.data as string) as Message);
    socket.onclose = () => {
      if (socket === this.socket) clearInterval(this.heartbeatTimer);
    };
  }

  close(): void {
    clearInterval(this.heartbeatTimer);
    this.socket?.close();
    this.socket = null;
  }

  private dispatch(message: Message): void {
    if (message.kind === "offered") this.onOffer();
    if (message.kind !== "welcome") return;
    clearInterval(this.heartbeatTimer);
    this.heartbeatTimer = setInterval(() => this.heartbeat(), (message.heartbeat * 1000) / 3);
  }

  // Servers close connections that stay silent.
  private heartbeat(): void {
    if (this.isOpen) this.socket?.send(JSON.stringify({ kind: "ping", key: newKey() }));
  }
}
