import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "./fakeSocket";
import { LiveConnection } from "./live.svelte";

const WELCOME = { kind: "welcome", now: 0, heartbeat: 30 };
const SNAPSHOT = { kind: "snapshot", seq: 3, views: [], here: [], info: {} };
let frames: (() => void)[] = [];

function paint(): void {
  frames.splice(0).forEach((run) => run());
  vi.advanceTimersByTime(0);
}

const opened: LiveConnection[] = [];

function open(): [LiveConnection, FakeSocket] {
  const live = new LiveConnection("t");
  opened.push(live);
  return [live, FakeSocket.all[0]!];
}

/** Connect and receive the snapshot. */
function follow(views: readonly unknown[] = []): [LiveConnection, FakeSocket] {
  const [live, socket] = open();
  socket.deliver({ ...SNAPSHOT, views });
  paint();
  return [live, socket];
}

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  FakeSocket.all.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
});
afterEach(() => {
  opened.splice(0).forEach((live) => live.close());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("messages are handled in order after the next frame", () => {
  const [live, socket] = open();
  socket.deliver(WELCOME);
  socket.deliver(SNAPSHOT);
  socket.deliver({ kind: "update", seq: 4, views: [], lines: [] });
  expect(live.state).toBeNull();
  paint();
  expect(live.isConnected).toBe(true);
  expect(live.state?.seq).toBe(4);
});

test("a snapshot received just before a disconnection does not count as connected", () => {
  const [live, socket] = open();
  socket.deliver(WELCOME);
  paint();
  socket.deliver(SNAPSHOT);
  socket.drop();
  paint();
  expect(live.isConnected).toBe(false);
});

test("a request without an answer is sent again under the same key", () => {
  const [live, socket] = follow();
  void live.do({ kind: "start" });
  const [asked] = socket.sent;
  socket.deliver({ kind: "accepted", key: (JSON.parse(asked!) as { key: string }).key, seq: 4 });
  socket.drop();
  vi.advanceTimersByTime(1000);
  const next = FakeSocket.all[1]!;
  next.deliver(SNAPSHOT);
  paint();
  expect(next.sent).toContain(asked);
});

test("the server's time counts from the moment of the message", () => {
  const [live, socket] = open();
  socket.deliver({ kind: "pong", now: Date.now() / 1000 });
  vi.advanceTimersByTime(100);
  expect(live.now()).toBeCloseTo(Date.now() / 1000, 3);
});

test("an offline network disconnects at once, and a message reconnects", () => {
  const [live, socket] = follow();
  dispatchEvent(new Event("offline"));
  expect(live.isConnected).toBe(false);
  socket.deliver({ kind: "pong", now: 0 });
  expect(live.isConnected).toBe(true);
  dispatchEvent(new Event("offline"));
  dispatchEvent(new Event("online"));
  FakeSocket.all[1]!.deliver(SNAPSHOT);
  paint();
  expect(live.isConnected).toBe(true);
});

test("a request timeout reconnects and sends the request again", () => {
  const [live, socket] = follow();
  void live.do({ kind: "start" });
  vi.advanceTimersByTime(9_000);
  expect([live.isConnected, FakeSocket.all.length]).toEqual([true, 1]);
  vi.advanceTimersByTime(1_000);
  expect([live.isConnected, FakeSocket.all.length]).toEqual([false, 2]);
  FakeSocket.all[1]!.deliver(SNAPSHOT);
  paint();
  expect(FakeSocket.all[1]!.sent).toContain(socket.sent[0]);
});

test("an update without views keeps the known views", () => {
  const [live, socket] = follow([{ seat: 1, legal: [] }]);
  const before = live.state?.views;
  socket.deliver({ kind: "update", seq: 4, views: [], lines: [] });
  paint();
  expect(live.state?.seq).toBe(4);
  expect(live.state?.views).toBe(before);
});
