// What is said, in the language of whoever looks: patterns in ICU MessageFormat from the catalogs.

import { IntlMessageFormat } from "intl-messageformat";

export const LANGUAGES = { en: "English", es: "Español", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export type Params = Readonly<Record<string, string | number>>;
/** Says what stands under a key. */
export type Say = (key: string, params?: Params) => string;

type Catalog = Readonly<Record<string, string>>;
type Loader = () => Promise<{ default: Catalog }>;

const ofApp = import.meta.glob("../../../src/pleasance/server/words/*.json") as Record<string, Loader>;
const ofGames = import.meta.glob("../../../src/pleasance/games/*/messages/*.json") as Record<string, Loader>;
const ofCore = import.meta.glob("../../../src/pleasance/i18n/catalogs/*.json") as Record<string, Loader>;

export function isLanguage(code: string): code is Language {
  return code in LANGUAGES;
}

class Speech {
  language = $state<Language>("en");
  private catalog = $state.raw<Catalog>({});
  private games = $state.raw<Readonly<Record<string, Catalog>>>({});
  private formats = new Map<string, IntlMessageFormat>();

  /** Load a language and say everything in it from now on. */
  async speak(language: Language): Promise<void> {
    const known = Object.keys(this.games);
    const [app, ...games] = await Promise.all([
      load(ofApp, `/words/${language}.json`),
      ...known.map((game) => loadGame(game, language)),
    ]);
    this.formats.clear();
    this.catalog = app;
    this.games = Object.fromEntries(known.map((game, n) => [game, games[n] ?? {}]));
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Load the words of a game, and give what says them. */
  async learn(game: string): Promise<Say> {
    if (!(game in this.games)) {
      const words = await loadGame(game, this.language);
      this.games = { ...this.games, [game]: words };
    }
    return this.sayer(game);
  }

  /** Say things of a game whose words were loaded. */
  sayer(game: string): Say {
    return (key, params) => this.format(`${game}:${key}`, this.games[game]?.[key], params);
  }

  /** Say something of the app: `say("sit")` stands under `page.sit`. */
  say: Say = (key, params) => this.format(key, this.catalog[`page.${key}`], params);

  has(key: string): boolean {
    return `page.${key}` in this.catalog;
  }

  /** Tell whether a game has words of its own for something. */
  knows(game: string, key: string): boolean {
    return key in (this.games[game] ?? {});
  }

  private format(key: string, pattern: string | undefined, params: Params = {}): string {
    if (pattern === undefined) throw new Error(`no words for ${key} in ${this.language}`);
    let format = this.formats.get(key);
    if (!format) {
      format = new IntlMessageFormat(pattern, this.language, undefined, { ignoreTag: true });
      this.formats.set(key, format);
    }
    return String(format.format(params));
  }
}

async function load(from: Record<string, Loader>, end: string): Promise<Catalog> {
  const path = Object.keys(from).find((each) => each.endsWith(end));
  return path ? (await from[path]!()).default : {};
}

/** The words of a game, and those that every game has. */
async function loadGame(game: string, language: Language): Promise<Catalog> {
  const [core, own] = await Promise.all([
    load(ofCore, `/catalogs/${language}.json`),
    load(ofGames, `/${game}/messages/${language}.json`),
  ]);
  return { ...core, ...own };
}

export const speech = new Speech();
export const say = speech.say;
