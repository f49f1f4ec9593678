// The running animation of a step: flying pieces, and the marks of the last turns.

import type { Step } from "$app/lib/board";
import type { SanssouciView } from "$app/wire";
import { markTouched, NOTHING_TOUCHED, planAnimation } from "./animation";
import { findCardRect, runAnimation, type Flight, type Rect } from "./animator";
import { parseChoice } from "./tokens";

export class StepAnimation {
  touched = $state.raw(NOTHING_TOUCHED);
  flights = $state.raw<readonly Flight[]>([]);
  private cardRect: Rect | null = null;

  /** Measure the place of the viewer's played card, before the card leaves the hand. */
  measure({ tokens }: Step, seat: number | null, root: HTMLElement | undefined): void {
    const token = tokens.find((each) => each.seat === seat && each.token)?.token;
    const choice = token ? parseChoice(token) : null;
    this.cardRect = choice?.kind === "take" && root ? findCardRect(root, choice.card) : null;
  }

  /** Animate a step in *root*; return a function that ends the animation at once. */
  start(
    step: Step<SanssouciView>,
    view: SanssouciView,
    root: HTMLElement,
    pace: number,
    onEnd: () => void,
  ): () => void {
    const { before, tokens } = step;
    const parts = planAnimation({ before, view, tokens });
    this.touched = markTouched(this.touched, parts);
    if (!pace || document.hidden) {
      queueMicrotask(onEnd);
      return () => undefined;
    }
    const motifOf = (space: string): string => before.market.find((each) => each.space === space)?.motif ?? "a";
    const { flights, animations, length } = runAnimation(parts, root, pace, { motifOf, cardRect: this.cardRect });
    this.flights = flights;
    const timer = setTimeout(onEnd, length);
    return () => {
      clearTimeout(timer);
      animations.forEach((animation) => animation.cancel());
    };
  }

  clearTouched(): void {
    this.touched = NOTHING_TOUCHED;
  }

  /** Remove a flight after its end. */
  land = (id: number): void => {
    this.flights = this.flights.filter((flight) => flight.id !== id);
  };
}
