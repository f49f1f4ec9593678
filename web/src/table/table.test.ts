import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Command, Snapshot } from "$app/wire";

const asked = vi.hoisted(() => [] as { command: unknown; resolve: () => void; reject: (error: unknown) => void }[]);
vi.mock("$app/lib/live.svelte", () => ({
  Live: class {
    state: unknown = null;
    do = (command: Command) => new Promise<void>((resolve, reject) => asked.push({ command, resolve, reject }));
  },
}));

vi.mock("$app/lib/reel", () => ({
  readReel: () => Promise.resolve({ steps: 1, undone: 0, frames: [{ step: 1, tokens: [], lines: [], scenes: [], position: {}, legal: [], scores: [] }] }),
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
  table.live.state = { ply: 4, undone: 0, seq: 9, views, waiting: [0], chose: [], here: [], info } as unknown as Snapshot;
  table.eyes = 0;
  await table.player.advance();
  return table;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
  asked.length = 0;
  frames = [];
  settings.asking = "never";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what was chosen is shown at once, and the board rests after it was painted", async () => {
  const table = await sitDown();
  table.pick("1");
  expect([table.shownPick, table.legal, table.isSending]).toEqual(["1", ["1", "2"], true]);
  await paint();
  expect([table.shownPick, table.legal]).toEqual(["1", []]);
  asked[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([table.shownPick, table.legal, table.isSending]).toEqual([null, ["1", "2"], false]);
});

test("what is on its way is neither chosen twice nor anything else beside it", async () => {
  const table = await sitDown();
  table.pick("1");
  table.pick("2");
  void table.choose("2");
  void table.askWhy("3");
  expect(asked.map(({ command }) => (command as { token: string }).token)).toEqual(["1"]);
});

test.each(["before", "after"])("what was refused can be chosen anew, %s the board rests", async (when) => {
  const table = await sitDown();
  table.complain = vi.fn();
  table.pick("1");
  if (when === "after") await paint();
  asked[0]?.reject(new Error("refused"));
  await vi.advanceTimersByTimeAsync(0);
  await paint();
  expect(table.complain).toHaveBeenCalledOnce();
  expect([table.shownPick, table.legal, table.isSending]).toEqual([null, ["1", "2"], false]);
});

test("who looks next does not see what is on its way", async () => {
  const table = await sitDown();
  table.pick("1");
  table.eyes = 1;
  expect(table.shownPick).toBeNull();
});

test("what is sent instead of what was picked is what is shown", async () => {
  const table = await sitDown();
  settings.asking = "always";
  table.pick("1");
  expect(asked).toEqual([]);
  settings.asking = "never";
  table.pick("2");
  expect([table.shownPick, table.picked]).toEqual(["2", "2"]);
});
