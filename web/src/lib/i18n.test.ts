import { beforeEach, describe, expect, test } from "vitest";
import { nameSubject, formatChange, formatRating } from "$app/ratings/ratings";
import { isLanguage, say, i18n } from "$app/lib/i18n.svelte";

beforeEach(() => i18n.setLanguage("en"));

describe("messages", () => {
  test("follow the plural rules of their language", async () => {
    expect([0, 1, 4].map((n) => say("queue_others", { n }))).toEqual([
      "nobody else waits",
      "one other waits",
      "4 others wait",
    ]);
    await i18n.setLanguage("de");
    expect(say("queue_others", { n: 1 })).toBe("eine andere Person wartet");
  });

  test("are required", () => {
    expect(() => say("no_such_message")).toThrow("no_such_message");
    expect(i18n.has("no_such_message")).toBe(false);
    expect(isLanguage("fr")).toBe(false);
  });

  test("of a game are loaded, also after a change of language", async () => {
    const sayGame = await i18n.loadGame("sakura");
    expect(i18n.gameHas("sakura", "due.direction")).toBe(true);
    const english = sayGame("due.direction");
    await i18n.setLanguage("es");
    expect(i18n.forGame("sakura")("due.direction")).not.toBe(english);
    expect(i18n.gameHas("sakura", "result.unknown")).toBe(true);
  });

  test("do not interpret parameters", () => {
    expect(say("name_kept", { name: "<b>{n}</b>" })).toContain("<b>{n}</b>");
  });
});

describe("ratings", () => {
  test("are formatted for the language", async () => {
    expect([formatRating(12.345), formatChange({ mu_before: 25, mu_after: 24.5 })]).toEqual(["12.3", "-0.5"]);
    await i18n.setLanguage("de");
    expect([formatRating(12.345), formatChange({ mu_before: 25, mu_after: 26.5 })]).toEqual(["12,3", "+1,5"]);
    expect(formatChange({ mu_before: null, mu_after: null })).toBe("");
  });

  test("name built-in bots with their time", () => {
    expect(nameSubject({ id: "bot:ismcts:1s", name: "ismcts:1s", kind: "bot" })).toBe("Searcher (1s)");
    expect(nameSubject({ id: "bot:planner", name: "planner", kind: "bot" })).toBe("Planner");
    expect(nameSubject({ id: "k3vq7m2xw4ta", name: "Ada's engine", kind: "bot" })).toBe("Ada's engine");
  });
});
