// A game in a link: the fragment contains the compressed record. Browsers send no fragments, so no server stores it.

const COMPRESSED = "r";
const PLAIN = "t";

type Transform = CompressionStream | DecompressionStream;

async function transform(bytes: Uint8Array, through: Transform): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(through);
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

/** Encode a record as the fragment of a link. */
export async function packRecord(record: string): Promise<string> {
  const bytes = new TextEncoder().encode(record);
  // Old browsers cannot compress; links with plain text are read too.
  if (typeof CompressionStream === "undefined") return `${PLAIN}=${toText(bytes)}`;
  return `${COMPRESSED}=${toText(await transform(bytes, new CompressionStream("deflate-raw")))}`;
}

/** Decode a fragment of `packRecord`; `null` if there is no valid record. */
export async function unpackRecord(fragment: string): Promise<string | null> {
  const match = /^#?([rt])=([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!match) return null;
  try {
    const bytes = toBytes(match[2]!);
    const plain = match[1] === PLAIN ? bytes : await transform(bytes, new DecompressionStream("deflate-raw"));
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    return null;
  }
}
