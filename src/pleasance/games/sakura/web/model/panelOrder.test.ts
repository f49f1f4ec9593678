import { expect, test } from "vitest";
import { panelOffsets } from "./panelOrder";

test("in the order of the seats nobody's place moves", () => {
  expect(panelOffsets([0, 1, 2], 3).every(({ x, y }) => x === 0 && y === 0)).toBe(true);
});

test("places come to lie in the order of the cards, over several rows too", () => {
  expect(panelOffsets([2, 0, 1], 3)).toEqual([
    { x: 1, y: 0 },
    { x: 1, y: 0 },
    { x: -2, y: 0 },
  ]);
  expect(panelOffsets([4, 0, 1, 2, 3], 3)[4]).toEqual({ x: -1, y: -1 });
});
