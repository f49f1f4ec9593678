import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Command, Snapshot } from "$app/wire";

const asked = vi.hoisted(() => [] as { command: unknown; resolve: () => void; reject: (error: unknown) => void }[]);
vi.mock("$app/net/live.svelte", () => ({
  LiveConnection: class {
    state: unknown = null;
    do = (command: Command) => new Promise<void>((resolve, reject) => asked.push({ command, resolve, reject }));
  },
}));

vi.mock("$app/playback/segments", () => ({
  readSegment: () =>
    Promise.resolve({
      steps: 1,
      revision: 0,
      frames: [{ step: 1, tokens: [], lines: [], scenes: [], position: {}, legal: [], scores: [] }],
    }),
}));

import { settings } from "$app/lib/settings.svelte";
import { Table } from "./table.svelte";

let frames: (() => void)[] = [];
const paint = async (): Promise<void> => {
  frames.splice(0).forEach((run) => run());
  await vi.advanceTimersByTimeAsync(0);
};

/** A table where seat 0 may choose between two cards. */
async function sitDown(): Promise<Table> {
  const table = new Table("t");
  const views = [0, 1].map((seat) => ({ seat, position: {}, legal: ["1", "2"], chosen: null, can_undo: false }));
  const info = { places: [], game: "sakura" };
  table.live.state = {
    ply: 4,
    revision: 0,
    seq: 9,
    views,
    waiting: [0],
    chose: [],
    here: [],
    info,
  } as unknown as Snapshot;
  table.viewSeat = 0;
  await table.playback.advance();
  return table;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
  asked.length = 0;
  frames = [];
  settings.change({ confirmMode: "never" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a choice is shown at once, and the board is locked after the paint", async () => {
  const table = await sitDown();
  table.pick("1");
  expect([table.shownPick, table.legal, table.isSending]).toEqual(["1", ["1", "2"], true]);
  await paint();
  expect([table.shownPick, table.legal]).toEqual(["1", []]);
  asked[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([table.shownPick, table.legal, table.isSending]).toEqual([null, ["1", "2"], false]);
});

test("while a choice is sent no other can be sent", async () => {
  const table = await sitDown();
  table.pick("1");
  table.pick("2");
  void table.choose("2");
  void table.askWhy("3");
  expect(asked.map(({ command }) => (command as { token: string }).token)).toEqual(["1"]);
});

test.each(["before", "after"])("a refused choice can be made again, %s the board is locked", async (when) => {
  const table = await sitDown();
  table.onError = vi.fn();
  table.pick("1");
  if (when === "after") await paint();
  asked[0]?.reject(new Error("refused"));
  await vi.advanceTimersByTimeAsync(0);
  await paint();
  expect(table.onError).toHaveBeenCalledOnce();
  expect([table.shownPick, table.legal, table.isSending]).toEqual([null, ["1", "2"], false]);
});

test("the next viewer does not see a choice that is being sent", async () => {
  const table = await sitDown();
  table.pick("1");
  table.viewSeat = 1;
  expect(table.shownPick).toBeNull();
});

test("a choice replaces the picked one", async () => {
  const table = await sitDown();
  settings.change({ confirmMode: "always" });
  table.pick("1");
  expect(asked).toEqual([]);
  settings.change({ confirmMode: "never" });
  table.pick("2");
  expect([table.shownPick, table.picked]).toEqual(["2", "2"]);
});
