import { describe, expect, test } from "vitest";
import type { SakuraScene } from "$app/wire";
import { frameAt, makeTimeline, type Baseline, type TimedScene } from "./animation";

const BEFORE: Baseline = { emperor: 10, painters: [6, 7, 8], tokens: [5, 5, 5], scored: 0 };

function makeScene(changes: Partial<SakuraScene>): SakuraScene {
  return { kind: "walk", caption: "", card: 2, action: 0, painter: null, played: [], ...BEFORE, ...changes };
}

function timeOne(before: Baseline, changes: Partial<SakuraScene>): TimedScene {
  const [timed] = makeTimeline(before, [makeScene(changes)]);
  if (!timed) throw new Error("no scene");
  return timed;
}

test("every scene begins where the one before has ended", () => {
  const scenes = [
    makeScene({ kind: "reveal", card: null, action: null }),
    makeScene({ painter: 2, painters: [6, 7, 4] }),
    makeScene({ painter: 0, painters: [8, 7, 4] }),
    makeScene({ kind: "bump", painter: 1, painters: [8, 5, 4], tokens: [5, 4, 5] }),
    makeScene({ kind: "emperor", emperor: 12, painters: [8, 5, 4], tokens: [5, 4, 5] }),
  ];
  const timeline = makeTimeline(BEFORE, scenes);
  timeline.forEach((timed, n) => {
    const end = frameAt(timed, timed.durationMs);
    expect(end.painters.map(({ place }) => place)).toEqual(scenes[n]?.painters);
    expect(end.emperor.place).toBe(scenes[n]?.emperor);
    expect(end.board.tokens).toEqual(scenes[n]?.tokens);
    const next = timeline[n + 1];
    if (next) expect(frameAt(next, 0).painters.map(({ place }) => place)).toEqual(scenes[n]?.painters);
  });
});

test("only the painter of a scene moves", () => {
  const timed = timeOne(BEFORE, { painter: 2, painters: [6, 7, 4] });
  const half = frameAt(timed, 200);
  expect(half.painters.map(({ place }) => place).slice(0, 2)).toEqual([6, 7]);
  expect(half.painters[2]?.place).toBeGreaterThan(4);
  expect(half.painters[2]?.place).toBeLessThan(8);
});

describe("a disgraced painter", () => {
  const timed = timeOne(BEFORE, { kind: "bump", painter: 1, painters: [6, 5, 8], tokens: [5, 4, 5] });
  const figure = (elapsedMs: number) => frameAt(timed, elapsedMs).painters[1];

  test("goes up to the Emperor, stumbles, bows, and goes back", () => {
    const places = Array.from({ length: 40 }, (_, n) => figure((timed.durationMs * n) / 39)?.place ?? 0);
    const peak = places.indexOf(Math.max(...places));
    expect(Math.max(...places)).toBeGreaterThan(9.5);
    expect(places.slice(0, peak)).toEqual([...places.slice(0, peak)].sort((a, b) => a - b));
    expect(places.at(-1)).toBe(5);
    const bows = Array.from({ length: 40 }, (_, n) => figure((timed.durationMs * n) / 39)?.squash ?? 1);
    expect(Math.min(...bows)).toBeLessThan(0.75);
  });

  test("loses the token at the bump, not before", () => {
    expect(frameAt(timed, 0).board.tokens).toEqual([5, 5, 5]);
    expect(frameAt(timed, 0).board.tokenChanges).toEqual([]);
    expect(frameAt(timed, timed.durationMs).board.tokens).toEqual([5, 4, 5]);
    expect(frameAt(timed, timed.durationMs).board.tokenChanges).toEqual([{ painter: 1, tokens: -1 }]);
  });

  test("moves even if the bump ends on the space where it began", () => {
    const back = timeOne({ ...BEFORE, painters: [6, 7, 9] }, { kind: "bump", painter: 1, painters: [6, 7, 9] });
    expect(back.moves).toHaveLength(1);
  });
});

test("cards are revealed before they are sorted", () => {
  const timed = timeOne(BEFORE, { kind: "reveal", card: null, action: null });
  expect(frameAt(timed, 0).board.isUnsorted).toBe(true);
  expect(frameAt(timed, timed.durationMs).board.isUnsorted).toBe(false);
});

test("a scoring makes the tree blossom and pays tokens", () => {
  const timed = timeOne(BEFORE, { kind: "score", card: null, scored: 1, tokens: [6, 8, 7] });
  const { board } = frameAt(timed, 10);
  expect(board.blossoming).toBe(0);
  expect(board.tokenChanges).toEqual([
    { painter: 0, tokens: 1 },
    { painter: 1, tokens: 3 },
    { painter: 2, tokens: 2 },
  ]);
});

test("the board state is the same object as long as nothing in it changes", () => {
  const timed = timeOne(BEFORE, { painter: 2, painters: [6, 7, 4] });
  expect(frameAt(timed, 10).board).toBe(frameAt(timed, 200).board);
});
