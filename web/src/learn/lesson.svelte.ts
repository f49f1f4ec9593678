// A tutorial while it is played: shows the record up to the next stop, asks there for a choice,
// and goes on once it was made.

import type { Stop, Tutorial } from "$app/lib/board";
import { Player } from "$app/lib/player.svelte";
import type { Reel } from "$app/lib/reel";

type Read = ConstructorParameters<typeof Player>[0];

export class Lesson {
  readonly player: Player;
  /** Which stop is next, or shown. */
  index = $state(0);
  /** Whether the right choice was made here and its outcome is being looked at. */
  isDone = $state(false);
  /** How often something else was chosen at this stop. */
  wrong = $state(0);

  constructor(
    readonly tutorial: Tutorial,
    read: (first: number, limit: number) => Promise<Omit<Reel, "undone">>,
    /** Whether something is said after the right choice of a stop. */
    private readonly hasMore: (stop: Stop) => boolean,
  ) {
    const readReel: Read = async (first, limit) => ({ ...(await read(first ?? 0, limit)), undone: 0 });
    this.player = new Player(readReel);
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

  /** The board shows the moment of the stop, and nothing moves. */
  readonly isThere = $derived.by(() => {
    const stop = this.stop;
    return stop !== null && this.player.step === null && (this.isDone || this.player.at === stop.at);
  });

  /** Whether a choice is waited for. */
  readonly isAsking = $derived.by(() => this.isThere && !this.isDone && this.stop?.wanted !== undefined);

  async begin(): Promise<void> {
    this.index = 0;
    await this.look();
  }

  /** The board has shown a step: the next one, until the stop is reached. */
  shown = (): void => {
    this.player.shown();
    if (!this.isDone) void this.run();
  };

  pick = (token: string | null): void => {
    if (token === null || !this.isAsking) return;
    if (token === this.stop?.wanted) void this.accept();
    else this.wrong += 1;
  };

  /** Go on to the next stop. */
  async on(): Promise<void> {
    if (this.stop?.wanted !== undefined && !this.isDone) return;
    await this.next();
  }

  /** Skip what is being shown on the way. */
  async skip(): Promise<void> {
    if (this.isDone) this.player.skip();
    else await this.player.go(this.stop?.at ?? 0);
  }

  /** Go back to the stop before. */
  async back(): Promise<void> {
    this.index = Math.max(0, this.index - 1);
    await this.look();
  }

  private async accept(): Promise<void> {
    const stop = this.stop;
    if (!stop || !this.hasMore(stop)) return this.next();
    this.isDone = true;
    await this.player.forward();
  }

  private async next(): Promise<void> {
    this.index += 1;
    this.isDone = false;
    this.wrong = 0;
    await this.run();
  }

  private async run(): Promise<void> {
    const stop = this.stop;
    if (stop && this.player.at < stop.at) await this.player.forward();
  }

  private async look(): Promise<void> {
    this.isDone = false;
    this.wrong = 0;
    // How many steps there are is known once some of them were read.
    if (this.player.steps < 0) await this.player.go(0);
    await this.player.go(this.stop?.at ?? 0);
  }
}
