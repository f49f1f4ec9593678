// Runs the animation of a step: every piece moves from its old place to where it is already drawn.

import type { SanssouciView } from "$app/wire";
import { offsetsFromEnd, type AnimationStep } from "./animation";
import { CELL, TERRACE, TOP } from "./garden";
import { spotName, type Spot } from "./picking";

/** A piece that flies over the board, in pixels. */
export interface Flight {
  readonly id: number;
  readonly what: "tile" | "gardener" | "card" | "points" | "petals";
  /** The motif, card or number on the piece. */
  readonly name: string;
  readonly from: Rect;
  readonly to: Rect;
  readonly delay: number;
  readonly duration: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface RunningAnimation {
  readonly flights: readonly Flight[];
  readonly animations: readonly Animation[];
  /** The time until the next step may begin, in milliseconds. */
  readonly length: number;
}

const STEP_MS = 90; // a noble's step from cell to cell
const EASE = "cubic-bezier(0.3, 0.1, 0.2, 1)";
let flightCount = 0;

class Animator {
  readonly flights: Flight[] = [];
  readonly animations: Animation[] = [];
  now = 0;
  private readonly frame: DOMRect;

  constructor(
    private readonly root: HTMLElement,
    private readonly pace: number,
  ) {
    this.frame = root.getBoundingClientRect();
  }

  find(selector: string): Element | null {
    return this.root.querySelector(selector);
  }

  rectOf(selector: string): Rect | null {
    const rect = this.find(selector)?.getBoundingClientRect();
    return rect ? { x: rect.x - this.frame.x, y: rect.y - this.frame.y, width: rect.width } : null;
  }

  fly(
    what: Flight["what"],
    name: string,
    from: Rect | null,
    to: Rect | null,
    duration: number,
    delay = this.now,
  ): void {
    if (!from || !to) return;
    this.flights.push({
      id: (flightCount += 1),
      what,
      name,
      from,
      to,
      delay: delay / this.pace,
      duration: duration / this.pace,
    });
  }

  move(selector: string, frames: Keyframe[], duration: number, easing = EASE): void {
    const timing = { duration: duration / this.pace, delay: this.now / this.pace, easing, fill: "backwards" as const };
    const moved = this.find(selector)?.animate(frames, timing);
    if (moved) this.animations.push(moved);
  }
}

const cellOf = (seat: number, cell: string): string => `[data-cell="${seat}/${cell}"]`;

/** Facts about the position before the step, which is no longer drawn. */
export interface Origins {
  /** The motif that was on a space. */
  readonly motifOf: (space: string) => string;
  /** The place of the played card, if it was visible. */
  readonly cardRect: Rect | null;
}

/** Measure the place of a card in the hand. */
export function findCardRect(root: HTMLElement, card: string): Rect | null {
  return new Animator(root, 1).rectOf(`[data-piece="hand/${card}"] svg`);
}

export interface DraggedPiece {
  readonly what: "tile" | "gardener" | "card";
  readonly name: string;
  readonly at: Rect;
}

/** Find the piece that follows the pointer, and its place. */
export function findDraggedPiece(
  root: HTMLElement,
  view: SanssouciView,
  { spot, x, y }: { readonly spot: Spot; readonly x: number; readonly y: number },
): DraggedPiece | null {
  const selector = spot.kind === "card" ? `[data-spot="${spotName(spot)}"]` : `[data-hollow="${spot.name}"]`;
  const start = new Animator(root, 1).rectOf(selector);
  if (!start) return null;
  const at = { ...start, x: start.x + x, y: start.y + y };
  if (spot.kind === "card") return { what: "card", name: spot.name, at };
  const motif = view.market.find((each) => each.space === spot.name)?.motif;
  return motif ? { what: "tile", name: motif, at } : { what: "gardener", name: "a", at };
}

/** Start all animations of a step. */
export function runAnimation(
  parts: readonly AnimationStep[],
  root: HTMLElement,
  pace: number,
  origins: Origins,
): RunningAnimation {
  const animator = new Animator(root, pace);
  for (const part of parts) animate(animator, part, origins);
  return { flights: animator.flights, animations: animator.animations, length: animator.now / pace };
}

function animate(animator: Animator, part: AnimationStep, origins: Origins): void {
  switch (part.kind) {
    case "play": {
      const panel = animator.rectOf(`[data-piece="score-panel/${part.seat}"]`);
      const to = animator.rectOf(`[data-hollow="${part.space}"]`);
      animator.fly(
        "card",
        part.card,
        origins.cardRect ?? (panel && { ...panel, width: 56 }),
        to && { ...to, width: 40 },
        420,
      );
      animator.now += 300;
      return;
    }
    case "lay":
      return layTile(animator, part, origins.motifOf(part.space));
    case "turn":
      animator.move(
        '[data-piece="held"]',
        [{ scale: "0.05 1" }, { scale: "1.1 1", offset: 0.7 }, { scale: "1 1" }],
        320,
      );
      animator.now += 320;
      return;
    case "boar":
      return moveBoar(animator, part);
    case "walk":
      return moveNoble(animator, part);
    case "points": {
      const at = animator.rectOf(cellOf(part.seat, part.cell));
      animator.fly("points", part.points > 0 ? `+${part.points}` : `−${-part.points}`, at, at, 1100);
      return;
    }
    case "line":
      return showPetals(animator, part);
    case "refill":
      animator.move(
        `[data-piece="space/${part.space}"]`,
        [{ scale: "0.04 1", opacity: 0.4 }, { scale: "1.06 1", offset: 0.7 }, { scale: "1 1" }],
        300,
      );
      animator.now += 200;
      return;
    case "draw":
      if (part.card)
        animator.move(
          `[data-piece="hand/${part.card}"]`,
          [
            { transform: "translateY(40px) rotate(6deg)", opacity: 0 },
            { transform: "none", opacity: 1 },
          ],
          320,
        );
      animator.now += part.card ? 160 : 0;
  }
}

function layTile(animator: Animator, part: AnimationStep & { kind: "lay" }, motif: string): void {
  const duration = 430;
  animator.fly(
    part.what,
    motif,
    animator.rectOf(`[data-hollow="${part.space}"]`),
    animator.rectOf(cellOf(part.seat, part.cell)),
    duration,
  );
  animator.now += duration;
  const grown: Keyframe[] =
    part.what === "tile"
      ? [
          { transform: "scale(0.72)", opacity: 0 },
          { transform: "scale(0.92)", opacity: 1, offset: 0.05 },
          { transform: "scale(1.1)", offset: 0.5 },
          { transform: "none" },
        ]
      : [
          { transform: "translateY(-8px)", opacity: 0 },
          { transform: "translateY(-8px)", opacity: 1, offset: 0.05 },
          { transform: "translateY(3px)", offset: 0.6 },
          { transform: "none" },
        ];
  animator.move(`[data-piece="${part.seat}/cell/${part.cell}"]`, grown, 300);
  animator.now += 180;
}

function moveBoar(animator: Animator, { seat, from, to }: AnimationStep & { kind: "boar" }): void {
  const [start] = offsetsFromEnd([from, to]);
  const at = (share: number, select: number): string =>
    `translate(${start!.x * CELL * share}px, ${start!.y * CELL * share - select}px)`;
  animator.move(
    `[data-piece="${seat}/boar"]`,
    [{ transform: at(1, 0) }, { transform: at(0.5, 14) }, { transform: "none" }],
    330,
    "ease-in-out",
  );
  animator.now += 330;
}

function moveNoble(animator: Animator, { seat, column, path }: AnimationStep & { kind: "walk" }): void {
  const hasTerrace = path[0]?.endsWith("0");
  const frames = offsetsFromEnd(path).map(({ x, y }, n): Keyframe => {
    // The terrace has another height than a row, and nobles stand in its middle.
    const isTerrace = hasTerrace && n === 0;
    const down = isTerrace ? (y + 1) * CELL - (TOP - TERRACE) - 9 : y * CELL;
    return { transform: `translate(${x * CELL - (isTerrace ? 14 : 0)}px, ${down}px)` };
  });
  const duration = Math.max(270, (path.length - 1) * STEP_MS);
  animator.move(`[data-piece="${seat}/noble/${column}"]`, frames, duration, "linear");
  animator.now += duration;
}

function showPetals(animator: Animator, { seat, cells }: AnimationStep & { kind: "line" }): void {
  cells.forEach((cell, n) => {
    const at = animator.rectOf(cellOf(seat, cell));
    animator.fly("petals", cell, at, at, 700, animator.now + n * 55);
  });
  animator.now += 350;
}
