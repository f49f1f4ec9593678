// What a board is told, and what it may ask for. A board draws; it knows no rules and no network.

import type { Component } from "svelte";
import type { Box, Boxes, Position, Positions } from "$app/wire";

/** Somebody at the table, as the boards name them. */
export interface Face {
  readonly seat: number;
  readonly name: string;
  readonly isYou: boolean;
  readonly isBot: boolean;
  readonly isHere: boolean;
  /** Whether their secret choice lies on the table. */
  readonly hasChosen?: boolean;
}

/** What one legal choice means, in words; it may arrive a moment after the choice itself. */
export interface Meaning {
  readonly token: string;
  readonly text: string;
  /** What it would do at once: where the tile goes, what a walk scores. */
  readonly effect: string;
}

/** One moment inside a step that is worth showing by itself; its shape is the game's own. */
export type Scene = Readonly<Record<string, unknown>>;

/** What one choice or draw has changed: the board goes from *before* to the view it is given. */
export interface Step<V = Position> {
  /** Rises with every step that is shown; another number is another step. */
  readonly id: number;
  readonly before: V;
  /** Who chose or drew what, in notation; `null` where it is hidden. */
  readonly tokens: readonly { readonly seat: number | null; readonly token: string | null }[];
  readonly scenes: readonly Scene[];
  /** The same in words. */
  readonly lines: readonly string[];
}

export interface BoardProps<V = Position, B = Box> {
  /** What is shown: the present, or an earlier moment while somebody looks back. */
  readonly view: V;
  readonly box: B;
  /** Whose eyes look; `null` is a spectator. */
  readonly seat: number | null;
  readonly faces: readonly Face[];
  /** What may be chosen now; empty while others choose, while a step is shown, and in the past. */
  readonly legal: readonly string[];
  readonly meanings: ReadonlyMap<string, Meaning>;
  /** The choice that waits to be confirmed. */
  readonly picked: string | null;
  /** The own secret choice that lies on the table. */
  readonly chosen: string | null;
  /** A choice that somebody was advised to make. */
  readonly advised: string | null;
  /** The step that led to *view*, to be shown moving; `null` if there is nothing to show. */
  readonly step: Step<V> | null;
  /** How fast things move: 1 is usual, 2 twice as fast, 0 is no motion at all. */
  readonly pace: number;
  /** Which edition's words and colors. */
  readonly theme: string;
  /** Pick a choice, or with `null` none; whoever draws the board asks for confirmation or sends it. */
  readonly pick: (token: string | null) => void;
  /** Somebody tried what cannot be chosen: the app says why. */
  readonly ask: (token: string) => void;
  /** Say what is to be pointed at next, while a choice is half made; with nothing, what is due is said. */
  readonly lead: (text: string) => void;
  /** The step has been shown to its end. */
  readonly shown: () => void;
}

/** What a game's folder `web/` offers, in its `index.ts`, as `game`. */
export interface GameModule<V = Position, B = Box> {
  readonly Board: Component<BoardProps<V, B>>;
  /** Whether a choice lets something hidden come out, so that it cannot be taken back. */
  readonly reveals: (token: string) => boolean;
  /** Whether the board shows by itself who sits there, has how much, and has chosen. */
  readonly showsSeats?: boolean;
  /** Whether the board says in words what happens while a step is shown. */
  readonly tells?: boolean;
  /** The color of each seat, where the box has colors of its own. */
  readonly seatColors?: (box: B) => readonly string[];
  /** What the seats are called where nobody sits there whose name is known, as in a tutorial. */
  readonly seatNames?: (box: B, language: string) => readonly string[];
  /** A small drawing for cards and lists. */
  readonly Cover: Component<{ theme?: string }>;
  /** A first game to learn by, loaded when somebody wants it. */
  readonly tutorial: () => Promise<Tutorial>;
}

/** A game that was written down for learners, with the moments where they are asked to choose. */
export interface Tutorial {
  /** A whole record or the beginning of one; the server makes the views from it. */
  readonly record: string;
  /** With whose eyes the learner looks. */
  readonly seat: number;
  readonly stops: readonly Stop[];
}

/** A moment of a tutorial: something is said, and where *wanted* is given, to be chosen. */
export interface Stop {
  /** After how many steps of the record. */
  readonly at: number;
  /** Its words are `lesson.<key>.title`, `.text` and, after the right choice, `.done`. */
  readonly key: string;
  /** The token that the record goes on with; others that are legal are answered with a hint. */
  readonly wanted?: string;
}

export type AnyGameModule = GameModule<any, any>; // one for each game: the app never looks inside

export type NamedModule<N extends keyof Positions & keyof Boxes> = GameModule<Positions[N], Boxes[N]>;
