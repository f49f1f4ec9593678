import { expect, test } from "vitest";
import { countUp, type Part } from "$app/table/scoreSheet";

const part = (...points: number[]): Part => ({
  label: "",
  shares: points.map((each) => ({ points: each, items: [] })),
});
const PARTS = [part(30, 20), part(10, 15), part(-5, 0)];

test("nothing is counted before the first moment", () => {
  expect(countUp(PARTS, 0, 0)).toBe(0);
});

test("a sum runs up while its part is counted and then rests", () => {
  expect(countUp(PARTS, 0, 0.3)).toBe(15);
  expect(countUp(PARTS, 0, 0.7)).toBe(30);
  expect(countUp(PARTS, 1, 1.6)).toBe(35);
});

test("what is lost is counted down", () => {
  expect(countUp(PARTS, 0, 2.3)).toBe(38);
});

test("after all parts the sum is the score", () => {
  expect([0, 1].map((seat) => countUp(PARTS, seat, 3))).toEqual([35, 35]);
  expect(countUp(PARTS, 0, 9)).toBe(35);
});
