import { describe, expect, test } from "vitest";
import type { SanssouciView } from "$app/wire";
import { NOTHING_TOUCHED, planAnimation, offsetsFromEnd, markTouched } from "./animation";

const ROW_ONE = [..."abcdefghi"].map((letter) => `${letter}1`);
const market = [{ space: "4l", motif: "e", cell: "e4" }];

function look(built: readonly string[], more: Record<string, unknown> = {}): SanssouciView {
  const garden = { built: [...ROW_ONE, ...built], gardeners: [], nobles: [0, 0, 0, 0, 0, 0, 0, 0, 0], boar: "e5" };
  return {
    phase: "walk",
    market,
    emptied: "4l",
    gardens: [garden, garden],
    score_items: [[], []],
    ...more,
  } as unknown as SanssouciView;
}
const earned = (points: number) => ({ score_items: [[{ code: "walks", points, params: {} }], []] });
const chose = (token: string) => [{ seat: 0, token }];

describe("beats", () => {
  test("a tile is played for, laid, and pays", () => {
    const parts = planAnimation({ before: look([]), view: look(["e4"], earned(2)), tokens: chose("e:4l") });
    expect(parts).toEqual([
      { kind: "play", seat: 0, card: "e", space: "4l" },
      { kind: "lay", seat: 0, space: "4l", cell: "e4", what: "tile" },
      { kind: "points", seat: 0, cell: "e4", points: 2 },
    ]);
  });

  test("a tile whose cell is taken is turned, then laid as a gardener from the same space", () => {
    const turned = planAnimation({
      before: look(["e4"]),
      view: look(["e4"], { phase: "place" }),
      tokens: chose("*:4l"),
    });
    expect(turned.map((part) => part.kind)).toEqual(["play", "turn"]);
    const laid = planAnimation({
      before: look(["e4"], { phase: "place" }),
      view: look(["e4", "e5"]),
      tokens: chose("@e5"),
    });
    expect(laid).toEqual([{ kind: "lay", seat: 0, space: "4l", cell: "e5", what: "gardener" }]);
  });

  test("a noble walks cell by cell from where it stood", () => {
    const parts = planAnimation({ before: look(["e2"]), view: look(["e2"], earned(2)), tokens: chose("e>2") });
    expect(parts).toEqual([
      { kind: "walk", seat: 0, column: 4, path: ["e0", "e1", "e2"] },
      { kind: "points", seat: 0, cell: "e2", points: 2 },
    ]);
  });

  test("a line that becomes complete is celebrated once", () => {
    const column = ["e2", "e3", "e5", "e6"];
    const parts = planAnimation({ before: look(column), view: look([...column, "e4"]), tokens: chose("e:4l") });
    expect(parts.filter((part) => part.kind === "line")).toEqual([
      { kind: "line", seat: 0, cells: ["e1", "e2", "e3", "e4", "e5", "e6"] },
    ]);
  });

  test("what the end brings is no part of the last walk", () => {
    const score_items = [
      [
        { code: "walks", points: 2, params: {} },
        { code: "row", points: 8, params: { row: 2 } },
      ],
      [],
    ];
    const parts = planAnimation({ before: look(["e2"]), view: look(["e2"], { score_items }), tokens: chose("e>2") });
    expect(parts.at(-1)).toEqual({ kind: "points", seat: 0, cell: "e2", points: 2 });
  });

  test("draws that are seen and draws that are not", () => {
    const views = { before: look([]), view: look([]) };
    expect(planAnimation({ ...views, tokens: [{ seat: null, token: "+t4l=e" }] })).toEqual([
      { kind: "refill", space: "4l" },
    ]);
    expect(planAnimation({ ...views, tokens: [{ seat: 0, token: "+c36" }] })).toEqual([
      { kind: "draw", seat: 0, card: "36" },
    ]);
    expect(planAnimation({ ...views, tokens: [{ seat: 1, token: null }] })).toEqual([
      { kind: "draw", seat: 1, card: null },
    ]);
    expect(planAnimation({ ...views, tokens: [{ seat: null, token: "+p1" }] })).toEqual([]);
  });

  test("a new turn of a seat clears the cells touched in its last turn and keeps those of other seats", () => {
    const lay = (seat: number, cell: string) => ({ kind: "lay", seat, space: "4l", cell, what: "tile" }) as const;
    const once = markTouched(NOTHING_TOUCHED, [lay(0, "a2"), lay(1, "b2"), { kind: "refill", space: "4l" }]);
    const twice = markTouched(once, [{ kind: "play", seat: 0, card: "e", space: "4l" }, lay(0, "c2")]);
    expect([...twice.cells.get(0)!]).toEqual(["c2"]);
    expect([...twice.cells.get(1)!]).toEqual(["b2"]);
    expect([...twice.spaces]).toEqual(["4l"]);
  });

  test("a walk is drawn backwards from its end", () => {
    expect(offsetsFromEnd(["e0", "e1", "d1", "d2", "e2"])).toEqual([
      { x: 0, y: -2 },
      { x: 0, y: -1 },
      { x: -1, y: -1 },
      { x: -1, y: 0 },
      { x: 0, y: 0 },
    ]);
  });
});
