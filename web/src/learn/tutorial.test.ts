import { describe, expect, test } from "vitest";
import type { Tutorial } from "$app/lib/board";
import type { Frame } from "$app/playback/segments";
import { TutorialRun } from "$app/learn/tutorial.svelte";

const TOKENS = ["", "+17", "17", "+4", "^", "+9"];
const frames: Frame[] = TOKENS.map((token, step) => ({
  step,
  tokens: step ? [{ seat: 0, token }] : [],
  lines: [],
  scenes: [],
  position: { text: String(step) },
  legal: step === 1 ? ["17", "20"] : step === 3 ? ["^", "v"] : [],
  scores: [0, 0],
}));

const tutorial: Tutorial = {
  record: "",
  seat: 0,
  stops: [
    { at: 0, key: "hello" },
    { at: 1, key: "card", wanted: "17" },
    { at: 3, key: "way", wanted: "^" },
    { at: 5, key: "end" },
  ],
};

async function begin(withDoneText: readonly string[] = [], first = 0): Promise<TutorialRun> {
  const load = (first: number, limit: number) =>
    Promise.resolve({ steps: 5, frames: frames.slice(first, first + limit) });
  const run = new TutorialRun({ ...tutorial, stops: tutorial.stops.slice(first) }, load, (stop) =>
    withDoneText.includes(stop.key),
  );
  await run.begin();
  return run;
}

/** Finish the animation of every step, as a board does. */
async function finishSteps(run: TutorialRun): Promise<void> {
  for (let n = 0; n < 10; n += 1) {
    await Promise.resolve();
    if (run.playback.step) run.onStepShown();
  }
}

describe("a tutorial", () => {
  test("begins at the start and continues on request", async () => {
    const run = await begin();
    expect([run.playback.at, run.stop?.key, run.isAtStop, run.isChoiceDue]).toEqual([0, "hello", true, false]);
    await run.next();
    expect(run.isAtStop).toBe(false);
    await finishSteps(run);
    expect([run.playback.at, run.stop?.key, run.isChoiceDue]).toEqual([1, "card", true]);
  });

  test("may begin in a later position", async () => {
    const run = await begin([], 2);
    expect([run.playback.at, run.stop?.key, run.isChoiceDue]).toEqual([3, "way", true]);
  });

  test("waits for the wanted choice and counts the others", async () => {
    const run = await begin();
    await run.next();
    await finishSteps(run);
    await run.next();
    run.pick(null);
    run.pick("20");
    expect([run.stop?.key, run.mistakes]).toEqual(["card", 1]);
    run.pick("17");
    await finishSteps(run);
    expect([run.playback.at, run.stop?.key, run.mistakes]).toEqual([3, "way", 0]);
  });

  test("shows a text after the right choice, with its outcome", async () => {
    const run = await begin(["card"]);
    await run.next();
    await finishSteps(run);
    run.pick("17");
    await finishSteps(run);
    expect([run.playback.at, run.stop?.key, run.isDone, run.isAtStop]).toEqual([2, "card", true, true]);
    await run.next();
    await finishSteps(run);
    expect([run.playback.at, run.stop?.key, run.isDone]).toEqual([3, "way", false]);
  });

  test("takes no choice during an animation", async () => {
    const run = await begin();
    await run.next();
    run.pick("17");
    expect([run.stop?.key, run.mistakes]).toEqual(["card", 0]);
  });

  test("can skip animations and go back", async () => {
    const run = await begin();
    await run.next();
    await run.skip();
    expect([run.playback.at, run.isChoiceDue]).toEqual([1, true]);
    await run.back();
    expect([run.playback.at, run.stop?.key, run.isAtStop]).toEqual([0, "hello", true]);
  });

  test("is over after its last stop, and can begin again", async () => {
    const run = await begin();
    await run.next();
    await finishSteps(run);
    run.pick("17");
    await finishSteps(run);
    run.pick("^");
    await finishSteps(run);
    await run.next();
    expect(run.isOver).toBe(true);
    await run.begin();
    expect([run.playback.at, run.stop?.key]).toEqual([0, "hello"]);
  });
});
