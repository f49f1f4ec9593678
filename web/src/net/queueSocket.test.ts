import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "$app/net/fakeSocket";
import { QueueSocket } from "$app/net/queueSocket";

const WELCOME = { kind: "welcome", now: 0, heartbeat: 30 };

beforeEach(() => {
  FakeSocket.all.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an offer is reported at once, and no other message is", () => {
  const onOffer = vi.fn();
  new QueueSocket(onOffer).open();
  FakeSocket.all[0]!.deliver(WELCOME);
  expect(onOffer).not.toHaveBeenCalled();
  FakeSocket.all[0]!.deliver({ kind: "offered", table: null, has_bot: true });
  expect(onOffer).toHaveBeenCalledOnce();
});

test("an open socket is not opened twice, and a lost one is opened again", () => {
  const socket = new QueueSocket(() => {});
  socket.open();
  socket.open();
  expect(FakeSocket.all).toHaveLength(1);
  FakeSocket.all[0]!.drop();
  expect(socket.isOpen).toBe(false);
  socket.open();
  expect(FakeSocket.all).toHaveLength(2);
});

test("heartbeats are sent until the socket is closed", () => {
  const socket = new QueueSocket(() => {});
  socket.open();
  const fake = FakeSocket.all[0]!;
  fake.deliver(WELCOME);
  vi.advanceTimersByTime(20_500);
  expect(fake.sent).toHaveLength(2);
  socket.close();
  vi.advanceTimersByTime(60_000);
  expect(fake.sent).toHaveLength(2);
  expect(fake.readyState).toBe(3);
});
