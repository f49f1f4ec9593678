import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPaint } from "./afterPaint";

let frames: (() => void)[] = [];
const page = { hidden: false };

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  page.hidden = false;
  vi.stubGlobal("document", page);
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", (id: number) => (frames[id - 1] = () => undefined));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const paint = (): void => frames.forEach((run) => run());

test("it runs after the frame, once", () => {
  const run = vi.fn();
  afterPaint(run);
  paint();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  paint();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledOnce();
});

test("where nothing is painted it does not wait for ever", () => {
  const run = vi.fn();
  afterPaint(run);
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledOnce();
  page.hidden = true;
  afterPaint(run);
  vi.advanceTimersByTime(0);
  expect(run).toHaveBeenCalledTimes(2);
});

test("what was called off never runs, before the frame or after it", () => {
  const run = vi.fn();
  afterPaint(run)();
  const cancel = afterPaint(run);
  paint();
  cancel();
  vi.advanceTimersByTime(1000);
  expect(run).not.toHaveBeenCalled();
});
