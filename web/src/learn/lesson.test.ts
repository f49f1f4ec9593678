import { describe, expect, test } from "vitest";
import type { Tutorial } from "$app/lib/board";
import type { Frame } from "$app/lib/reel";
import { Lesson } from "$app/learn/lesson.svelte";

const TOKENS = ["", "+17", "17", "+4", "^", "+9"];
const frames: Frame[] = TOKENS.map((token, step) => ({
  step, tokens: step ? [{ seat: 0, token }] : [], lines: [], scenes: [], position: { text: String(step) },
  legal: step === 1 ? ["17", "20"] : step === 3 ? ["^", "v"] : [], scores: [0, 0],
}));

const tutorial: Tutorial = {
  record: "", seat: 0,
  stops: [{ at: 0, key: "hello" }, { at: 1, key: "card", wanted: "17" }, { at: 3, key: "way", wanted: "^" }, { at: 5, key: "end" }],
};

async function begin(talkative: readonly string[] = [], first = 0): Promise<Lesson> {
  const read = async (first: number, limit: number) => ({ steps: 5, frames: frames.slice(first, first + limit) });
  const lesson = new Lesson({ ...tutorial, stops: tutorial.stops.slice(first) }, read, (stop) => talkative.includes(stop.key));
  await lesson.begin();
  return lesson;
}

/** Let the board show everything that moves, as a board does: one step after the other. */
async function watch(lesson: Lesson): Promise<void> {
  for (let n = 0; n < 10; n += 1) {
    await Promise.resolve();
    if (lesson.player.step) lesson.shown();
  }
}

describe("a tutorial", () => {
  test("begins at the start and moves on when it is told to", async () => {
    const lesson = await begin();
    expect([lesson.player.at, lesson.stop?.key, lesson.isThere, lesson.isAsking]).toEqual([0, "hello", true, false]);
    await lesson.on();
    expect(lesson.isThere).toBe(false);
    await watch(lesson);
    expect([lesson.player.at, lesson.stop?.key, lesson.isAsking]).toEqual([1, "card", true]);
  });

  test("may begin when everything is set up already", async () => {
    const lesson = await begin([], 2);
    expect([lesson.player.at, lesson.stop?.key, lesson.isAsking]).toEqual([3, "way", true]);
  });

  test("waits for the wanted choice and counts the others", async () => {
    const lesson = await begin();
    await lesson.on();
    await watch(lesson);
    await lesson.on();
    lesson.pick(null);
    lesson.pick("20");
    expect([lesson.stop?.key, lesson.wrong]).toEqual(["card", 1]);
    lesson.pick("17");
    await watch(lesson);
    expect([lesson.player.at, lesson.stop?.key, lesson.wrong]).toEqual([3, "way", 0]);
  });

  test("says more after the right choice, while its outcome is looked at", async () => {
    const lesson = await begin(["card"]);
    await lesson.on();
    await watch(lesson);
    lesson.pick("17");
    await watch(lesson);
    expect([lesson.player.at, lesson.stop?.key, lesson.isDone, lesson.isThere]).toEqual([2, "card", true, true]);
    await lesson.on();
    await watch(lesson);
    expect([lesson.player.at, lesson.stop?.key, lesson.isDone]).toEqual([3, "way", false]);
  });

  test("takes no choice while something moves", async () => {
    const lesson = await begin();
    await lesson.on();
    lesson.pick("17");
    expect([lesson.stop?.key, lesson.wrong]).toEqual(["card", 0]);
  });

  test("can be skipped on the way, and gone back", async () => {
    const lesson = await begin();
    await lesson.on();
    await lesson.skip();
    expect([lesson.player.at, lesson.isAsking]).toEqual([1, true]);
    await lesson.back();
    expect([lesson.player.at, lesson.stop?.key, lesson.isThere]).toEqual([0, "hello", true]);
  });

  test("is over after its last stop, and can begin again", async () => {
    const lesson = await begin();
    await lesson.on();
    await watch(lesson);
    lesson.pick("17");
    await watch(lesson);
    lesson.pick("^");
    await watch(lesson);
    await lesson.on();
    expect(lesson.isOver).toBe(true);
    await lesson.begin();
    expect([lesson.player.at, lesson.stop?.key]).toEqual([0, "hello"]);
  });
});
