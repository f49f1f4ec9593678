// A parser for the tags and tokens of a record.

export interface RecordText {
  readonly tags: Readonly<Record<string, string>>;
  readonly tokens: readonly string[];
}

const TAG = /^[ \t]*\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*$/;
const NUMBER = /^[0-9]{1,6}\.$/;

/** Parse a record without validating it; the server knows the rules. */
export function readRecord(text: string): RecordText {
  const tags: Record<string, string> = {};
  const otherLines: string[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const tag = TAG.exec(line);
    if (tag) tags[tag[1]!] = tag[2]!.replace(/\\(.)/g, "$1");
    else otherLines.push(line);
  }
  const words = otherLines
    .join("\n")
    .replace(/\{[^}]*\}/g, " ")
    .split(/\s+/);
  return { tags, tokens: words.filter((word) => word && !NUMBER.test(word)) };
}

export const isDraw = (token: string): boolean => token.startsWith("+");

/** List the names of the players, if the record has them. */
export function readNames(tags: Readonly<Record<string, string>>): readonly string[] {
  return (tags.Players ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}
