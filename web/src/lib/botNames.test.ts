import { expect, test } from "vitest";
import { numberDuplicates } from "$app/lib/botNames";

test("who shares a name gets a number", () => {
  expect(numberDuplicates(["Ada", "Planner", "Planner"])).toEqual(["Ada", "Planner 1", "Planner 2"]);
});

test("free seats stay without a name", () => {
  expect(numberDuplicates(["", ""])).toEqual(["", ""]);
});
