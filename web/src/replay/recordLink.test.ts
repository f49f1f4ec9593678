import { afterEach, expect, it, vi } from "vitest";
import { packRecord, unpackRecord } from "$app/replay/recordLink";

const RECORD = `[Game "sakura"]\n[Players "Zoë, 山"]\n\n${"+45 +46 +35 17 ^ ".repeat(200)}\n`;

afterEach(() => vi.unstubAllGlobals());

it("carries a whole record, packed", async () => {
  const fragment = await packRecord(RECORD);
  expect(fragment).toMatch(/^r=[A-Za-z0-9_-]+$/);
  expect(fragment.length).toBeLessThan(RECORD.length / 10);
  expect(await unpackRecord(`#${fragment}`)).toBe(RECORD);
});

it("works in a browser that packs nothing", async () => {
  vi.stubGlobal("CompressionStream", undefined);
  vi.stubGlobal("DecompressionStream", undefined);
  const fragment = await packRecord(RECORD);
  expect(fragment).toMatch(/^t=/);
  expect(await unpackRecord(fragment)).toBe(RECORD);
});

it("is no record where the link is broken", async () => {
  const fragment = await packRecord(RECORD);
  for (const broken of ["", "#", "#main", "#r=", "#r=AAAA", "#t=__", `#x${fragment}`, `#${fragment.slice(0, 40)}`]) {
    expect(await unpackRecord(broken)).toBeNull();
  }
});
