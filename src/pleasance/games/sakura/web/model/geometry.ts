// The geometry of the path: rows across a wide paper, or upward on a tall one.

import type { SakuraPath } from "$app/wire";

export interface Spot {
  readonly x: number;
  readonly y: number;
  /** The direction of the path, in degrees. */
  readonly angle: number;
}

export interface Bridge {
  readonly first: number;
  readonly last: number;
  readonly middle: Spot;
  readonly line: readonly Spot[];
}

/** A row of the path, to the right or to the left. */
interface Row {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

/** The measures of the paper. */
interface Plan {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly Row[];
  readonly sway: number;
  /** The width of the path. */
  readonly road: number;
  /** The middle of the gate. */
  readonly gate: Spot;
  /** The distances of painters in the gate across and down, and the number per line. */
  readonly slot: readonly [number, number, number];
  readonly figure: number;
  readonly tree: number;
}

const SAMPLE = 6;
/** The fraction of the path before each sakura, chosen so that the trees have room. */
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

/** The path with its spaces on the paper. */
export class PathLayout {
  readonly road: readonly Spot[];
  readonly spaces: readonly Spot[];
  readonly bridges: readonly Bridge[];
  /** The smallest distance between two spaces. */
  readonly gap: number;
  private readonly lengths: readonly number[];

  constructor(
    readonly makeTimeline: Plan,
    readonly path: SakuraPath,
  ) {
    this.road = trace(makeTimeline);
    this.lengths = measure(this.road);
    const end = path.sakura.at(-1) ?? 0;
    this.spaces = Array.from({ length: end + 1 }, (_, space) =>
      space ? this.find(this.along(space)) : makeTimeline.gate,
    );
    this.gap = Math.min(...path.sakura.map((space) => this.along(space) - this.along(space - 1)));
    this.bridges = listBridges(path).map(([first, last]) => ({
      first,
      last,
      middle: this.find(this.along((first + last) / 2)),
      line: this.cut(this.along(first - 0.5), this.along(last + 0.5)),
    }));
  }

  /** Find a place on the path: a space or, with a fraction, a point on the way to the next. */
  spot(place: number, slot = 0): Spot {
    if (place >= 1) return this.find(this.along(place));
    const waits = this.slot(slot);
    const first = this.find(this.along(1));
    return { x: waits.x + (first.x - waits.x) * place, y: waits.y + (first.y - waits.y) * place, angle: 0 };
  }

  /** Find a painter's place in the gate. */
  slot(painter: number): Spot {
    const [across, down, most] = this.makeTimeline.slot;
    const { x, y } = this.makeTimeline.gate;
    return {
      x: x + ((painter % most) - (most - 1) / 2) * across,
      y: y + (0.55 + Math.floor(painter / most)) * down,
      angle: 0,
    };
  }

  /** Sample the line between two places, for footsteps. */
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

export const layWide = (path: SakuraPath): PathLayout => new PathLayout(WIDE, path);
export const layTall = (path: SakuraPath): PathLayout => new PathLayout(TALL, path);

/** Format a line as SVG path data. */
export function draw(line: readonly Spot[]): string {
  return `M${line.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** List the first and the last space of each bridge. */
export function listBridges({ bridges }: SakuraPath): [number, number][] {
  const firsts = bridges.filter((space) => !bridges.includes(space - 1));
  const durationMs = bridges.filter((space) => !bridges.includes(space + 1));
  return firsts.map((first, n) => [first, durationMs[n] ?? first]);
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
    // A whole number of half waves keeps both ends in place.
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
