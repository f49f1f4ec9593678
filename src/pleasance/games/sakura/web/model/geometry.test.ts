import { describe, expect, it } from "vitest";
import { layTall, layWide, listBridges, type Spot } from "./geometry";

const FEW = { bridges: [5, 11, 21, 31], torii: 6, sakura: [16, 26, 36] };
const MANY = { bridges: [5, 6, 7, 13, 14, 15, 25, 26, 27, 37, 38, 39], torii: 8, sakura: [20, 32, 44] };
const apart = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);

describe.each([
  ["wide", layWide, 26],
  ["tall", layTall, 21],
] as const)("a %s scroll", (_, lay, least) => {
  it.each([FEW, MANY])("keeps all spaces on the paper and apart", (path) => {
    const layout = lay(path);
    expect(layout.spaces).toHaveLength((path.sakura.at(-1) ?? 0) + 1);
    layout.spaces.forEach((spot, space) => {
      expect(spot.x).toBeGreaterThan(0);
      expect(spot.x).toBeLessThan(layout.makeTimeline.width);
      expect(spot.y).toBeGreaterThan(0);
      expect(spot.y).toBeLessThan(layout.makeTimeline.height);
      layout.spaces.slice(1, space).forEach((other) => expect(apart(spot, other)).toBeGreaterThan(least));
    });
  });

  it("walks from space to space without a jump", () => {
    const layout = lay(FEW);
    for (let place = 0; place < 36; place += 0.05) {
      expect(apart(layout.spot(place, 2), layout.spot(place + 0.05, 2))).toBeLessThan(layout.gap / 4);
    }
    expect(layout.spot(17)).toEqual(layout.spaces[17]);
  });

  it("gives everybody in the gate a place of their own", () => {
    const layout = lay(MANY);
    const slots = [0, 1, 2, 3, 4, 5].map((painter) => layout.slot(painter));
    slots.forEach((slot, n) => slots.slice(0, n).forEach((other) => expect(apart(slot, other)).toBeGreaterThan(15)));
  });
});

it("finds bridges of one space and of three", () => {
  expect(listBridges(FEW)).toEqual([
    [5, 5],
    [11, 11],
    [21, 21],
    [31, 31],
  ]);
  expect(listBridges(MANY)).toEqual([
    [5, 7],
    [13, 15],
    [25, 27],
    [37, 39],
  ]);
});
