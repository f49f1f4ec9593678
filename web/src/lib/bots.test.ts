import { expect, test } from "vitest";
import { tellApart } from "$app/lib/bots";

test("who shares a name gets a number", () => {
  expect(tellApart(["Ada", "Planner", "Planner"])).toEqual(["Ada", "Planner 1", "Planner 2"]);
});

test("free seats stay without a name", () => {
  expect(tellApart(["", ""])).toEqual(["", ""]);
});
