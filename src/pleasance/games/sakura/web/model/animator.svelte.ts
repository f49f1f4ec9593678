// Runs the animation of a step, scene by scene, until its end or until it is skipped.

import type { SakuraScene } from "$app/wire";
import { makeTimeline, frameAt, type TimedScene, type Baseline, type BoardFrame } from "./animation";

export class Animator {
  /** The current frame; `null` if no animation runs. */
  boardFrame = $state.raw<BoardFrame | null>(null);
  private timeline: readonly TimedScene[] = [];
  private frame = 0;
  private finish: () => void = () => {};

  /** Start an animation; *finish* is called once, at its end or when it is skipped. */
  start(before: Baseline, scenes: readonly SakuraScene[], pace: number, finish: () => void): void {
    this.stop();
    this.timeline = makeTimeline(before, scenes);
    this.finish = finish;
    const [first] = this.timeline;
    if (!first || pace <= 0) return this.skip();
    this.boardFrame = frameAt(first, 0);
    let began = performance.now();
    let current = 0;
    const tick = (now: number): void => {
      const at = (now - began) * pace;
      const timed = this.timeline[current];
      if (!timed) return this.skip();
      this.boardFrame = frameAt(timed, Math.min(at, timed.durationMs));
      if (at >= timed.durationMs) {
        began = now;
        current += 1;
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** Skip to the end. */
  skip(): void {
    const { finish } = this;
    this.stop();
    finish();
  }

  /** Stop without calling *finish*. */
  stop(): void {
    cancelAnimationFrame(this.frame);
    this.boardFrame = null;
    this.finish = () => {};
  }
}
