// What a game's folder `learn/` holds: the rules in each language, words, and an example to draw.

import { speech, type Language } from "$app/lib/words.svelte";

export interface Block {
  readonly text: string;
  /** The number of the rule. */
  readonly rule?: string;
  /** Whether it is house data, or decided by us where the printed rules are silent. */
  readonly mark?: "house" | "ours";
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** What its picture shows, where it has one. */
  readonly caption?: string;
}

export interface Word {
  readonly id: string;
  readonly word: string;
  readonly meaning: string;
}

export interface Editions {
  readonly titles: readonly string[];
  readonly groups: readonly { readonly title: string; readonly names: readonly (readonly string[])[] }[];
}

export interface Texts {
  readonly sections: readonly Section[];
  readonly words: readonly Word[];
  readonly editions?: Editions;
}

/** Which moment of the example goes with which section. */
export interface Pictures {
  readonly seat: number;
  readonly steps: Readonly<Record<string, number>>;
}

type Loader<T> = () => Promise<{ default: T }>;
const texts = import.meta.glob("../../../src/pleasance/games/*/rulebook/??.json") as Record<string, Loader<Texts>>;
const pictures = import.meta.glob("../../../src/pleasance/games/*/rulebook/pictures.json") as Record<string, Loader<Pictures>>;
const examples = import.meta.glob("../../../src/pleasance/games/*/rulebook/example.txt", { query: "?raw" }) as Record<string, Loader<string>>;

async function load<T>(from: Record<string, Loader<T>>, end: string): Promise<T | null> {
  const path = Object.keys(from).find((each) => each.endsWith(end));
  return path ? (await from[path]!()).default : null;
}

export const loadTexts = (game: string, language: Language = speech.language): Promise<Texts | null> =>
  load(texts, `/games/${game}/learn/${language}.json`);

export async function loadExample(game: string): Promise<{ record: string; pictures: Pictures } | null> {
  const [record, wanted] = await Promise.all([
    load(examples, `/games/${game}/learn/example.txt`),
    load(pictures, `/games/${game}/learn/pictures.json`),
  ]);
  return record !== null && wanted !== null ? { record, pictures: wanted } : null;
}
