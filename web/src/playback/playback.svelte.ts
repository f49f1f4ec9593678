// Plays a game step by step: follows it live, seeks back and forth, and animates each step.

import type { Step } from "$app/lib/board";
import type { Frame, GameSegment } from "$app/playback/segments";

/** Loads the frames from *first* on; without *first* the last frame alone. */
export type LoadSegment = (first: number | undefined, limit: number) => Promise<GameSegment>;

const SEGMENT_LENGTH = 50;
/** A viewer more steps behind than this jumps to the last frame. */
const MAX_ANIMATED_STEPS = 40;

export class Playback {
  /** The number of steps of the game; -1 until it is known. */
  steps = $state(-1);
  /** The position that is shown, counted in steps. */
  at = $state(-1);
  /** Whether an earlier position was chosen; new steps are not shown then. */
  isBack = $state(false);
  /** The step that is being animated. */
  step = $state.raw<Step | null>(null);
  frame = $state.raw<Frame | null>(null);
  isLoading = false;
  private scoresBefore = $state.raw<readonly number[]>([]);
  readonly frames = new Map<number, Frame>();
  private mustLoadAgain = false;
  private stepCount = 0;

  constructor(private readonly load: LoadSegment) {}

  /** The scores as far as they have been animated. */
  get scores(): readonly number[] | undefined {
    return this.step ? this.scoresBefore : this.frame?.scores;
  }

  get isMoving(): boolean {
    return this.step !== null || (!this.isBack && !this.isAtEnd);
  }

  get isAtEnd(): boolean {
    return this.at >= 0 && this.at === this.steps;
  }

  /** Drop all frames, since the viewer or the language has changed. */
  reset(): void {
    this.frames.clear();
    this.steps = this.at = -1;
    this.step = this.frame = null;
    this.isBack = false;
  }

  /** Load the new steps and animate them; after a takeback show only the last frame. */
  async advance(wasTakenBack = false): Promise<void> {
    if (wasTakenBack) {
      this.frames.clear();
      this.isBack = false;
    }
    this.mustLoadAgain = this.isLoading;
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const isFirst = this.at < 0 || wasTakenBack;
      const segment = await this.load(isFirst ? undefined : this.steps + 1, isFirst ? 1 : SEGMENT_LENGTH);
      this.store(segment);
      if (isFirst) this.jump(segment.steps);
      else this.animateNext();
    } finally {
      this.isLoading = false;
    }
    if (this.mustLoadAgain) await this.advance();
  }

  /** Show a position without animating the steps between. */
  async go(to: number): Promise<void> {
    const target = Math.max(0, Math.min(to, this.steps));
    if (!this.frames.has(target)) this.store(await this.load(Math.max(0, target - SEGMENT_LENGTH / 2), SEGMENT_LENGTH));
    this.isBack = target < this.steps;
    this.jump(target);
  }

  /** Animate the next step. */
  async forward(): Promise<void> {
    if (this.at >= this.steps) return;
    if (!this.frames.has(this.at + 1)) this.store(await this.load(this.at + 1, SEGMENT_LENGTH));
    this.animate(this.at + 1);
    this.isBack = this.at < this.steps;
  }

  /** Handle the end of an animation: continue with the steps that came meanwhile. */
  onStepShown = (): void => {
    this.step = null;
    if (!this.isBack) this.animateNext();
  };

  /** Skip the animation and all steps that wait. */
  skip(): void {
    this.jump(this.isBack ? this.at : this.steps);
  }

  private store(segment: GameSegment): void {
    for (const frame of segment.frames) this.frames.set(frame.step, frame);
    this.steps = segment.steps;
  }

  private animateNext(): void {
    if (this.step || this.isBack || this.at >= this.steps) return;
    if (this.steps - this.at > MAX_ANIMATED_STEPS || !this.frames.has(this.at + 1)) void this.go(this.steps);
    else this.animate(this.at + 1);
  }

  private animate(to: number): void {
    const before = this.frame;
    const frame = this.frames.get(to);
    if (!before || !frame) return;
    this.at = to;
    this.scoresBefore = before.scores;
    this.frame = frame;
    const { tokens, scenes, lines } = frame;
    this.step = { id: ++this.stepCount, before: before.position, tokens, scenes, lines };
  }

  private jump(to: number): void {
    this.step = null;
    this.at = to;
    this.frame = this.frames.get(to) ?? null;
  }
}
