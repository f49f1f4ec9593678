import { describe, expect, it } from "vitest";
import { drawLine, findTicks, listChanges, makeScale } from "$app/replay/chart";

const SCORES = [
  [0, 0],
  [0, 0],
  [5, 0],
  [5, -2],
  [5, -2],
  [9, 4],
];
const FRAME = { width: 120, height: 60, left: 20, right: 0, top: 0, bottom: 10 };

describe("ticks", () => {
  it("are round, few, and take everything in", () => {
    for (const [least, most] of [
      [0, 1],
      [0, 7],
      [-3, 12],
      [0, 98],
      [-20, 340],
      [0, 12_000],
    ] as const) {
      const ticks = findTicks(least, most);
      expect(ticks[0]).toBeLessThanOrEqual(least);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
    expect(findTicks(0, 98)).toEqual([0, 25, 50, 75, 100]);
  });
});

describe("lines", () => {
  it("stay inside their frame and end at the last score", () => {
    const scale = makeScale(SCORES, FRAME);
    expect(scale.x(0)).toBe(20);
    expect(scale.x(5)).toBe(120);
    expect(scale.y(scale.ticks.at(-1)!)).toBe(0);
    expect(scale.y(scale.ticks[0]!)).toBe(50);
    const numbers = drawLine(SCORES, 1, scale)
      .match(/-?[\d.]+/g)!
      .map(Number);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBe(120);
  });

  it("change only where a score does", () => {
    const scale = makeScale(SCORES, FRAME);
    expect(drawLine(SCORES, 0, scale).match(/V/g)).toHaveLength(2);
    expect(drawLine([[0, 0]], 0, makeScale([[0, 0]], FRAME))).toMatch(/^M20 \d+H20$/);
  });
});

describe("the table", () => {
  it("has the start and every change", () => {
    expect(listChanges(SCORES).map((row) => row.step)).toEqual([0, 2, 3, 5]);
    expect(listChanges(SCORES).at(-1)!.scores).toEqual([9, 4]);
  });
});
