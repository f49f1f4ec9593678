import { expect, test } from "vitest";
import { soundsOf } from "$app/playback/sound";

const chosen = [{ seat: 0, token: "36:6r" }];
const drawn = [{ seat: 1, token: "+?" }];

test("a choice is a step on gravel, and a draw stirs petals", () => {
  expect(soundsOf(chosen, [3, 4], [3, 4])).toEqual(["gravel"]);
  expect(soundsOf(drawn, [3, 4], [3, 4])).toEqual(["petals"]);
  expect(soundsOf([{ seat: 1, token: null }], [3, 4], [3, 4])).toEqual(["petals"]);
});

test("points ring, lost ones and the first ones seen do not", () => {
  expect(soundsOf(chosen, [3, 4], [3, 9])).toEqual(["gravel", "chime"]);
  expect(soundsOf(chosen, [3, 4], [3, 1])).toEqual(["gravel"]);
  expect(soundsOf(chosen, [], [3, 1])).toEqual(["gravel"]);
});
