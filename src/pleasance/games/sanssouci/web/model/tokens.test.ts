import { describe, expect, test } from "vitest";
import { findTargets, parseChoice, parseOutcome } from "./tokens";

describe("tokens", () => {
  test("every kind of choice is read", () => {
    expect(parseChoice("36:6r")).toEqual({ kind: "take", card: "36", space: "6r" });
    expect(parseChoice("e:4l")).toEqual({ kind: "take", card: "e", space: "4l" });
    expect(parseChoice("*:2r")).toEqual({ kind: "take", card: "*", space: "2r" });
    expect(parseChoice("@c4")).toEqual({ kind: "place", cell: "c4" });
    expect(parseChoice("~d4")).toEqual({ kind: "boar", cell: "d4" });
    expect(parseChoice("e>5")).toEqual({ kind: "walk", column: "e", row: 5 });
    expect(parseChoice("-")).toEqual({ kind: "stay" });
    expect(parseChoice("B")).toEqual({ kind: "side", side: "B" });
  });

  test("draws are no choices, and nonsense is neither", () => {
    for (const token of ["+t4l=e", "+c36", "+?", "j:4l", "e:1l", "@j1", "e>7", ""])
      expect(parseChoice(token)).toBeNull();
    expect(parseOutcome("+t4l=e")).toEqual({ kind: "tile", space: "4l", motif: "e" });
    expect(parseOutcome("+c*")).toEqual({ kind: "card", card: "*" });
    for (const token of ["+p2", "+g3B", "+me", "+?", "36:6r"]) expect(parseOutcome(token)).toBeNull();
  });

  test("cards and spaces find each other", () => {
    const targets = findTargets(["36:3l", "36:6r", "*:3l"]);
    expect([...targets.spacesOf.get("36")!]).toEqual(["3l", "6r"]);
    expect(targets.cardsOf.get("3l")).toEqual(["36", "*"]);
    expect(targets.cardsOf.has("4l")).toBe(false);
    expect(targets.due).toBe("take");
  });

  test("a walk is found by the cell where it ends, and by its noble", () => {
    const targets = findTargets(["a>2", "e>3", "e>5", "-"]);
    expect(targets.cells.get("e5")).toBe("e>5");
    expect([...targets.nobles]).toEqual(["a", "e"]);
    expect(targets.canStay).toBe(true);
    expect(targets.due).toBe("walk");
  });

  test("where nobody can walk, the walk is still what is due", () => {
    expect(findTargets(["-"])).toMatchObject({ due: "walk", canStay: true });
    expect(findTargets([])).toMatchObject({ due: null, canStay: false });
  });
});
