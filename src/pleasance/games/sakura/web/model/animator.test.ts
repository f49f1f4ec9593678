import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SakuraScene } from "$app/wire";
import type { Baseline } from "./animation";
import { Animator } from "./animator.svelte";

const BEFORE: Baseline = { emperor: 10, painters: [6, 7, 8], tokens: [5, 5, 5], scored: 0 };
const WALK: SakuraScene = {
  kind: "walk",
  caption: "",
  card: 2,
  action: 0,
  painter: 2,
  played: [],
  ...BEFORE,
  painters: [6, 7, 4],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("goes through all timeline and tells once that it is over", () => {
  const finish = vi.fn();
  const animator = new Animator();
  animator.start(BEFORE, [WALK, { ...WALK, painters: [8, 7, 4], painter: 0 }], 1, finish);
  vi.advanceTimersByTime(300);
  expect(animator.boardFrame?.painters[2]?.place).toBeLessThan(8);
  expect(finish).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(finish).toHaveBeenCalledOnce();
  expect(animator.boardFrame).toBeNull();
});

it("takes half the time at twice the pace", () => {
  const [slow, fast] = [vi.fn(), vi.fn()];
  new Animator().start(BEFORE, [WALK], 1, slow);
  new Animator().start(BEFORE, [WALK], 2, fast);
  vi.advanceTimersByTime(700);
  expect(fast).toHaveBeenCalledOnce();
  expect(slow).not.toHaveBeenCalled();
});

it("can be skipped, and is over at once where nothing moves", () => {
  const [skipped, still] = [vi.fn(), vi.fn()];
  const animator = new Animator();
  animator.start(BEFORE, [WALK], 1, skipped);
  animator.skip();
  new Animator().start(BEFORE, [WALK], 0, still);
  vi.advanceTimersByTime(10_000);
  expect(skipped).toHaveBeenCalledOnce();
  expect(still).toHaveBeenCalledOnce();
});

it("shows another step instead, without an end to the first", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const animator = new Animator();
  animator.start(BEFORE, [WALK], 1, first);
  animator.start(BEFORE, [WALK], 1, second);
  vi.advanceTimersByTime(10_000);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
});
