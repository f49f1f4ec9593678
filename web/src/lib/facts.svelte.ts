// What the server wrote into the page: who looks, and which games there are.

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

export interface GameFacts {
  readonly name: string;
  readonly title: string;
  /** What kind of game it is, in a sentence or two. */
  readonly blurb: string;
  readonly seats: readonly number[];
  readonly options: readonly Variant[];
  /** The bots that are made for people, the weakest first. */
  readonly levels: readonly string[];
  /** All bots, those first. */
  readonly bots: readonly string[];
  readonly themes: readonly string[];
}

export interface Facts {
  readonly language: string;
  readonly version: string;
  readonly me: Me | null;
  readonly games: readonly GameFacts[];
  /** The address of this server that others can open. */
  readonly home: string;
  /** Whether that address leads only to this computer. */
  readonly isOnlyHere: boolean;
}

const NOBODY: Facts = { language: "en", version: "", me: null, games: [], home: "", isOnlyHere: true };

function readFacts(): Facts {
  const text = document.getElementById("facts")?.textContent;
  return text ? (JSON.parse(text) as Facts) : NOBODY;
}

const read = readFacts();

class Known implements Facts {
  readonly language = read.language;
  readonly version = read.version;
  readonly me = read.me;
  readonly home = read.home;
  readonly isOnlyHere = read.isOnlyHere;
  games = $state.raw(read.games);
  private told = read.language;

  /** Tell of the games in another language. */
  async retell(language: string): Promise<void> {
    if (language === this.told) return;
    this.told = language;
    const answer = await fetch(`/page/games.json?language=${language}`);
    if (answer.ok) this.games = ((await answer.json()) as { items: readonly GameFacts[] }).items;
  }
}

export const facts = new Known();

export function findGame(name: string): GameFacts | undefined {
  return facts.games.find((game) => game.name === name);
}
