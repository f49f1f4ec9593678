// The data that the server embeds into the page: the user, the games, the address of the site.

export interface Me {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

export interface Variant {
  readonly name: string;
  readonly text: string;
  readonly seats: readonly number[];
}

export interface GameInfo {
  readonly name: string;
  readonly title: string;
  /** The kind of game, in a sentence or two. */
  readonly blurb: string;
  readonly seats: readonly number[];
  readonly options: readonly Variant[];
  /** The bots that are calibrated for people, weakest first. */
  readonly levels: readonly string[];
  /** All bots; the levels come first. */
  readonly bots: readonly string[];
  readonly themes: readonly string[];
  /** The color of each seat's pieces, if the game has such. */
  readonly seat_colors: readonly string[];
}

export interface PageData {
  readonly language: string;
  readonly version: string;
  readonly me: Me | null;
  readonly games: readonly GameInfo[];
  /** The public address of this server. */
  readonly home: string;
  /** Whether that address is a loopback address. */
  readonly isOnlyHere: boolean;
}

const EMPTY: PageData = { language: "en", version: "", me: null, games: [], home: "", isOnlyHere: true };
const embedded = document.getElementById("facts")?.textContent;
const initial = embedded ? (JSON.parse(embedded) as PageData) : EMPTY;

class LivePageData {
  readonly language = initial.language;
  readonly me = initial.me;
  readonly home = initial.home;
  readonly isOnlyHere = initial.isOnlyHere;
  games = $state.raw(initial.games);
  private gamesLanguage = initial.language;

  /** Load titles and texts of the games in another language. */
  async loadGames(language: string): Promise<void> {
    if (language === this.gamesLanguage) return;
    this.gamesLanguage = language;
    const response = await fetch(`/page/games.json?language=${language}`);
    if (response.ok) this.games = ((await response.json()) as { items: readonly GameInfo[] }).items;
  }
}

export const pageData = new LivePageData();

export function findGame(name: string): GameInfo | undefined {
  return pageData.games.find((game) => game.name === name);
}
