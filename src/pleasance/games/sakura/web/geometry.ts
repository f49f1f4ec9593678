// Where the path winds over the paper: across it on a wide screen, upward on a narrow one.

import type { SakuraPath } from "$app/wire";

export interface Spot {
  readonly x: number;
  readonly y: number;
  /** Which way the path runs here, in degrees. */
  readonly angle: number;
}

export interface Bridge {
  readonly first: number;
  readonly last: number;
  readonly middle: Spot;
  readonly line: readonly Spot[];
}

/** A stretch of the path that runs straight across, to the right or to the left. */
interface Row {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

/** How the paper is laid out. */
interface Plan {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly Row[];
  readonly sway: number;
  /** How broad the path is. */
  readonly road: number;
  /** The middle of the gate's doorway. */
  readonly gate: Spot;
  /** How far apart painters stand in the gate, and how many in a line. */
  readonly slot: readonly [number, number, number];
  readonly figure: number;
  readonly tree: number;
}

const SAMPLE = 6;
/** How much of the path lies before each sakura, so that the trees stand where there is room. */
const SAKURA_AT = [0.447, 0.724, 1] as const;

const WIDE: Plan = {
  width: 1200,
  height: 540,
  rows: [
    { from: 150, to: 1075, y: 142 },
    { from: 1075, to: 128, y: 298 },
    { from: 128, to: 1040, y: 454 },
  ],
  sway: 9,
  road: 46,
  gate: { x: 78, y: 150, angle: 0 },
  slot: [37, 40, 3],
  figure: 1,
  tree: 0.86,
};

const TALL: Plan = {
  width: 360,
  height: 388,
  rows: [
    { from: 88, to: 302, y: 348 },
    { from: 302, to: 58, y: 265 },
    { from: 58, to: 302, y: 182 },
    { from: 302, to: 118, y: 99 },
  ],
  sway: 5,
  road: 29,
  gate: { x: 44, y: 334, angle: 0 },
  slot: [23, 22, 3],
  figure: 0.62,
  tree: 0.47,
};

/** The path with all its spaces on the paper. */
export class Trail {
  readonly road: readonly Spot[];
  readonly spaces: readonly Spot[];
  readonly bridges: readonly Bridge[];
  /** How far one space is from the next where they are closest. */
  readonly gap: number;
  private readonly lengths: readonly number[];

  constructor(
    readonly plan: Plan,
    readonly path: SakuraPath,
  ) {
    this.road = trace(plan);
    this.lengths = measure(this.road);
    const end = path.sakura.at(-1) ?? 0;
    this.spaces = Array.from({ length: end + 1 }, (_, space) => (space ? this.find(this.along(space)) : plan.gate));
    this.gap = Math.min(...path.sakura.map((space) => this.along(space) - this.along(space - 1)));
    this.bridges = listBridges(path).map(([first, last]) => ({
      first,
      last,
      middle: this.find(this.along((first + last) / 2)),
      line: this.cut(this.along(first - 0.5), this.along(last + 0.5)),
    }));
  }

  /** Where somebody is who stands on a space or, with a fraction, goes on to the next. */
  spot(place: number, slot = 0): Spot {
    if (place >= 1) return this.find(this.along(place));
    const waits = this.slot(slot);
    const first = this.find(this.along(1));
    return {
      x: waits.x + (first.x - waits.x) * place,
      y: waits.y + (first.y - waits.y) * place,
      angle: 0,
    };
  }

  /** Where a painter waits in the gate. */
  slot(painter: number): Spot {
    const [across, down, most] = this.plan.slot;
    const { x, y } = this.plan.gate;
    return { x: x + ((painter % most) - (most - 1) / 2) * across, y: y + (0.55 + Math.floor(painter / most)) * down, angle: 0 };
  }

  /** The line between two places, for a trail of footsteps. */
  between(from: number, to: number, slot: number): Spot[] {
    const count = Math.max(2, Math.ceil(Math.abs(to - from) * 4));
    return Array.from({ length: count + 1 }, (_, n) => this.spot(from + ((to - from) * n) / count, slot));
  }

  private along(place: number): number {
    const total = this.lengths.at(-1) ?? 0;
    const ends = [0, ...this.path.sakura];
    const marks = [-14, ...SAKURA_AT.map((part) => part * total)];
    const found = ends.findIndex((end) => place <= end);
    const stretch = found < 0 ? ends.length - 1 : Math.max(1, found);
    const [a, b] = [ends[stretch - 1] ?? 0, ends[stretch] ?? 1];
    const [from, to] = [marks[stretch - 1] ?? 0, marks[stretch] ?? total];
    return from + ((place - a) / (b - a)) * (to - from);
  }

  private find(distance: number): Spot {
    const { road, lengths } = this;
    const found = lengths.findIndex((length) => length >= distance);
    const next = found < 0 ? lengths.length - 1 : Math.max(1, found);
    const [a, b] = [road[next - 1]!, road[next]!];
    const part = Math.min(1, Math.max(0, distance - lengths[next - 1]!) / (lengths[next]! - lengths[next - 1]!));
    const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    return { x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y), angle };
  }

  private cut(from: number, to: number): Spot[] {
    const count = Math.ceil((to - from) / SAMPLE);
    return Array.from({ length: count + 1 }, (_, n) => this.find(from + ((to - from) * n) / count));
  }
}

export const layWide = (path: SakuraPath): Trail => new Trail(WIDE, path);
export const layTall = (path: SakuraPath): Trail => new Trail(TALL, path);

/** Write a line as the outline of a path. */
export function draw(line: readonly Spot[]): string {
  return `M${line.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** The first and the last space of each bridge; its spaces lie side by side. */
export function listBridges({ bridges }: SakuraPath): [number, number][] {
  const firsts = bridges.filter((space) => !bridges.includes(space - 1));
  const lasts = bridges.filter((space) => !bridges.includes(space + 1));
  return firsts.map((first, n) => [first, lasts[n] ?? first]);
}

function trace({ rows, sway }: Plan): Spot[] {
  const line: Spot[] = [];
  rows.forEach((row, n) => {
    line.push(...across(row, sway));
    const below = rows[n + 1];
    if (below) line.push(...bend(row, below));
  });
  return line;
}

function across({ from, to, y }: Row, sway: number): Spot[] {
  const count = Math.ceil(Math.abs(to - from) / SAMPLE);
  const waves = Math.max(2, Math.round(Math.abs(to - from) / 230));
  return Array.from({ length: count + 1 }, (_, n) => ({
    x: from + ((to - from) * n) / count,
    // A whole number of half waves, so that both ends stay where they are.
    y: y + sway * Math.sin((waves * Math.PI * n) / count),
    angle: 0,
  }));
}

function bend(row: Row, next: Row): Spot[] {
  const side = Math.sign(row.to - row.from);
  const [middle, reach] = [(row.y + next.y) / 2, (next.y - row.y) / 2];
  const count = Math.ceil((Math.abs(reach) * Math.PI) / SAMPLE);
  return Array.from({ length: count - 1 }, (_, n) => {
    const turn = (Math.PI * (n + 1)) / count;
    return { x: row.to + side * Math.abs(reach) * Math.sin(turn), y: middle - reach * Math.cos(turn), angle: 0 };
  });
}

function measure(line: readonly Spot[]): number[] {
  let sum = 0;
  return line.map((spot, n) => {
    const last = line[n - 1] ?? spot;
    sum += Math.hypot(spot.x - last.x, spot.y - last.y);
    return sum;
  });
}
