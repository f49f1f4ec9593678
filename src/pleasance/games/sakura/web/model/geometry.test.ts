import { describe, expect, test } from "vitest";
import { listBridges, makeTallLayout, makeWideLayout, type Point } from "./geometry";

const FEW = { bridges: [5, 11, 21, 31], torii: 6, sakura: [16, 26, 36] };
const MANY = { bridges: [5, 6, 7, 13, 14, 15, 25, 26, 27, 37, 38, 39], torii: 8, sakura: [20, 32, 44] };
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

describe.each([
  ["wide", makeWideLayout, 26],
  ["tall", makeTallLayout, 21],
] as const)("a %s layout", (_, makeLayout, minDistance) => {
  test.each([FEW, MANY])("keeps all spaces on the paper and apart", (path) => {
    const layout = makeLayout(path);
    expect(layout.spaces).toHaveLength((path.sakura.at(-1) ?? 0) + 1);
    layout.spaces.forEach((point, space) => {
      expect(point.x).toBeGreaterThan(0);
      expect(point.x).toBeLessThan(layout.dimensions.width);
      expect(point.y).toBeGreaterThan(0);
      expect(point.y).toBeLessThan(layout.dimensions.height);
      layout.spaces.slice(1, space).forEach((other) => {
        expect(distance(point, other)).toBeGreaterThan(minDistance);
      });
    });
  });

  test("goes from space to space without a jump", () => {
    const layout = makeLayout(FEW);
    for (let place = 0; place < 36; place += 0.05) {
      expect(distance(layout.pointOf(place, 2), layout.pointOf(place + 0.05, 2))).toBeLessThan(layout.gap / 4);
    }
    expect(layout.pointOf(17)).toEqual(layout.spaces[17]);
  });

  test("gives every painter in the gate a point of its own", () => {
    const layout = makeLayout(MANY);
    const points = [0, 1, 2, 3, 4, 5].map((painter) => layout.pointInGate(painter));
    points.forEach((point, n) => {
      points.slice(0, n).forEach((other) => {
        expect(distance(point, other)).toBeGreaterThan(15);
      });
    });
  });
});

test("bridges have one space or three", () => {
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
