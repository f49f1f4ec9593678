// Shows beats in motion: pieces come from where they were, and everything ends as it is drawn.

import type { Beat } from "./beats";
import { retrace } from "./beats";
import { CELL, TERRACE, TOP } from "./garden";

/** Something that flies over the board, from one place to another, in pixels of the board. */
export interface Flight {
  readonly id: number;
  readonly what: "tile" | "gardener" | "card" | "points" | "petals";
  /** The motif, the card or the number that is shown. */
  readonly name: string;
  readonly from: Place;
  readonly to: Place;
  readonly delay: number;
  readonly duration: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Performance {
  readonly flights: readonly Flight[];
  readonly animations: readonly Animation[];
  /** When the next step may begin, in milliseconds. */
  readonly length: number;
}

const STEP = 90; // a noble's step from cell to cell
const EASE = "cubic-bezier(0.3, 0.1, 0.2, 1)";
let flown = 0;

class Stage {
  readonly flights: Flight[] = [];
  readonly animations: Animation[] = [];
  now = 0;
  private readonly frame: DOMRect;

  constructor(private readonly root: HTMLElement, private readonly pace: number) {
    this.frame = root.getBoundingClientRect();
  }

  find(selector: string): Element | null {
    return this.root.querySelector(selector);
  }

  place(selector: string): Place | null {
    const rect = this.find(selector)?.getBoundingClientRect();
    return rect ? { x: rect.x - this.frame.x, y: rect.y - this.frame.y, width: rect.width } : null;
  }

  fly(what: Flight["what"], name: string, from: Place | null, to: Place | null, duration: number, delay = this.now): void {
    if (!from || !to) return;
    this.flights.push({ id: (flown += 1), what, name, from, to, delay: delay / this.pace, duration: duration / this.pace });
  }

  move(selector: string, frames: Keyframe[], duration: number, easing = EASE): void {
    const timing = { duration: duration / this.pace, delay: this.now / this.pace, easing, fill: "backwards" as const };
    const moved = this.find(selector)?.animate(frames, timing);
    if (moved) this.animations.push(moved);
  }
}

const cellOf = (seat: number, cell: string): string => `[data-cell="${seat}/${cell}"]`;

/** What is gone when a step is drawn, and yet where its pieces come from. */
export interface Past {
  /** Which tile lay on a space. */
  readonly motifOf: (space: string) => string;
  /** Where the card lay that was played, if it was in sight. */
  readonly lain: Place | null;
}

/** Find where a card lies in the hand, before it is played. */
export function findCard(root: HTMLElement, card: string): Place | null {
  return new Stage(root, 1).place(`[data-piece="hand/${card}"] svg`);
}

/** Set everything in motion. */
export function perform(beats: readonly Beat[], root: HTMLElement, pace: number, past: Past): Performance {
  const stage = new Stage(root, pace);
  for (const beat of beats) showBeat(stage, beat, past);
  return { flights: stage.flights, animations: stage.animations, length: stage.now / pace };
}

function showBeat(stage: Stage, beat: Beat, past: Past): void {
  switch (beat.kind) {
    case "play": {
      const plaque = stage.place(`[data-piece="plaque/${beat.seat}"]`);
      const to = stage.place(`[data-hollow="${beat.space}"]`);
      stage.fly("card", beat.card, past.lain ?? (plaque && { ...plaque, width: 56 }), to && { ...to, width: 40 }, 420);
      stage.now += 300;
      return;
    }
    case "lay":
      return layTile(stage, beat, past.motifOf(beat.space));
    case "turn":
      stage.move('[data-piece="held"]', [{ scale: "0.05 1" }, { scale: "1.1 1", offset: 0.7 }, { scale: "1 1" }], 320);
      stage.now += 320;
      return;
    case "boar":
      return stepBoar(stage, beat);
    case "walk":
      return walkNoble(stage, beat);
    case "points": {
      const at = stage.place(cellOf(beat.seat, beat.cell));
      stage.fly("points", beat.points > 0 ? `+${beat.points}` : `−${-beat.points}`, at, at, 1100);
      return;
    }
    case "line":
      return celebrate(stage, beat);
    case "refill":
      stage.move(`[data-piece="space/${beat.space}"]`, [{ scale: "0.04 1", opacity: 0.4 }, { scale: "1.06 1", offset: 0.7 }, { scale: "1 1" }], 300);
      stage.now += 200;
      return;
    case "draw":
      if (beat.card) stage.move(`[data-piece="hand/${beat.card}"]`, [{ transform: "translateY(40px) rotate(6deg)", opacity: 0 }, { transform: "none", opacity: 1 }], 320);
      stage.now += beat.card ? 160 : 0;
  }
}

function layTile(stage: Stage, beat: Beat & { kind: "lay" }, motif: string): void {
  const duration = 430;
  stage.fly(beat.what, motif, stage.place(`[data-hollow="${beat.space}"]`), stage.place(cellOf(beat.seat, beat.cell)), duration);
  stage.now += duration;
  const grown: Keyframe[] =
    beat.what === "tile"
      ? [{ transform: "scale(0.72)", opacity: 0 }, { transform: "scale(0.92)", opacity: 1, offset: 0.05 }, { transform: "scale(1.1)", offset: 0.5 }, { transform: "none" }]
      : [{ transform: "translateY(-8px)", opacity: 0 }, { transform: "translateY(-8px)", opacity: 1, offset: 0.05 }, { transform: "translateY(3px)", offset: 0.6 }, { transform: "none" }];
  stage.move(`[data-piece="${beat.seat}/cell/${beat.cell}"]`, grown, 300);
  stage.now += 180;
}

function stepBoar(stage: Stage, { seat, from, to }: Beat & { kind: "boar" }): void {
  const [start] = retrace([from, to]);
  const at = (share: number, lift: number): string => `translate(${start!.x * CELL * share}px, ${start!.y * CELL * share - lift}px)`;
  stage.move(`[data-piece="${seat}/boar"]`, [{ transform: at(1, 0) }, { transform: at(0.5, 14) }, { transform: "none" }], 330, "ease-in-out");
  stage.now += 330;
}

function walkNoble(stage: Stage, { seat, column, path }: Beat & { kind: "walk" }): void {
  const hasTerrace = path[0]?.endsWith("0");
  const frames = retrace(path).map(({ x, y }, n): Keyframe => {
    // The terrace is no row of cells, and nobles stand in the middle of it.
    const isTerrace = hasTerrace && n === 0;
    const down = isTerrace ? (y + 1) * CELL - (TOP - TERRACE) - 9 : y * CELL;
    return { transform: `translate(${x * CELL - (isTerrace ? 14 : 0)}px, ${down}px)` };
  });
  const duration = Math.max(270, (path.length - 1) * STEP);
  stage.move(`[data-piece="${seat}/noble/${column}"]`, frames, duration, "linear");
  stage.now += duration;
}

function celebrate(stage: Stage, { seat, cells }: Beat & { kind: "line" }): void {
  cells.forEach((cell, n) => {
    const at = stage.place(cellOf(seat, cell));
    stage.fly("petals", cell, at, at, 700, stage.now + n * 55);
  });
  stage.now += 350;
}
