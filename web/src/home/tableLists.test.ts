import { describe, expect, test } from "vitest";
import { resultFor, type ListedSeat } from "$app/home/tableLists.svelte";

const sit = (seat: number, player: string | null): ListedSeat => ({
  seat,
  player,
  name: "",
  bot: player ? null : "greedy",
});
const taken = [sit(0, "ada"), sit(1, null), sit(2, "ben")];
const end = (...places: number[]) => ({ taken, results: places.map((place) => ({ place, points: 10 - place })) });

describe("the result of a finished game", () => {
  test("is won alone, won with others, lost, or watched", () => {
    expect(resultFor(end(1, 2, 3), "ada")).toEqual({ you: "won", winners: [], place: 1 });
    expect(resultFor(end(1, 3, 1), "ada")).toEqual({ you: "shared", winners: [2], place: 1 });
    expect(resultFor(end(1, 2, 3), "ben")).toEqual({ you: "lost", winners: [0], place: 3 });
    expect(resultFor(end(1, 2, 3), "eve")).toEqual({ you: "watched", winners: [0], place: 0 });
  });

  test("names the winners to players who share a device", () => {
    const shared = { ...end(2, 3, 1), taken: [sit(0, "ada"), sit(1, null), sit(2, "ada")] };
    expect(resultFor(shared, "ada")).toEqual({ you: "watched", winners: [2], place: 0 });
  });

  test("is missing while the game runs, and for old games without results", () => {
    expect(resultFor(end(), "ada")).toBeNull();
  });
});
