// The rulebook of a game: rules and glossary in each language, and an example game for the pictures.

import { i18n, type Language } from "$app/lib/i18n.svelte";

export interface Block {
  readonly text: string;
  /** The number of the rule. */
  readonly rule?: string;
  /** House data, or our decision where the printed rules are silent. */
  readonly mark?: "house" | "ours";
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** The caption of its picture, if it has one. */
  readonly caption?: string;
}

export interface GlossaryEntry {
  readonly id: string;
  readonly word: string;
  readonly meaning: string;
}

export interface Editions {
  readonly titles: readonly string[];
  readonly groups: readonly { readonly title: string; readonly names: readonly (readonly string[])[] }[];
}

export interface Rulebook {
  readonly sections: readonly Section[];
  readonly words: readonly GlossaryEntry[];
  readonly editions?: Editions;
}

/** The step of the example game for the picture of each section. */
export interface Pictures {
  readonly seat: number;
  readonly steps: Readonly<Record<string, number>>;
}

type Loader<T> = () => Promise<{ default: T }>;
const rulebooks = import.meta.glob("../../../src/pleasance/games/*/rulebook/??.json") as Record<
  string,
  Loader<Rulebook>
>;
const pictures = import.meta.glob("../../../src/pleasance/games/*/rulebook/pictures.json") as Record<
  string,
  Loader<Pictures>
>;
const examples = import.meta.glob("../../../src/pleasance/games/*/rulebook/example.txt", { query: "?raw" }) as Record<
  string,
  Loader<string>
>;

const texts = import.meta.glob("../../../src/pleasance/games/*/RULES.md", { query: "?raw" }) as Record<
  string,
  Loader<string>
>;

async function load<T>(from: Record<string, Loader<T>>, end: string): Promise<T | null> {
  const path = Object.keys(from).find((each) => each.endsWith(end));
  return path ? (await from[path]!()).default : null;
}

export const loadRulebook = (game: string, language: Language = i18n.language): Promise<Rulebook | null> =>
  load(rulebooks, `/games/${game}/rulebook/${language}.json`);

/** The rules as plain text, for a game without a rulebook. */
export const loadRulesText = (game: string): Promise<string | null> => load(texts, `/games/${game}/RULES.md`);

export async function loadExample(game: string): Promise<{ record: string; pictures: Pictures } | null> {
  const [record, steps] = await Promise.all([
    load(examples, `/games/${game}/rulebook/example.txt`),
    load(pictures, `/games/${game}/rulebook/pictures.json`),
  ]);
  return record !== null && steps !== null ? { record, pictures: steps } : null;
}
