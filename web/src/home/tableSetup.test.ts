import { describe, expect, test } from "vitest";
import type { GameInfo } from "$app/lib/pageData.svelte";
import {
  withBotLevel,
  normalizeSetup,
  FRIEND,
  LOCAL_PLAYER,
  needsInvite,
  commonBotLevel,
  fittingOptions,
  opponentsOf,
  botGameSetup,
  defaultBot,
  defaultSeats,
} from "$app/home/tableSetup";

const game: GameInfo = {
  name: "croquet",
  title: "Croquet",
  blurb: "",
  seats: [2, 3, 4, 5, 6],
  themes: [],
  seat_colors: [],
  levels: ["apprentice", "journeyman", "master:0.2s"],
  bots: ["apprentice", "journeyman", "master:0.2s", "random", "greedy", "planner", "flat:1s"],
  options: [
    { name: "wind", text: "Wind", seats: [2, 3] },
    { name: "rain", text: "Rain", seats: [4] },
  ],
};

describe("the setup of a table", () => {
  test("is three against quick bots in a game for many players", () => {
    const setup = botGameSetup(game, normalizeSetup(game, {}));
    expect(setup.seats).toBe(3);
    expect(opponentsOf(setup)).toEqual(["journeyman", "journeyman"]);
    expect(needsInvite(setup)).toBe(false);
  });

  test("is two in a game for few players", () => {
    expect(defaultSeats({ ...game, seats: [2, 3, 4] })).toBe(2);
  });

  test("takes the best bot that needs no time where there are no levels", () => {
    const plain = { ...game, levels: [] };
    expect(defaultBot({ ...plain, bots: ["random", "greedy", "flat:1s"] })).toBe("greedy");
    expect(defaultBot({ ...plain, bots: ["flat:1s"] })).toBe("flat:1s");
    expect(defaultBot({ ...plain, bots: [] })).toBe(FRIEND);
  });

  test("has one level for all bots in one click, whoever sat there before", () => {
    const before = normalizeSetup(game, { seats: 3, opponents: [FRIEND, "greedy"] });
    expect(commonBotLevel(game, before)).toBe("");
    const setup = normalizeSetup(game, withBotLevel(before, "apprentice"));
    expect(opponentsOf(setup)).toEqual(["apprentice", "apprentice"]);
    expect(commonBotLevel(game, setup)).toBe("apprentice");
    expect(commonBotLevel(game, normalizeSetup(game, withBotLevel(before, "greedy")))).toBe("");
  });

  test("replaces values that are no longer valid", () => {
    const setup = normalizeSetup(game, {
      seats: 9,
      opponents: ["gone", "greedy"],
      options: ["snow", "wind"],
      clock: 77,
    });
    expect(setup.seats).toBe(3);
    expect(opponentsOf(setup)).toEqual(["journeyman", "greedy"]);
    expect(setup.options).toEqual(["wind"]);
    expect(setup.clock).toBe(0);
  });

  test("plays no option that does not fit the number of players", () => {
    expect(fittingOptions(game, normalizeSetup(game, { seats: 3, options: ["rain", "wind"] }))).toEqual(["wind"]);
    expect(fittingOptions(game, normalizeSetup(game, { seats: 5, options: ["rain", "wind"] }))).toEqual([]);
  });

  test("has no second player at this device when it is rated", () => {
    expect(opponentsOf(normalizeSetup(game, { seats: 2, opponents: [LOCAL_PLAYER], isRated: true }))).toEqual([FRIEND]);
  });

  test("is neither public nor rated in a quick game, whatever was set up before", () => {
    const setup = botGameSetup(
      game,
      normalizeSetup(game, { seats: 3, opponents: [FRIEND, "greedy"], isPublic: true, isRated: true, clock: 2 }),
    );
    expect(opponentsOf(setup)).toEqual(["journeyman", "greedy"]);
    expect([setup.isPublic, setup.isRated, setup.clock]).toEqual([false, false, 0]);
  });
});
