import { describe, expect, test } from "vitest";
import type { GameFacts } from "$app/lib/facts.svelte";
import { atLevel, fitWish, FRIEND, HERE, isInviting, levelOf, optionsOf, othersOf, quickWish, usualBot, usualSeats } from "$app/home/wish";

const game: GameFacts = {
  name: "croquet", title: "Croquet", blurb: "", seats: [2, 3, 4, 5, 6], themes: [],
  levels: ["apprentice", "journeyman", "master:0.2s"],
  bots: ["apprentice", "journeyman", "master:0.2s", "random", "greedy", "planner", "flat:1s"],
  options: [{ name: "wind", text: "Wind", seats: [2, 3] }, { name: "rain", text: "Rain", seats: [4] }],
};

describe("what somebody wants to play", () => {
  test("is three against quick bots in a game for many", () => {
    const wish = quickWish(game, fitWish(game, {}));
    expect(wish.seats).toBe(3);
    expect(othersOf(wish)).toEqual(["journeyman", "journeyman"]);
    expect(isInviting(wish)).toBe(false);
  });

  test("is two in a game for few", () => {
    expect(usualSeats({ ...game, seats: [2, 3, 4] })).toBe(2);
  });

  test("takes the best bot that needs no time where there are no levels", () => {
    const plain = { ...game, levels: [] };
    expect(usualBot({ ...plain, bots: ["random", "greedy", "flat:1s"] })).toBe("greedy");
    expect(usualBot({ ...plain, bots: ["flat:1s"] })).toBe("flat:1s");
    expect(usualBot({ ...plain, bots: [] })).toBe(FRIEND);
  });

  test("has one level for all bots in one click, whoever sat there before", () => {
    const before = fitWish(game, { seats: 3, others: [FRIEND, "greedy"] });
    expect(levelOf(game, before)).toBe("");
    const wish = fitWish(game, atLevel(before, "apprentice"));
    expect(othersOf(wish)).toEqual(["apprentice", "apprentice"]);
    expect(levelOf(game, wish)).toBe("apprentice");
    expect(levelOf(game, fitWish(game, atLevel(before, "greedy")))).toBe("");
  });

  test("forgets what an older page kept and nobody knows any more", () => {
    const wish = fitWish(game, { seats: 9, others: ["gone", "greedy"], options: ["snow", "wind"], clock: 77 });
    expect(wish.seats).toBe(3);
    expect(othersOf(wish)).toEqual(["journeyman", "greedy"]);
    expect(wish.options).toEqual(["wind"]);
    expect(wish.clock).toBe(0);
  });

  test("plays no option that does not fit the number of players", () => {
    expect(optionsOf(game, fitWish(game, { seats: 3, options: ["rain", "wind"] }))).toEqual(["wind"]);
    expect(optionsOf(game, fitWish(game, { seats: 5, options: ["rain", "wind"] }))).toEqual([]);
  });

  test("has nobody else at this device when it is rated", () => {
    expect(othersOf(fitWish(game, { seats: 2, others: [HERE], isRated: true }))).toEqual([FRIEND]);
  });

  test("is neither public nor rated in one click, whatever was set up before", () => {
    const wish = quickWish(game, fitWish(game, { seats: 3, others: [FRIEND, "greedy"], isPublic: true, isRated: true, clock: 2 }));
    expect(othersOf(wish)).toEqual(["journeyman", "greedy"]);
    expect([wish.isPublic, wish.isRated, wish.clock]).toEqual([false, false, 0]);
  });
});
