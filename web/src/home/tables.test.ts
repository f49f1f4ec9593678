import { describe, expect, test } from "vitest";
import { judge, type ListedSeat } from "$app/home/tables.svelte";

const sit = (seat: number, player: string | null): ListedSeat => ({ seat, player, name: "", bot: player ? null : "greedy" });
const taken = [sit(0, "ada"), sit(1, null), sit(2, "ben")];
const end = (...places: number[]) => ({ taken, results: places.map((place) => ({ place, points: 10 - place })) });

describe("how a game has ended", () => {
  test("is told to who has won, alone or with others, and to who has not", () => {
    expect(judge(end(1, 2, 3), "ada")).toEqual({ you: "won", winners: [], place: 1 });
    expect(judge(end(1, 3, 1), "ada")).toEqual({ you: "shared", winners: [2], place: 1 });
    expect(judge(end(1, 2, 3), "ben")).toEqual({ you: "lost", winners: [0], place: 3 });
    expect(judge(end(1, 2, 3), "eve")).toEqual({ you: "watched", winners: [0], place: 0 });
  });

  test("is told by the winner's name to who shared the device", () => {
    const shared = { ...end(2, 3, 1), taken: [sit(0, "ada"), sit(1, null), sit(2, "ada")] };
    expect(judge(shared, "ada")).toEqual({ you: "watched", winners: [2], place: 0 });
  });

  test("is not told while it runs, nor of games from before it was written down", () => {
    expect(judge(end(), "ada")).toBeNull();
  });
});
