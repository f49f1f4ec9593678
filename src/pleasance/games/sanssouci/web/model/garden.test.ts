import { describe, expect, test } from "vitest";
import type { SanssouciGarden } from "$app/wire";
import { countMissing, findBoarArea, findPath, forecastWalks } from "./garden";
import samples from "./walks.sample.json";

function plant(built: string, more: Partial<SanssouciGarden> = {}): SanssouciGarden {
  return {
    board: "1A",
    built: built.split(" "),
    gardeners: [],
    nobles: [0, 0, 0, 0, 0, 0, 0, 0, 0],
    boar: null,
    rewards_board: null,
    rewards_side: null,
    ...more,
  };
}
const ROW_ONE = "a1 b1 c1 d1 e1 f1 g1 h1 i1";

describe("gardens", () => {
  test("a forecast of walks names exactly the walks that were legal in a real game", () => {
    expect(samples.length).toBeGreaterThan(3);
    for (const { built, gardeners, nobles, legal } of samples) {
      const garden = plant(built, {
        gardeners: gardeners ? gardeners.split(" ") : [],
        nobles: [...nobles].map(Number),
      });
      const walks = legal.split(" ").filter((token) => token !== "-");
      expect(
        forecastWalks(garden)
          .map((cell) => `${cell[0]}>${cell[1]}`)
          .sort(),
      ).toEqual(walks.sort());
    }
  });

  test("a tile that is considered opens walks", () => {
    const garden = plant(ROW_ONE);
    expect(forecastWalks(garden)).not.toContain("e2");
    expect(forecastWalks(garden, "e2")).toContain("e2");
  });

  test("a path leaves the terrace by its own column and goes around what is free", () => {
    const built = [...ROW_ONE.split(" "), "d2", "d3", "e3"];
    expect(findPath(built, "e0", "e3")).toEqual(["e0", "e1", "d1", "d2", "d3", "e3"]);
    expect(findPath(built, "e0", "e6")).toEqual(["e0", "e6"]);
  });

  test("the boar roams the free cells that touch", () => {
    const all = [1, 2, 3, 4, 5, 6].flatMap((row) => [..."abcdefghi"].map((letter) => letter + row));
    const free = ["e4", "e5", "a6"];
    const garden = plant(all.filter((cell) => !free.includes(cell)).join(" "), { boar: "e4" });
    expect(findBoarArea(garden).sort()).toEqual(["e4", "e5"]);
    expect(findBoarArea({ ...garden, boar: null })).toEqual([]);
  });

  test("what is missing of a line is counted", () => {
    const built = new Set([...ROW_ONE.split(" "), "a2", "a3"]);
    expect(countMissing(built, 1)).toBe(0);
    expect(countMissing(built, 2)).toBe(8);
    expect(countMissing(built, "a")).toBe(3);
  });
});
