import { beforeAll, describe, expect, test } from "vitest";
import { describeClock, formatTime } from "$app/lib/time";
import { i18n } from "$app/lib/i18n.svelte";

beforeAll(() => i18n.setLanguage("en"));

describe("time that is left", () => {
  test("counts down to zero and never shows less than there is", () => {
    expect([0, 0.2, 59.1, 60, 125].map(formatTime)).toEqual(["0:00", "0:01", "1:00", "1:00", "2:05"]);
  });

  test("has hours, and then days", () => {
    expect(formatTime(3725)).toBe("1:02:05");
    expect(formatTime(86_399.5)).toBe("1 d 0 h");
    expect(formatTime(2 * 86_400 + 3 * 3600 + 59)).toBe("2 d 3 h");
  });
});

describe("a clock in words", () => {
  test("is told in the largest unit that fits", () => {
    expect(describeClock(null)).toBe("no clock");
    expect(describeClock({ move: 30, bank: 300 })).toBe("30 seconds a move, 5 minutes in reserve");
    expect(describeClock({ move: 86_400, bank: 0 })).toBe("1 day a move");
    expect(describeClock({ move: 90, bank: 0 })).toBe("90 seconds a move");
  });

  test("is told in the language that is spoken", async () => {
    await i18n.setLanguage("de");
    expect(describeClock({ move: 259_200, bank: 0 })).toContain("3 Tage");
    await i18n.setLanguage("es");
    expect(describeClock({ move: 60, bank: 0 })).toContain("1 minuto");
  });
});
