import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SakuraScene } from "$app/wire";
import type { Baseline } from "./animation";
import { StepAnimation } from "./stepAnimation.svelte";

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

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("all scenes are played, and the end is reported once", () => {
  const onEnd = vi.fn();
  const animation = new StepAnimation();
  animation.start(BEFORE, [WALK, { ...WALK, painters: [8, 7, 4], painter: 0 }], 1, onEnd);
  vi.advanceTimersByTime(300);
  expect(animation.frame?.painters[2]?.place).toBeLessThan(8);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(onEnd).toHaveBeenCalledOnce();
  expect(animation.frame).toBeNull();
});

test("an animation takes half the time at twice the pace", () => {
  const [slow, fast] = [vi.fn(), vi.fn()];
  new StepAnimation().start(BEFORE, [WALK], 1, slow);
  new StepAnimation().start(BEFORE, [WALK], 2, fast);
  vi.advanceTimersByTime(700);
  expect(fast).toHaveBeenCalledOnce();
  expect(slow).not.toHaveBeenCalled();
});

test("an animation ends when it is skipped, and at once at pace 0", () => {
  const [skipped, still] = [vi.fn(), vi.fn()];
  const animation = new StepAnimation();
  animation.start(BEFORE, [WALK], 1, skipped);
  animation.skip();
  new StepAnimation().start(BEFORE, [WALK], 0, still);
  vi.advanceTimersByTime(10_000);
  expect(skipped).toHaveBeenCalledOnce();
  expect(still).toHaveBeenCalledOnce();
});

test("a new step replaces the running one, whose end is not reported", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const animation = new StepAnimation();
  animation.start(BEFORE, [WALK], 1, first);
  animation.start(BEFORE, [WALK], 1, second);
  vi.advanceTimersByTime(10_000);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
});
