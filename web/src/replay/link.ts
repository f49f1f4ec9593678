// A whole game in a link: the record stands compressed behind the #, which no browser sends anywhere,
// so nothing is kept on the server.

const PACKED = "r";
const PLAIN = "t";

type Change = CompressionStream | DecompressionStream;

async function pass(bytes: Uint8Array, through: Change): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function toText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** Write a record as the part of a link behind the #. */
export async function packRecord(record: string): Promise<string> {
  const bytes = new TextEncoder().encode(record);
  // An old browser packs nothing, but its link is read all the same.
  if (typeof CompressionStream === "undefined") return `${PLAIN}=${toText(bytes)}`;
  return `${PACKED}=${toText(await pass(bytes, new CompressionStream("deflate-raw")))}`;
}

/** Read what `packRecord` wrote; `null` where there is no record, or a broken one. */
export async function unpackRecord(fragment: string): Promise<string | null> {
  const match = /^#?([rt])=([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!match) return null;
  try {
    const bytes = toBytes(match[2]!);
    const plain = match[1] === PLAIN ? bytes : await pass(bytes, new DecompressionStream("deflate-raw"));
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    return null;
  }
}
