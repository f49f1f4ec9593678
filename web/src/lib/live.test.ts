import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Live } from "./live.svelte";

class Wire {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static readonly all: Wire[] = [];
  readyState = Wire.OPEN;
  readonly sent: string[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    Wire.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = Wire.CLOSED;
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  die(): void {
    this.close();
    this.onclose?.();
  }
}

const WELCOME = { kind: "welcome", now: 0, heartbeat: 30 };
const SNAPSHOT = { kind: "snapshot", seq: 3, views: [], here: [], info: {} };
let frames: (() => void)[] = [];

function paint(): void {
  frames.splice(0).forEach((run) => run());
  vi.advanceTimersByTime(0);
}

const opened: Live[] = [];

function open(): [Live, Wire] {
  const live = new Live("t");
  opened.push(live);
  return [live, Wire.all[0]!];
}

/** Come in and see the table. */
function follow(views: readonly unknown[] = []): [Live, Wire] {
  const [live, wire] = open();
  wire.say({ ...SNAPSHOT, views });
  paint();
  return [live, wire];
}

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  Wire.all.length = 0;
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
});
afterEach(() => {
  opened.splice(0).forEach((live) => live.close());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what comes is worked in after the next frame, in order", () => {
  const [live, wire] = open();
  wire.say(WELCOME);
  wire.say(SNAPSHOT);
  wire.say({ kind: "update", seq: 4, views: [], lines: [] });
  expect(live.state).toBeNull();
  paint();
  expect(live.isThere).toBe(true);
  expect(live.state?.seq).toBe(4);
});

test("a snapshot that came just before the connection was lost does not bring it back", () => {
  const [live, wire] = open();
  wire.say(WELCOME);
  paint();
  wire.say(SNAPSHOT);
  wire.die();
  paint();
  expect(live.isThere).toBe(false);
});

test("an answer that was lost with its connection is asked for again under the same key", () => {
  const [live, wire] = follow();
  void live.do({ kind: "start" });
  const [asked] = wire.sent;
  wire.say({ kind: "accepted", key: (JSON.parse(asked!) as { key: string }).key, seq: 4 });
  wire.die();
  vi.advanceTimersByTime(1000);
  const next = Wire.all[1]!;
  next.say(SNAPSHOT);
  paint();
  expect(next.sent).toContain(asked);
});

test("the server's time is that of the moment when it was told", () => {
  const [live, wire] = open();
  wire.say({ kind: "pong", now: Date.now() / 1000 });
  vi.advanceTimersByTime(100);
  expect(live.now()).toBeCloseTo(Date.now() / 1000, 3);
});

test("a network that is gone is told at once, and whoever is heard is there", () => {
  const [live, wire] = follow();
  dispatchEvent(new Event("offline"));
  expect(live.isThere).toBe(false);
  wire.say({ kind: "pong", now: 0 });
  expect(live.isThere).toBe(true);
  dispatchEvent(new Event("offline"));
  dispatchEvent(new Event("online"));
  Wire.all[1]!.say(SNAPSHOT);
  paint();
  expect(live.isThere).toBe(true);
});

test("who gets no answer for long comes in anew and asks again", () => {
  const [live, wire] = follow();
  void live.do({ kind: "start" });
  vi.advanceTimersByTime(9_000);
  expect([live.isThere, Wire.all.length]).toEqual([true, 1]);
  vi.advanceTimersByTime(1_000);
  expect([live.isThere, Wire.all.length]).toEqual([false, 2]);
  Wire.all[1]!.say(SNAPSHOT);
  paint();
  expect(Wire.all[1]!.sent).toContain(wire.sent[0]);
});

test("talk leaves the views as they are", () => {
  const [live, wire] = follow([{ seat: 1, legal: [] }]);
  const before = live.state?.views;
  wire.say({ kind: "update", seq: 4, views: [], lines: [] });
  paint();
  expect(live.state?.seq).toBe(4);
  expect(live.state?.views).toBe(before);
});
