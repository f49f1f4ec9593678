// SHA-256 and HMAC in plain TypeScript: browsers keep theirs for pages over HTTPS, and friends in a
// home network have none. Written after FIPS 180-4 and RFC 2104.

const BLOCK = 64;

/** The first 32 bits of the fractional part of a root of a prime, as the standard makes its constants. */
function fraction(prime: number, root: number): number {
  const power = prime ** (1 / root);
  return Math.floor((power - Math.floor(power)) * 2 ** 32);
}

function findPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

const PRIMES = findPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2));
const ROUND = PRIMES.map((prime) => fraction(prime, 3));

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Fill the message up to whole blocks: a one, zeros, and its length in bits. */
function pad(message: Uint8Array): Uint8Array {
  const filled = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  filled.set(message);
  filled[message.length] = 0x80;
  const end = new DataView(filled.buffer);
  end.setUint32(filled.length - 8, Math.floor(message.length / 2 ** 29));
  end.setUint32(filled.length - 4, (message.length << 3) >>> 0);
  return filled;
}

/** Spread the sixteen words of a block over the sixty-four rounds. */
function schedule(block: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64);
  for (let n = 0; n < 16; n += 1) words[n] = block.getUint32(at + 4 * n);
  for (let n = 16; n < 64; n += 1) {
    const [early, late] = [words[n - 15]!, words[n - 2]!];
    const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[n] = words[n - 16]! + small + words[n - 7]! + large;
  }
  return words;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < 64; n += 1) {
    const high = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + high + ROUND[n]! + words[n]!) | 0;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = state[n]! + word));
}

/** Compute the SHA-256 of some bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const filled = pad(message);
  const view = new DataView(filled.buffer);
  const state = Uint32Array.from(START);
  for (let at = 0; at < filled.length; at += BLOCK) mix(state, schedule(view, at));
  const digest = new Uint8Array(32);
  const written = new DataView(digest.buffer);
  state.forEach((word, n) => written.setUint32(4 * n, word));
  return digest;
}

/** Compute HMAC-SHA-256. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? sha256(key) : key;
  const masked = (mask: number): Uint8Array => Uint8Array.from({ length: BLOCK }, (_, n) => (short[n] ?? 0) ^ mask);
  return sha256(join(masked(0x5c), sha256(join(masked(0x36), message))));
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
