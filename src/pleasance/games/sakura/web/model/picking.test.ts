import { expect, it } from "vitest";
import { listCourt, listOwn, readPair, tap, isPairDue, isDirectionDue } from "./picking";

const PAIRS = ["8/17", "8/39", "17/8", "17/39", "39/8", "39/17"];

it("reads one card and two, and no direction", () => {
  expect(readPair("17")).toEqual({ own: 17, court: null });
  expect(readPair("17/42")).toEqual({ own: 17, court: 42 });
  expect(readPair("^")).toBeNull();
});

it("tells what is wanted from what is legal", () => {
  expect(isPairDue(["8", "17"])).toBe(false);
  expect(isPairDue(PAIRS)).toBe(true);
  expect(isDirectionDue(["^", "v"])).toBe(true);
  expect([...listOwn(PAIRS)]).toEqual([8, 17, 39]);
  expect([...listCourt(PAIRS, 8)]).toEqual([17, 39]);
});

it("picks a card at the first tap and names it again at the second", () => {
  expect(tap(8, ["8", "17"], null, null)).toEqual({ own: null, token: "8" });
  expect(tap(8, ["8", "17"], null, "8")).toEqual({ own: null, token: "8" });
  expect(tap(9, ["8", "17"], null, null)).toEqual({ own: null });
});

it("takes the first of two cards for oneself and the second for the court painter", () => {
  expect(tap(8, PAIRS, null, null)).toEqual({ own: 8 });
  expect(tap(39, PAIRS, 8, null)).toEqual({ own: 8, token: "8/39" });
  expect(tap(17, PAIRS, 8, "8/39")).toEqual({ own: 8, token: "8/17" });
  expect(tap(39, PAIRS, 8, "8/39")).toEqual({ own: 8, token: "8/39" });
});

it("puts the own card back when it is tapped again", () => {
  expect(tap(8, PAIRS, 8, null)).toEqual({ own: null, token: null });
  expect(tap(8, PAIRS, 8, "8/39")).toEqual({ own: null, token: null });
});
