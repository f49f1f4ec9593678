// A WebSocket for tests: records what is sent, and delivers messages on demand.

export class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static readonly all: FakeSocket[] = [];
  readyState = FakeSocket.OPEN;
  readonly sent: string[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  /** Deliver a message from the server. */
  deliver(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Lose the connection. */
  drop(): void {
    this.close();
    this.onclose?.();
  }
}
