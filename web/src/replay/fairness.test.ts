import { describe, expect, it } from "vitest";
import { drawBelow, checkRecord, readRuns, type Outcomes } from "$app/replay/fairness";
import { readRecord } from "$app/replay/record";
import { fromHex, hmac, sha256, toHex } from "$app/replay/sha256";
import page from "../../../docs/fairness.md?raw";

const vector = (name: string): string => new RegExp(`^${name} \`([^\`]+)\``, "m").exec(page)![1]!;
const SECRET = vector("Secret");
const NONCES = vector("Nonces");
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, n) => (n * 89 + length) % 256);

// The browser's own, which a page over plain HTTP has not: made by others, so good to compare with.
const { subtle } = crypto;
const theirHash = async (message: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await subtle.digest("SHA-256", message as BufferSource)));

async function theirHmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const kept = await subtle.importKey("raw", key as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", kept, message as BufferSource));
}

describe("SHA-256 and HMAC", () => {
  it("are those of everybody else, whatever the length", async () => {
    for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 200, 1000]) {
      const message = bytes(length);
      expect(toHex(sha256(message))).toBe(await theirHash(message));
      for (const key of [bytes(1), bytes(32), bytes(64), bytes(100)]) {
        expect(toHex(hmac(key, message))).toBe(toHex(await theirHmac(key, message)));
      }
    }
  });
});

describe("docs/fairness.md", () => {
  it("has the commitment that its secret demands", () => {
    expect(toHex(sha256(fromHex(SECRET)))).toBe(vector("Commitment"));
  });

  const rows = [...page.matchAll(/^\| (\d+) \| (\d+) \| \d+ \| [0-9a-f]{16} \| (\d+) \|$/gm)];
  it("has test vectors", () => expect(rows.length).toBeGreaterThanOrEqual(9));
  it.each(rows.map((row) => row.slice(1)))("draw %s below %s is %s", (index, total, place) => {
    expect(drawBelow(fromHex(SECRET), NONCES, Number(index), BigInt(total))).toBe(BigInt(place));
  });
});

const WEIGHTS: Outcomes[] = [
  [
    ["+1", 1],
    ["+2", 2],
    ["+3", 3],
  ],
  [
    ["+a", 5],
    ["+b", 1],
  ],
  [["+x", 10]],
];

// What fairness.md would draw here, found in another way than the code under test finds it.
async function draw(index: number, outcomes: Outcomes): Promise<string> {
  const message = new TextEncoder().encode(`pleasance:1:${NONCES}:${index}:0`);
  const digest = await theirHmac(fromHex(SECRET), message);
  const line = outcomes.flatMap(([token, weight]) => Array<string>(weight).fill(token));
  return line[Number(new DataView(digest.buffer).getBigUint64(0) % BigInt(line.length))]!;
}

function write(tokens: string, { indexes = "1-3", secret = ` secret=${SECRET}`, more = "" } = {}): string {
  return (
    `[Game "x"]\n[Rules "1"]\n[Seats "3"]\n${more}` +
    `[Fair "1 commitment=${vector("Commitment")}${secret} nonces=${NONCES} draws=${indexes}"]\n\n${tokens}\n`
  );
}

const [one, two, three] = await Promise.all(WEIGHTS.map((outcomes, n) => draw(n + 1, outcomes)));
const GAME = `${one} {seat 1: +99}\n1. a b ${two}\n2. c ${three}`;

describe("the draws of a record", () => {
  it("are fair where each follows from the secret", () => {
    const verdict = checkRecord(write(GAME), WEIGHTS);
    expect(verdict.error).toBeNull();
    expect(verdict.isFair).toBe(true);
    expect(verdict.draws.map((each) => each.token)).toEqual([one, two, three]);
  });

  it("show which of them was another", () => {
    const forged = GAME.replace(two!, two === "+a" ? "+b" : "+a");
    const verdict = checkRecord(write(forged), WEIGHTS);
    expect(verdict.draws.map((each) => each.isFair)).toEqual([true, false, true]);
    expect(verdict.draws[1]!.expected).toBe(two);
    expect(verdict.isFair).toBe(false);
  });

  it("count what was taken back", async () => {
    const later = await draw(5, WEIGHTS[2]!);
    const verdict = checkRecord(write(`${one} ${two} ${later}`, { indexes: "1-2,5" }), WEIGHTS);
    expect([verdict.isFair, verdict.skipped]).toEqual([true, 2]);
  });

  it("leave out what was given with the beginning of a branch", async () => {
    const drawn = `${await draw(1, WEIGHTS[1]!)} ${await draw(2, WEIGHTS[2]!)}`;
    const given = write(`+3 a ${drawn}`, { indexes: "1-2", more: '[Opening "2"]\n' });
    const verdict = checkRecord(given, WEIGHTS);
    expect([verdict.isFair, verdict.given, verdict.draws.length]).toEqual([true, 1, 2]);
  });

  it.each([
    ["no_tag", '[Game "x"]\n\n+1', undefined],
    ["no_secret", GAME, { secret: "" }],
    ["commitment", GAME, { secret: ` secret=${"0".repeat(64)}` }],
    ["index_again", GAME, { indexes: "1,1-2" }],
    ["indexes", GAME, { indexes: "1-2" }],
  ] as const)("cannot be checked: %s", (error, text, tag) => {
    const verdict = checkRecord(tag ? write(text, tag) : text, WEIGHTS);
    expect(verdict.error).toBe(error);
    expect(verdict.isFair).toBe(false);
  });

  it("are not believed where the weights do not belong to them", () => {
    expect(checkRecord(write(GAME), WEIGHTS.slice(1)).error).toBe("indexes");
  });
});

describe("runs of numbers", () => {
  it("are read, and refused where they are none", () => {
    expect(readRuns("1-3,7")).toEqual([1, 2, 3, 7]);
    expect(readRuns("-")).toEqual([]);
    for (const broken of ["", "3-1", "0", "1-", "1-999999999", "1,,2"]) expect(readRuns(broken)).toBeNull();
  });
});

describe("a record", () => {
  it("is tags and tokens; numbers and remarks are for people", () => {
    const { tags, tokens } = readRecord(
      '\uFEFF[Game "x"]\r\n[Players "A \\"B\\", C"]\r\n\r\n+1 {two\nlines} +2\r\n1. 36:6r 12 -\r\n',
    );
    expect(tags).toEqual({ Game: "x", Players: 'A "B", C' });
    expect(tokens).toEqual(["+1", "+2", "36:6r", "12", "-"]);
  });
});
