// The text of a game, as far as the browser needs to read it: tags and tokens.

export interface RecordText {
  readonly tags: Readonly<Record<string, string>>;
  readonly tokens: readonly string[];
}

const TAG = /^[ \t]*\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*$/;
const NUMBER = /^[0-9]{1,6}\.$/;

/** Read a record; what is wrong with it the server says, which knows the rules. */
export function readRecord(text: string): RecordText {
  const tags: Record<string, string> = {};
  const rest: string[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const tag = TAG.exec(line);
    if (tag) tags[tag[1]!] = tag[2]!.replace(/\\(.)/g, "$1");
    else rest.push(line);
  }
  const words = rest.join("\n").replace(/\{[^}]*\}/g, " ").split(/\s+/);
  return { tags, tokens: words.filter((word) => word && !NUMBER.test(word)) };
}

export const isDraw = (token: string): boolean => token.startsWith("+");

/** Name who played, seat by seat; a record need not tell. */
export function readNames(tags: Readonly<Record<string, string>>): readonly string[] {
  return (tags.Players ?? "").split(",").map((name) => name.trim()).filter(Boolean);
}
