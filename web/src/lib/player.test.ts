import { describe, expect, test } from "vitest";
import { Player } from "$app/lib/player.svelte";
import type { Frame } from "$app/lib/reel";

const frameAt = (step: number): Frame => ({
  step, tokens: [{ seat: 0, token: String(step) }], lines: [], scenes: [], position: { text: String(step) }, legal: [], scores: [],
});

/** A game that has so many steps by now, read as a server tells it. */
class Game {
  asked: [number | undefined, number][] = [];

  constructor(public steps: number) {}

  read = async (first: number | undefined, limit: number) => {
    this.asked.push([first, limit]);
    const start = first ?? this.steps;
    const count = Math.max(0, Math.min(limit, this.steps - start + 1));
    return { steps: this.steps, undone: 0, frames: Array.from({ length: count }, (_, n) => frameAt(start + n)) };
  };
}

describe("a game that is shown", () => {
  test("begins with the present", async () => {
    const player = new Player(new Game(7).read);
    await player.advance();
    expect([player.at, player.step, player.isAtEnd]).toEqual([7, null, true]);
  });

  test("shows what is new step by step, each after the one before was shown", async () => {
    const game = new Game(2);
    const player = new Player(game.read);
    await player.advance();
    game.steps = 4;
    await player.advance();
    expect([player.at, player.step?.tokens[0]?.token]).toEqual([3, "3"]);
    const first = player.step?.id;
    player.shown();
    expect([player.at, player.step?.tokens[0]?.token]).toEqual([4, "4"]);
    expect(player.step?.id).not.toBe(first);
    player.shown();
    expect([player.at, player.step, player.isAtEnd]).toEqual([4, null, true]);
  });

  test("counts the points of a step when it has been shown", async () => {
    const game = new Game(2);
    const counting = async (first: number | undefined, limit: number) => {
      const reel = await game.read(first, limit);
      return { ...reel, frames: reel.frames.map((frame) => ({ ...frame, scores: [frame.step] })) };
    };
    const player = new Player(counting);
    await player.advance();
    expect([player.scores, player.isMoving]).toEqual([[2], false]);
    game.steps = 3;
    await player.advance();
    expect([player.scores, player.isMoving]).toEqual([[2], true]);
    player.shown();
    expect([player.scores, player.isMoving]).toEqual([[3], false]);
  });

  test("is not pushed forward while somebody looks back", async () => {
    const game = new Game(5);
    const player = new Player(game.read);
    await player.advance();
    await player.go(2);
    game.steps = 6;
    await player.advance();
    expect([player.at, player.isBack]).toEqual([2, true]);
    await player.go(99);
    expect([player.at, player.isBack]).toEqual([6, false]);
  });

  test("jumps to the present for who is far behind", async () => {
    const game = new Game(1);
    const player = new Player(game.read);
    await player.advance();
    game.steps = 90;
    await player.advance();
    await Promise.resolve();
    await Promise.resolve();
    expect([player.at, player.step]).toEqual([90, null]);
  });

  test("forgets what was taken back", async () => {
    const game = new Game(5);
    const player = new Player(game.read);
    await player.advance();
    game.steps = 3;
    await player.advance(true);
    expect([player.at, player.steps, player.isAtEnd, player.find(5)]).toEqual([3, 3, true, undefined]);
  });
});
