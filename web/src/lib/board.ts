// The interface between the app and the boards. A board draws a view; it knows no rules and no network.

import type { Component } from "svelte";
import type { Box, Boxes, Position, Positions } from "$app/wire";

/** The player of a seat, as boards show them. */
export interface SeatPlayer {
  readonly seat: number;
  readonly name: string;
  readonly isYou: boolean;
  readonly isBot: boolean;
  readonly isHere: boolean;
  /** Whether they have made a secret choice. */
  readonly hasChosen?: boolean;
}

/** A legal choice in words; it may arrive a moment after the choice itself. */
export interface Meaning {
  readonly token: string;
  readonly text: string;
  /** Its immediate effect: where the tile goes, what a walk scores. */
  readonly effect: string;
}

/** One part of a step's animation; each game has its own type. */
export type Scene = Readonly<Record<string, unknown>>;

/** One choice or draw: it leads from *before* to the view of the board. */
export interface Step<V = Position> {
  /** A number that no other animated step has. */
  readonly id: number;
  readonly before: V;
  /** The choices and draws in notation; `null` if hidden. */
  readonly tokens: readonly { readonly seat: number | null; readonly token: string | null }[];
  readonly scenes: readonly Scene[];
  /** The step in words. */
  readonly lines: readonly string[];
}

export interface BoardProps<V = Position, B = Box> {
  /** The position to draw: the present one, or an earlier one. */
  readonly view: V;
  readonly box: B;
  /** The seat whose view is shown; `null` is a spectator. */
  readonly seat: number | null;
  readonly players: readonly SeatPlayer[];
  /** The legal choices; empty while others choose, while a step is animated, and in earlier positions. */
  readonly legal: readonly string[];
  readonly meanings: ReadonlyMap<string, Meaning>;
  /** The choice that waits to be confirmed. */
  readonly picked: string | null;
  /** The player's own secret choice. */
  readonly chosen: string | null;
  /** The choice of a hint. */
  readonly hinted: string | null;
  /** The step that led to *view*, to be animated. */
  readonly step: Step<V> | null;
  /** The speed of animations: 2 is twice as fast as usual, 0 shows none. */
  readonly pace: number;
  /** The edition whose names and colors are used. */
  readonly theme: string;
  /** Pick a choice, or none with `null`; the app asks for confirmation or sends it. */
  readonly pick: (token: string | null) => void;
  /** Let the app explain why a choice is not legal. */
  readonly askWhy: (token: string) => void;
  /** Describe the next step of a half-made choice; an empty text restores the usual one. */
  readonly setNextStepText: (text: string) => void;
  /** Report the end of the step's animation. */
  readonly onStepShown: () => void;
}

/** The export `game` of `index.ts` in a game's folder `web/`. */
export interface GameModule<V = Position, B = Box> {
  readonly Board: Component<BoardProps<V, B>>;
  /** Whether a choice reveals hidden information, so that it cannot be taken back. */
  readonly reveals: (token: string) => boolean;
  /** Whether the board shows names and scores of the players, and who has chosen. */
  readonly showsSeats?: boolean;
  /** Whether the board shows a step's text while it is animated. */
  readonly narratesSteps?: boolean;
  /** The color of each seat, if the box defines them. */
  readonly seatColors?: (box: B) => readonly string[];
  /** Names for seats without a named player, as in a tutorial. */
  readonly seatNames?: (box: B, language: string) => readonly string[];
  /** A small drawing for cards and lists. */
  readonly Cover?: Component<{ theme?: string }>;
  /** Load the tutorial. */
  readonly tutorial?: () => Promise<Tutorial>;
}

/** A recorded game with stops where the learner must choose. */
export interface Tutorial {
  /** A complete or partial record, from which the server makes the views. */
  readonly record: string;
  /** The learner's seat. */
  readonly seat: number;
  readonly stops: readonly Stop[];
}

/** A position of a tutorial with its text, and with *wanted* a choice to make. */
export interface Stop {
  /** The number of steps before it. */
  readonly at: number;
  /** Its messages are `lesson.<key>.title`, `.text` and, after the right choice, `.done`. */
  readonly key: string;
  /** The next token of the record; other legal choices are answered with a hint. */
  readonly wanted?: string;
}

// The app never looks inside a game's view or box.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyGameModule = GameModule<any, any>; // one per game

export type NamedModule<N extends keyof Positions & keyof Boxes> = GameModule<Positions[N], Boxes[N]>;
