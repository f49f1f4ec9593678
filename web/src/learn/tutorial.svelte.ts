// A running tutorial: plays the record up to the next stop, waits there for a choice, and continues.

import type { Stop, Tutorial } from "$app/lib/board";
import { Playback } from "$app/playback/playback.svelte";
import type { GameSegment } from "$app/playback/segments";

export class TutorialRun {
  readonly playback: Playback;
  /** The number of the stop that is next, or shown. */
  index = $state(0);
  /** Whether the right choice was made at this stop and its text is shown. */
  isDone = $state(false);
  /** The number of wrong choices at this stop. */
  mistakes = $state(0);

  constructor(
    readonly tutorial: Tutorial,
    load: (first: number, limit: number) => Promise<GameSegment>,
    /** Whether a stop has a text after its right choice. */
    private readonly hasDoneText: (stop: Stop) => boolean,
  ) {
    this.playback = new Playback((first, limit) => load(first ?? 0, limit));
  }

  get count(): number {
    return this.tutorial.stops.length;
  }

  get stop(): Stop | null {
    return this.tutorial.stops[this.index] ?? null;
  }

  get isOver(): boolean {
    return this.index >= this.count;
  }

  /** Whether the board shows the stop and nothing moves. */
  readonly isAtStop = $derived.by(() => {
    const stop = this.stop;
    return stop !== null && this.playback.step === null && (this.isDone || this.playback.at === stop.at);
  });

  /** Whether the learner must choose now. */
  readonly isChoiceDue = $derived.by(() => this.isAtStop && !this.isDone && this.stop?.wanted !== undefined);

  async begin(): Promise<void> {
    await this.goToStop(0);
  }

  /** Handle the end of a step's animation: play on until the stop is reached. */
  onStepShown = (): void => {
    this.playback.onStepShown();
    if (!this.isDone) void this.playToStop();
  };

  pick = (token: string | null): void => {
    if (token === null || !this.isChoiceDue) return;
    if (token === this.stop?.wanted) void this.accept();
    else this.mistakes += 1;
  };

  /** Continue to the next stop, unless a choice is due. */
  async next(): Promise<void> {
    if (this.stop?.wanted === undefined || this.isDone) await this.playToNextStop();
  }

  /** Skip the animation on the way to a stop. */
  async skip(): Promise<void> {
    if (this.isDone) this.playback.skip();
    else await this.playback.go(this.stop?.at ?? 0);
  }

  async back(): Promise<void> {
    await this.goToStop(Math.max(0, this.index - 1));
  }

  private async accept(): Promise<void> {
    const stop = this.stop;
    if (!stop || !this.hasDoneText(stop)) return this.playToNextStop();
    this.isDone = true;
    await this.playback.forward();
  }

  private async playToNextStop(): Promise<void> {
    this.setStop(this.index + 1);
    await this.playToStop();
  }

  private async playToStop(): Promise<void> {
    const stop = this.stop;
    if (stop && this.playback.at < stop.at) await this.playback.forward();
  }

  private async goToStop(index: number): Promise<void> {
    this.setStop(index);
    // The first segment tells how many steps there are.
    if (this.playback.steps < 0) await this.playback.go(0);
    await this.playback.go(this.stop?.at ?? 0);
  }

  private setStop(index: number): void {
    this.index = index;
    this.isDone = false;
    this.mistakes = 0;
  }
}
