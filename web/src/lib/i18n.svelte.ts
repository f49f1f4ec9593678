// Texts in the user's language: ICU MessageFormat patterns from the message catalogs.

import { IntlMessageFormat } from "intl-messageformat";

export const LANGUAGES = { en: "English", es: "Español", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export type Params = Readonly<Record<string, string | number>>;
/** Formats the message of a key. */
export type Say = (key: string, params?: Params) => string;

type Catalog = Readonly<Record<string, string>>;
type Loader = () => Promise<{ default: Catalog }>;

const appCatalogs = import.meta.glob("../../../src/pleasance/server/catalogs/*.json") as Record<string, Loader>;
const gameCatalogs = import.meta.glob("../../../src/pleasance/games/*/messages/*.json") as Record<string, Loader>;
const coreCatalogs = import.meta.glob("../../../src/pleasance/i18n/catalogs/*.json") as Record<string, Loader>;

export function isLanguage(code: string): code is Language {
  return code in LANGUAGES;
}

class Translations {
  language = $state<Language>("en");
  private app = $state.raw<Catalog>({});
  private games = $state.raw<Readonly<Record<string, Catalog>>>({});
  private readonly formats = new Map<string, IntlMessageFormat>();

  /** Load the catalogs of *language*, then show everything in it. */
  async setLanguage(language: Language): Promise<void> {
    const names = Object.keys(this.games);
    const [app, ...games] = await Promise.all([
      load(appCatalogs, `/catalogs/${language}.json`),
      ...names.map((game) => loadGame(game, language)),
    ]);
    this.formats.clear();
    this.app = app;
    this.games = Object.fromEntries(names.map((game, n) => [game, games[n] ?? {}]));
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Load the catalog of a game. */
  async loadGame(game: string): Promise<Say> {
    if (!(game in this.games)) {
      const catalog = await loadGame(game, this.language);
      this.games = { ...this.games, [game]: catalog };
    }
    return this.forGame(game);
  }

  /** Return the `say` of a game whose catalog is loaded. */
  forGame(game: string): Say {
    return (key, params) => this.format(`${game}:${key}`, this.games[game]?.[key], params);
  }

  /** Format a message of the app: `say("sit")` has the key `page.sit`. */
  say: Say = (key, params) => this.format(key, this.app[`page.${key}`], params);

  has(key: string): boolean {
    return `page.${key}` in this.app;
  }

  gameHas(game: string, key: string): boolean {
    return key in (this.games[game] ?? {});
  }

  private format(key: string, pattern: string | undefined, params: Params = {}): string {
    if (pattern === undefined) throw new Error(`no message ${key} in ${this.language}`);
    let format = this.formats.get(key);
    if (!format) {
      format = new IntlMessageFormat(pattern, this.language, undefined, { ignoreTag: true });
      this.formats.set(key, format);
    }
    return String(format.format(params));
  }
}

async function load(catalogs: Record<string, Loader>, end: string): Promise<Catalog> {
  const path = Object.keys(catalogs).find((each) => each.endsWith(end));
  return path ? (await catalogs[path]!()).default : {};
}

/** Load the messages of a game and those that all games share. */
async function loadGame(game: string, language: Language): Promise<Catalog> {
  const [core, own] = await Promise.all([
    load(coreCatalogs, `/catalogs/${language}.json`),
    load(gameCatalogs, `/${game}/messages/${language}.json`),
  ]);
  return { ...core, ...own };
}

export const i18n = new Translations();
export const say = i18n.say;
