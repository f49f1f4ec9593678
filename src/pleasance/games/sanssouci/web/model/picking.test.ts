import { describe, expect, test } from "vitest";
import type { SanssouciView } from "$app/wire";
import { findNext, arrangeHand, parseSpot, respond, type Spot } from "./picking";
import { findTargets } from "./tokens";

const market = [
  { space: "2l", motif: "e", cell: "e2" },
  { space: "2r", motif: null, cell: null },
  { space: "3l", motif: "d", cell: "d3" },
  { space: "3r", motif: "d", cell: "d3" },
];
const nobles = [0, 0, 0, 0, 2, 0, 0, 0, 0];
const view = { market, hand: ["23", "e"], actor: 0, gardens: [{ nobles }] } as unknown as SanssouciView;
const TAKES = ["23:2l", "23:3l", "23:3r", "e:2l"];

const spot = (text: string): Spot => parseSpot(text)!;
const point = (at: string, legal: readonly string[], selected: string | null = null) =>
  respond(spot(at), { view, targets: findTargets(legal), selected: selected ? spot(selected) : null });

describe("picking", () => {
  test("a card is selected, then a tile is taken with it", () => {
    expect(point("card/23", TAKES)).toEqual({ select: spot("card/23"), pick: null });
    expect(point("space/3l", TAKES, "card/23")).toEqual({ pick: "23:3l", select: null });
  });

  test("a tile is selected, then a card is played for it", () => {
    expect(point("space/2l", TAKES)).toEqual({ select: spot("space/2l"), pick: null });
    expect(point("card/e", TAKES, "space/2l")).toEqual({ pick: "e:2l", select: null });
  });

  test("a tile that only one card may take needs no second click", () => {
    expect(point("space/3r", TAKES)).toEqual({ pick: "23:3r", select: null });
  });

  test("a card on a tile it may not take asks why", () => {
    expect(point("space/3l", TAKES, "card/e")).toEqual({ ask: "e:3l" });
    expect(point("card/e", TAKES, "space/3l")).toEqual({ ask: "e:3l" });
  });

  test("a tile that no card takes asks about none of them", () => {
    expect(point("space/3l", ["e:2l"])).toEqual({ isTakenByNone: true });
  });

  test("an empty space is nothing to take", () => {
    expect(point("space/2r", TAKES)).toEqual({});
  });

  test("the same card again lays it down", () => {
    expect(point("card/23", TAKES, "card/23")).toEqual({ select: null, pick: null });
  });

  test("a tile brought to its cell is taken, if it is clear which card is played", () => {
    expect(point("cell/d3", TAKES, "space/3r")).toEqual({ pick: "23:3r", select: null });
    expect(point("cell/e2", TAKES, "card/e")).toEqual({ pick: "e:2l", select: null });
    expect(point("cell/e2", TAKES, "space/2l")).toEqual({});
    expect(point("cell/a6", TAKES, "space/2l")).toEqual({});
  });

  test("a gardener stands where it may, and elsewhere one is told why not", () => {
    expect(point("cell/c4", ["@c4"])).toEqual({ pick: "@c4", select: null });
    expect(point("cell/c5", ["@c4"])).toEqual({ ask: "@c5" });
    expect(point("cell/c0", ["@c4"])).toEqual({});
    expect(point("cell/c5", ["~c4"])).toEqual({ ask: "~c5" });
  });

  test("the end of a walk names its noble", () => {
    expect(point("cell/e5", ["e>5", "-"])).toEqual({ pick: "e>5", select: null });
    expect(point("cell/e4", ["e>5", "-"])).toEqual({ ask: "e>4" });
  });

  test("a noble that can walk is selected, one that cannot is asked about", () => {
    expect(point("cell/e2", ["e>5", "-"])).toEqual({ select: spot("cell/e2"), pick: null });
    expect(point("cell/a0", ["e>5", "-"])).toEqual({ ask: "a>1" });
  });

  test("while others choose, nothing happens", () => {
    for (const at of ["card/e", "space/2l", "cell/e5"]) expect(point(at, [])).toEqual({});
  });

  test("a card stays where it lies, whatever comes and goes beside it", () => {
    expect(arrangeHand([], ["24", "56"])).toEqual(["24", "56"]);
    expect(arrangeHand(["24", "56"], ["56"])).toEqual([null, "56"]);
    expect(arrangeHand([null, "56"], ["56", "e"])).toEqual(["e", "56"]);
  });

  test("what was selected says what comes next", () => {
    const next = (legal: readonly string[], selected?: string, hovered?: string) =>
      findNext({ view, targets: findTargets(legal), selected: parseSpot(selected) }, parseSpot(hovered));
    expect(next(TAKES)).toBeNull();
    expect(next(TAKES, undefined, "card/e")).toBeNull();
    expect(next(TAKES, "card/e")).toBe("tile");
    expect(next(TAKES, "space/2l")).toBe("card");
    expect(next(["e>5", "-"], "cell/e2")).toBe("end");
    // No tile shows a vine, so its card takes any; the free choice needs no reason.
    expect(next(["i:2l", "i:3r"], undefined, "card/i")).toBe("any_tile");
    expect(next(["i:2l", "i:3r"], "card/i")).toBe("any_tile");
    expect(next(["*:2l"], "card/*")).toBe("tile");
  });
});
