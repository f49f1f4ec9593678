import { describe, expect, test } from "vitest";
import type { SanssouciGarden, SanssouciView } from "$app/wire";
import { findHighlights } from "./highlights";
import { parseSpot } from "./picking";
import { findTargets } from "./tokens";

const ROW_ONE = [..."abcdefghi"].map((letter) => `${letter}1`);
const garden: SanssouciGarden = {
  board: "1A",
  built: [...ROW_ONE, "d3", "e2"],
  gardeners: ["e2"],
  nobles: [0, 0, 0, 0, 1, 0, 0, 0, 0],
  boar: null,
  rewards_board: null,
  rewards_side: null,
};
const market = [
  { space: "2l", motif: "f", cell: "f2" },
  { space: "3l", motif: "d", cell: "d3" },
];
const view = { market, phase: "take", gardens: [garden] } as unknown as SanssouciView;
const TAKES = ["23:2l", "23:3l", "f:2l"];

function look(
  legal: readonly string[],
  more: { hovered?: string; selected?: string; picked?: string } = {},
  shown = view,
) {
  const spot = (text: string | undefined) => parseSpot(text);
  return findHighlights({
    view: shown,
    targets: findTargets(legal),
    garden,
    hovered: spot(more.hovered),
    selected: spot(more.selected),
    picked: more.picked ?? null,
  });
}

describe("lights", () => {
  test("at first all tiles are lit that some card may take, then those of the card that is hovered at", () => {
    expect([...look(TAKES).spaces]).toEqual(["2l", "3l"]);
    expect([...look(TAKES, { hovered: "card/f" }).spaces]).toEqual(["2l"]);
    expect([...look(TAKES, { selected: "card/f" }).spaces]).toEqual(["2l"]);
  });

  test("hovering over a card that has left the hand keeps the tiles of all cards highlighted", () => {
    expect([...look(TAKES, { hovered: "card/46" }).spaces]).toEqual(["2l", "3l"]);
  });

  test("a tile shows the cards that may take it, its cell, and the walks it opens", () => {
    const highlights = look(TAKES, { hovered: "space/2l" });
    expect([...highlights.cards]).toEqual(["23", "f"]);
    expect(highlights.ghost).toEqual({ cell: "f2", what: "motif" });
    expect([...highlights.opened]).toEqual(["f2"]);
  });

  test("a tile whose cell is taken shows every cell where a gardener may stand", () => {
    const cells = [...look(TAKES, { hovered: "space/3l" }).cells.keys()];
    expect(cells).toContain("a3");
    expect(cells).toContain("d6");
    expect(cells).not.toContain("d3");
    expect(cells).not.toContain("a4");
  });

  test("a tile shows where it would go also while others choose", () => {
    expect(look([], { hovered: "space/2l" }).ghost).toEqual({ cell: "f2", what: "motif" });
    expect([...look([], { hovered: "space/2l" }).spaces]).toEqual([]);
  });

  test("a noble that was selected shows only its own ends; an end shows the way", () => {
    const walking = { ...view, phase: "walk" } as SanssouciView;
    const legal = ["d>1", "d>3", "e>3", "-"];
    expect([...look(legal, {}, walking).ends]).toEqual(["d1", "d3", "e3"]);
    expect([...look(legal, { selected: "cell/e1" }, walking).ends]).toEqual(["e3"]);
    const shown = look(legal, { hovered: "cell/d1" }, walking);
    expect(shown.path).toEqual(["d0", "d1"]);
    expect(shown.ghost).toEqual({ cell: "d1", what: "noble" });
  });

  test("what is picked stays lit while it waits to be confirmed", () => {
    expect(look(["@a3", "@d6"], { picked: "@d6" }).ghost).toEqual({ cell: "d6", what: "gardener" });
    expect(look(TAKES, { picked: "f:2l" }).ghost).toEqual({ cell: "f2", what: "motif" });
  });
});
