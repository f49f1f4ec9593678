import { describe, expect, it } from "vitest";
import type { SakuraScene } from "$app/wire";
import { makeTimeline, frameAt, type TimedScene, type Baseline } from "./animation";

const BEFORE: Baseline = { emperor: 10, painters: [6, 7, 8], tokens: [5, 5, 5], scored: 0 };

function scene(changes: Partial<SakuraScene>): SakuraScene {
  return { kind: "walk", caption: "", card: 2, action: 0, painter: null, played: [], ...BEFORE, ...changes };
}

function only(before: Baseline, shown: SakuraScene): TimedScene {
  const [timed] = makeTimeline(before, [shown]);
  if (!timed) throw new Error("no beat");
  return timed;
}

it("begins every timed where the one before has ended", () => {
  const scenes = [
    scene({ kind: "reveal", card: null, action: null }),
    scene({ painter: 2, painters: [6, 7, 4] }),
    scene({ painter: 0, painters: [8, 7, 4] }),
    scene({ kind: "bump", painter: 1, painters: [8, 5, 4], tokens: [5, 4, 5] }),
    scene({ kind: "emperor", emperor: 12, painters: [8, 5, 4], tokens: [5, 4, 5] }),
  ];
  const timeline = makeTimeline(BEFORE, scenes);
  timeline.forEach((timed, n) => {
    const end = frameAt(timed, timed.durationMs);
    expect(end.painters.map(({ place }) => place)).toEqual(scenes[n]?.painters);
    expect(end.emperor.place).toBe(scenes[n]?.emperor);
    expect(end.table.tokens).toEqual(scenes[n]?.tokens);
    const next = timeline[n + 1];
    if (next) expect(frameAt(next, 0).painters.map(({ place }) => place)).toEqual(scenes[n]?.painters);
  });
});

it("moves only who moves", () => {
  const timed = only(BEFORE, scene({ painter: 2, painters: [6, 7, 4] }));
  const half = frameAt(timed, 200);
  expect(half.painters.map(({ place }) => place).slice(0, 2)).toEqual([6, 7]);
  expect(half.painters[2]?.place).toBeGreaterThan(4);
  expect(half.painters[2]?.place).toBeLessThan(8);
});

describe("a disgrace", () => {
  const timed = only(BEFORE, scene({ kind: "bump", painter: 1, painters: [6, 5, 8], tokens: [5, 4, 5] }));
  const figure = (at: number) => frameAt(timed, at).painters[1];

  it("goes up to the Emperor, stumbles, bows, and goes back", () => {
    const places = Array.from({ length: 40 }, (_, n) => figure((timed.durationMs * n) / 39)?.place ?? 0);
    const peak = places.indexOf(Math.max(...places));
    expect(Math.max(...places)).toBeGreaterThan(9.5);
    expect(places.slice(0, peak)).toEqual([...places.slice(0, peak)].sort((a, b) => a - b));
    expect(places.at(-1)).toBe(5);
    const bows = Array.from({ length: 40 }, (_, n) => figure((timed.durationMs * n) / 39)?.squash ?? 1);
    expect(Math.min(...bows)).toBeLessThan(0.75);
  });

  it("costs its token when the bumpFigure happens, not before", () => {
    expect(frameAt(timed, 0).table.tokens).toEqual([5, 5, 5]);
    expect(frameAt(timed, 0).table.floats).toEqual([]);
    expect(frameAt(timed, timed.durationMs).table.tokens).toEqual([5, 4, 5]);
    expect(frameAt(timed, timed.durationMs).table.floats).toEqual([{ painter: 1, tokens: -1 }]);
  });

  it("is shown even where it ends on the space it began on", () => {
    const back = only({ ...BEFORE, painters: [6, 7, 9] }, scene({ kind: "bump", painter: 1, painters: [6, 7, 9] }));
    expect(back.moves).toHaveLength(1);
  });
});

it("turns cards over before they go into their order", () => {
  const timed = only(BEFORE, scene({ kind: "reveal", card: null, action: null }));
  expect(frameAt(timed, 0).table.isUnsorted).toBe(true);
  expect(frameAt(timed, timed.durationMs).table.isUnsorted).toBe(false);
});

it("lets the tree burst into blossom and hands out tokens at a scoring", () => {
  const timed = only(BEFORE, scene({ kind: "score", card: null, scored: 1, tokens: [6, 8, 7] }));
  const now = frameAt(timed, 10);
  expect(now.table.bursting).toBe(0);
  expect(now.table.floats).toEqual([
    { painter: 0, tokens: 1 },
    { painter: 1, tokens: 3 },
    { painter: 2, tokens: 2 },
  ]);
});

it("keeps the same table as long as nothing on it changes", () => {
  const timed = only(BEFORE, scene({ painter: 2, painters: [6, 7, 4] }));
  expect(frameAt(timed, 10).table).toBe(frameAt(timed, 200).table);
});
