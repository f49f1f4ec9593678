// A record that somebody looks at: the moment that is shown, with whose eyes, and playing by itself.

import { ask } from "$app/lib/api";
import { nameBot, tellApart } from "$app/lib/bots";
import type { AnyGameModule, Face } from "$app/lib/board";
import { findGame } from "$app/lib/facts.svelte";
import { loadBoard } from "$app/lib/games";
import { Player } from "$app/lib/player.svelte";
import { playRecord, type RecordReel, type Reel } from "$app/lib/reel";
import { settings } from "$app/lib/settings.svelte";
import { say, speech } from "$app/lib/words.svelte";
import type { Scores } from "$app/replay/chart";
import { checkRecord, type Outcomes, type Verdict } from "$app/replay/fair";
import type { Ended } from "$app/table/tally";
import { isDraw, readNames, readRecord } from "$app/replay/record";

const PIECE = 50;
/** How long a moment stands still while the game plays by itself, in milliseconds. */
const REST = 550;
const CALM = 1100;

interface Draws {
  readonly items: readonly { readonly token: string; readonly outcomes: Outcomes }[];
}

export interface Brought {
  readonly text: string;
  /** The component file that the game was played with, if not the house set. */
  readonly data: string | null;
}

export class Replay {
  readonly player: Player;
  board = $state.raw<AnyGameModule | null>(null);
  reel = $state.raw<RecordReel | null>(null);
  /** Whose eyes look; `null` is a spectator. */
  eyes = $state<number | null>(null);
  isPlaying = $state(false);
  /** How it came out, in the language that is spoken now. */
  ending = $state.raw<Ended | null>(null);

  constructor(readonly brought: Brought) {
    this.player = new Player((first, limit) => this.read(first ?? 0, limit));
  }

  get title(): string {
    return findGame(this.reel?.game ?? "")?.title ?? this.reel?.game ?? "";
  }

  readonly faces = $derived.by((): readonly Face[] => {
    const names = tellApart(readNames(this.reel?.tags ?? {}).map(nameBot));
    return Array.from({ length: this.reel?.seats ?? 0 }, (_, seat) => ({
      seat, name: names[seat] ?? say("player", { seat: seat + 1 }), isYou: false, isBot: false, isHere: true,
    }));
  });

  get scores(): Scores {
    return this.reel?.scores ?? [];
  }

  /** Show the game from a moment on; without one from where somebody first may choose. */
  async open(at?: number): Promise<void> {
    const reel = await this.fetch(0, 1);
    await speech.learn(reel.game);
    this.board = await loadBoard(reel.game);
    this.reel = reel;
    await this.show(at ?? this.setUp());
  }

  /** Look with other eyes at the same moment. */
  async look(eyes: number | null): Promise<void> {
    this.eyes = eyes;
    await this.show(this.player.at);
  }

  /** Show a moment anew: what was fetched before was for other eyes, or in another language. */
  async show(at: number): Promise<void> {
    this.player.forget();
    this.player.steps = this.reel?.steps ?? 0;
    await this.player.go(at);
  }

  async play(): Promise<void> {
    if (this.player.isAtEnd) await this.player.go(this.setUp());
    this.isPlaying = true;
  }

  /** How long to wait before the next step, when nothing moves. */
  get rest(): number {
    return settings.pace === 0 ? CALM : REST / settings.pace;
  }

  async next(): Promise<void> {
    if (this.player.isAtEnd) this.isPlaying = false;
    else await this.player.forward();
  }

  /** Make every draw again, here in the browser. */
  async check(): Promise<Verdict> {
    const { text: record, data } = this.brought;
    const { items } = await ask<Draws>("POST", "/page/draws", { record, data });
    return checkRecord(record, items.map((item) => item.outcomes));
  }

  /** Draw the moment as a picture that stands for itself. */
  async draw(): Promise<string> {
    const { text: record, data } = this.brought;
    const wanted = { record, data, step: this.player.at, seat: this.eyes, language: speech.language };
    return ask<string>("POST", "/page/pictures", wanted);
  }

  /** Count the draws before anybody may choose: each is a step of its own. */
  private setUp(): number {
    const { tokens } = readRecord(this.brought.text);
    const first = tokens.findIndex((token) => !isDraw(token));
    return first < 0 ? 0 : first;
  }

  private async read(first: number, limit: number): Promise<Reel> {
    const { steps, frames } = await this.fetch(first, limit || PIECE);
    return { steps, frames, undone: 0 };
  }

  private async fetch(first: number, limit: number): Promise<RecordReel> {
    const reel = await playRecord(this.brought.text, this.eyes, first, limit, this.brought.data);
    this.ending = reel.ending;
    return reel;
  }
}
