import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ear } from "$app/lib/ear";

class Wire {
  static readonly OPEN = 1;
  static made: Wire[] = [];
  readyState = 1;
  sent: string[] = [];
  onmessage: (event: { data: string }) => void = () => {};
  onclose: () => void = () => {};
  constructor(readonly address: string) {
    Wire.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  tell(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

beforeEach(() => {
  Wire.made = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("news of the queue is heard at once, and nothing else is news", () => {
  const news = vi.fn();
  new Ear(news).listen(true);
  Wire.made[0]!.tell({ kind: "welcome", now: 0, heartbeat: 30 });
  expect(news).not.toHaveBeenCalled();
  Wire.made[0]!.tell({ kind: "offered", table: null, has_bot: true });
  expect(news).toHaveBeenCalledOnce();
});

test("who listens already does not listen twice, and a lost connection is made anew", () => {
  const ear = new Ear(() => {});
  ear.listen(true);
  ear.listen(true);
  expect(Wire.made).toHaveLength(1);
  Wire.made[0]!.close();
  expect(ear.hears).toBe(false);
  ear.listen(true);
  expect(Wire.made).toHaveLength(2);
});

test("a listener shows that it is there until it listens no more", () => {
  const ear = new Ear(() => {});
  ear.listen(true);
  const wire = Wire.made[0]!;
  wire.tell({ kind: "welcome", now: 0, heartbeat: 30 });
  vi.advanceTimersByTime(20_500);
  expect(wire.sent).toHaveLength(2);
  ear.listen(false);
  vi.advanceTimersByTime(60_000);
  expect(wire.sent).toHaveLength(2);
  expect(wire.readyState).toBe(3);
});
