// Shows a step in motion, beat by beat, until it is over or somebody has seen enough.

import type { SakuraScene } from "$app/wire";
import { plan, standAt, type Beat, type Facts, type Standing } from "./beats";

export class Show {
  /** How all stand at this instant; `null` when nothing is being shown. */
  standing = $state.raw<Standing | null>(null);
  private beats: readonly Beat[] = [];
  private frame = 0;
  private finish: () => void = () => {};

  /** Begin to show; *finish* is called once, at the end or when it is skipped. */
  start(before: Facts, scenes: readonly SakuraScene[], pace: number, finish: () => void): void {
    this.stop();
    this.beats = plan(before, scenes);
    this.finish = finish;
    const [first] = this.beats;
    if (!first || pace <= 0) return this.skip();
    this.standing = standAt(first, 0);
    let began = performance.now();
    let current = 0;
    const tick = (now: number): void => {
      const at = (now - began) * pace;
      const beat = this.beats[current];
      if (!beat) return this.skip();
      this.standing = standAt(beat, Math.min(at, beat.lasts));
      if (at >= beat.lasts) {
        began = now;
        current += 1;
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** Go to the end at once. */
  skip(): void {
    const { finish } = this;
    this.stop();
    finish();
  }

  /** Show no more, and tell nobody. */
  stop(): void {
    cancelAnimationFrame(this.frame);
    this.standing = null;
    this.finish = () => {};
  }
}
