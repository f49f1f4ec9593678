import { beforeEach, describe, expect, test } from "vitest";
import { nameSubject, showChange, showRating } from "$app/home/ratings";
import { isLanguage, say, speech } from "$app/lib/words.svelte";

beforeEach(() => speech.speak("en"));

describe("words", () => {
  test("follow the plural rules of their language", async () => {
    expect([0, 1, 4].map((n) => say("queue_others", { n }))).toEqual(["nobody else waits", "one other waits", "4 others wait"]);
    await speech.speak("de");
    expect(say("queue_others", { n: 1 })).toBe("eine andere Person wartet");
  });

  test("are never made up", () => {
    expect(() => say("no_such_words")).toThrow("no_such_words");
    expect(speech.has("no_such_words")).toBe(false);
    expect(isLanguage("fr")).toBe(false);
  });

  test("of a game are learned, and follow when another language is spoken", async () => {
    const sayer = await speech.learn("sakura");
    expect(speech.knows("sakura", "due.direction")).toBe(true);
    const english = sayer("due.direction");
    await speech.speak("es");
    expect(speech.sayer("sakura")("due.direction")).not.toBe(english);
    expect(speech.knows("sakura", "result.unknown")).toBe(true);
  });

  test("leave what people wrote as it is", () => {
    expect(say("name_kept", { name: "<b>{n}</b>" })).toContain("<b>{n}</b>");
  });
});

describe("ratings", () => {
  test("are written as in the language that is spoken", async () => {
    expect([showRating(12.345), showChange({ mu_before: 25, mu_after: 24.5 })]).toEqual(["12.3", "-0.5"]);
    await speech.speak("de");
    expect([showRating(12.345), showChange({ mu_before: 25, mu_after: 26.5 })]).toEqual(["12,3", "+1,5"]);
    expect(showChange({ mu_before: null, mu_after: null })).toBe("");
  });

  test("name bots of the house with how long they think", () => {
    expect(nameSubject({ id: "bot:ismcts:1s", name: "ismcts:1s", kind: "bot" })).toBe("Searcher (1s)");
    expect(nameSubject({ id: "bot:planner", name: "planner", kind: "bot" })).toBe("Planner");
    expect(nameSubject({ id: "k3vq7m2xw4ta", name: "Ada's engine", kind: "bot" })).toBe("Ada's engine");
  });
});
