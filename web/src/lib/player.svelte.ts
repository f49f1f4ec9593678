// Shows a game moment by moment: follows it while it runs, goes back and forth, plays by itself.

import type { Step } from "$app/lib/board";
import type { Frame, Reel } from "$app/lib/reel";

type Read = (first: number | undefined, limit: number) => Promise<Reel>;

const PIECE = 50;
/** Who is further behind than this is shown the present at once. */
const FAR = 40;

export class Player {
  /** How many steps the game has. */
  steps = $state(-1);
  /** Which moment is shown. */
  at = $state(-1);
  /** Whether somebody looks back: then the present does not push itself forward. */
  isBack = $state(false);
  /** The step that is being shown in motion. */
  step = $state.raw<Step | null>(null);
  frame = $state.raw<Frame | null>(null);
  /** What was counted before the step that is being shown. */
  private counted = $state.raw<readonly number[]>([]);
  private readonly frames = new Map<number, Frame>();
  /** Whether something is being fetched. */
  isBusy = false;
  private isAgain = false;
  private count = 0;

  constructor(private readonly read: Read) {}

  /** The points of all seats as far as they have been shown. */
  get scores(): readonly number[] | undefined {
    return this.step ? this.counted : this.frame?.scores;
  }

  /** Whether what has happened is still being shown. */
  get isMoving(): boolean {
    return this.step !== null || (!this.isBack && !this.isAtEnd);
  }

  get isAtEnd(): boolean {
    return this.at >= 0 && this.at === this.steps;
  }

  /** Look with other eyes, or in another language: what was fetched is worth nothing now. */
  forget(): void {
    this.frames.clear();
    this.steps = this.at = -1;
    this.step = null;
    this.frame = null;
    this.isBack = false;
  }

  /** Fetch what is new, and show it step by step; after a take-back only what there is now. */
  async advance(wasTakenBack = false): Promise<void> {
    if (wasTakenBack) {
      this.frames.clear();
      this.isBack = false;
    }
    this.isAgain = this.isBusy;
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const isFresh = this.at < 0 || wasTakenBack;
      const reel = await this.read(isFresh ? undefined : this.steps + 1, isFresh ? 1 : PIECE);
      this.keep(reel);
      if (isFresh) this.jump(reel.steps);
      else this.goOn();
    } finally {
      this.isBusy = false;
    }
    if (this.isAgain) await this.advance();
  }

  /** Show a moment at once; those in between are skipped. */
  async go(to: number): Promise<void> {
    const wanted = Math.max(0, Math.min(to, this.steps));
    if (!this.frames.has(wanted)) this.keep(await this.read(Math.max(0, wanted - PIECE / 2), PIECE));
    this.isBack = wanted < this.steps;
    this.jump(wanted);
  }

  /** Show the next step in motion. */
  async forward(): Promise<void> {
    if (this.at >= this.steps) return;
    if (!this.frames.has(this.at + 1)) this.keep(await this.read(this.at + 1, PIECE));
    this.move(this.at + 1);
    this.isBack = this.at < this.steps;
  }

  /** The board has shown the step; what came meanwhile is next. */
  shown = (): void => {
    this.step = null;
    if (!this.isBack) this.goOn();
  };

  /** Skip what is being shown, and all that waits. */
  skip(): void {
    this.jump(this.isBack ? this.at : this.steps);
  }

  find(number: number): Frame | undefined {
    return this.frames.get(number);
  }

  private keep(reel: Reel): void {
    for (const frame of reel.frames) this.frames.set(frame.step, frame);
    this.steps = reel.steps;
  }

  private goOn(): void {
    if (this.step || this.isBack || this.at >= this.steps) return;
    if (this.steps - this.at > FAR || !this.frames.has(this.at + 1)) void this.go(this.steps);
    else this.move(this.at + 1);
  }

  private move(to: number): void {
    const before = this.frame;
    const frame = this.frames.get(to);
    if (!before || !frame) return;
    this.at = to;
    this.counted = before.scores;
    this.frame = frame;
    this.step = { id: ++this.count, before: before.position, tokens: frame.tokens, scenes: frame.scenes, lines: frame.lines };
  }

  private jump(to: number): void {
    this.step = null;
    this.at = to;
    this.frame = this.frames.get(to) ?? null;
  }
}
