import { describe, expect, test } from "vitest";
import { Playback } from "$app/playback/playback.svelte";
import type { Frame } from "$app/playback/segments";

const frameAt = (step: number): Frame => ({
  step,
  tokens: [{ seat: 0, token: String(step) }],
  lines: [],
  scenes: [],
  position: { text: String(step) },
  legal: [],
  scores: [],
});

/** A game with *steps* steps, as the server sends it. */
class Game {
  requests: [number | undefined, number][] = [];

  constructor(public steps: number) {}

  read = (first: number | undefined, limit: number) => {
    this.requests.push([first, limit]);
    const start = first ?? this.steps;
    const count = Math.max(0, Math.min(limit, this.steps - start + 1));
    const frames = Array.from({ length: count }, (_, n) => frameAt(start + n));
    return Promise.resolve({ steps: this.steps, frames });
  };
}

describe("a playback", () => {
  test("begins with the last frame", async () => {
    const playback = new Playback(new Game(7).read);
    await playback.advance();
    expect([playback.at, playback.step, playback.isAtEnd]).toEqual([7, null, true]);
  });

  test("animates new steps one after the other", async () => {
    const game = new Game(2);
    const playback = new Playback(game.read);
    await playback.advance();
    game.steps = 4;
    await playback.advance();
    expect([playback.at, playback.step?.tokens[0]?.token]).toEqual([3, "3"]);
    const first = playback.step?.id;
    playback.onStepShown();
    expect([playback.at, playback.step?.tokens[0]?.token]).toEqual([4, "4"]);
    expect(playback.step?.id).not.toBe(first);
    playback.onStepShown();
    expect([playback.at, playback.step, playback.isAtEnd]).toEqual([4, null, true]);
  });

  test("counts the points of a step after its animation", async () => {
    const game = new Game(2);
    const counting = async (first: number | undefined, limit: number) => {
      const segment = await game.read(first, limit);
      return { ...segment, frames: segment.frames.map((frame) => ({ ...frame, scores: [frame.step] })) };
    };
    const playback = new Playback(counting);
    await playback.advance();
    expect([playback.scores, playback.isMoving]).toEqual([[2], false]);
    game.steps = 3;
    await playback.advance();
    expect([playback.scores, playback.isMoving]).toEqual([[2], true]);
    playback.onStepShown();
    expect([playback.scores, playback.isMoving]).toEqual([[3], false]);
  });

  test("does not advance while an earlier position is shown", async () => {
    const game = new Game(5);
    const playback = new Playback(game.read);
    await playback.advance();
    await playback.go(2);
    game.steps = 6;
    await playback.advance();
    expect([playback.at, playback.isBack]).toEqual([2, true]);
    await playback.go(99);
    expect([playback.at, playback.isBack]).toEqual([6, false]);
  });

  test("jumps to the last frame after many new steps", async () => {
    const game = new Game(1);
    const playback = new Playback(game.read);
    await playback.advance();
    game.steps = 90;
    await playback.advance();
    await Promise.resolve();
    await Promise.resolve();
    expect([playback.at, playback.step]).toEqual([90, null]);
  });

  test("drops frames that were taken back", async () => {
    const game = new Game(5);
    const playback = new Playback(game.read);
    await playback.advance();
    game.steps = 3;
    await playback.advance(true);
    expect([playback.at, playback.steps, playback.isAtEnd, playback.frames.has(5)]).toEqual([3, 3, true, false]);
  });
});
