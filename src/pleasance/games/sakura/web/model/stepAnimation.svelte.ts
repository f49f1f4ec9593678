// The running animation of a step: plays scene by scene until its end, or until it is skipped.

import type { SakuraScene } from "$app/wire";
import { frameAt, makeTimeline, type AnimationFrame, type Baseline, type TimedScene } from "./animation";

export class StepAnimation {
  /** The current frame; `null` if no animation runs. */
  frame = $state.raw<AnimationFrame | null>(null);
  private timeline: readonly TimedScene[] = [];
  private requestId = 0;
  private onEnd: (() => void) | null = null;

  /** Start an animation; *onEnd* is called once, at its end or when it is skipped. */
  start(before: Baseline, scenes: readonly SakuraScene[], pace: number, onEnd: () => void): void {
    this.stop();
    this.timeline = makeTimeline(before, scenes);
    this.onEnd = onEnd;
    const [first] = this.timeline;
    if (!first || pace <= 0) {
      this.skip();
      return;
    }
    this.frame = frameAt(first, 0);
    let sceneStart = performance.now();
    let current = 0;
    const tick = (now: number): void => {
      const elapsedMs = (now - sceneStart) * pace;
      const timed = this.timeline[current];
      if (!timed) {
        this.skip();
        return;
      }
      this.frame = frameAt(timed, Math.min(elapsedMs, timed.durationMs));
      if (elapsedMs >= timed.durationMs) {
        sceneStart = now;
        current += 1;
      }
      this.requestId = requestAnimationFrame(tick);
    };
    this.requestId = requestAnimationFrame(tick);
  }

  /** Skip to the end. */
  skip(): void {
    const { onEnd } = this;
    this.stop();
    onEnd?.();
  }

  /** Stop without calling *onEnd*. */
  stop(): void {
    cancelAnimationFrame(this.requestId);
    this.frame = null;
    this.onEnd = null;
  }
}
