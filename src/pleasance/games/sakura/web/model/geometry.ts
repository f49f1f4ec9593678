// The geometry of the path: rows across a wide paper, or upward on a tall one.

import type { SakuraPath } from "$app/wire";

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The direction of the path, in degrees. */
  readonly angle: number;
}

export interface Bridge {
  readonly first: number;
  readonly last: number;
  readonly middle: Point;
  readonly line: readonly Point[];
}

/** A row of the path, to the right or to the left. */
interface Row {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

/** The dimensions of the paper and of the drawings on it. */
interface Dimensions {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly Row[];
  /** The height of the waves in a row. */
  readonly amplitude: number;
  readonly pathWidth: number;
  /** The middle of the gate. */
  readonly gate: Point;
  /** The distances of painters in the gate across and down, and their number per line. */
  readonly gateGrid: { readonly across: number; readonly down: number; readonly perLine: number };
  readonly figureScale: number;
  readonly treeScale: number;
}

/** The distance between two points of a line. */
const SAMPLE_DISTANCE = 6;
/** The fraction of the path before each sakura, chosen so that the trees have room. */
const SAKURA_FRACTIONS = [0.447, 0.724, 1] as const;

const WIDE: Dimensions = {
  width: 1200,
  height: 540,
  rows: [
    { from: 150, to: 1075, y: 142 },
    { from: 1075, to: 128, y: 298 },
    { from: 128, to: 1040, y: 454 },
  ],
  amplitude: 9,
  pathWidth: 46,
  gate: { x: 78, y: 150, angle: 0 },
  gateGrid: { across: 37, down: 40, perLine: 3 },
  figureScale: 1,
  treeScale: 0.86,
};

const TALL: Dimensions = {
  width: 360,
  height: 388,
  rows: [
    { from: 88, to: 302, y: 348 },
    { from: 302, to: 58, y: 265 },
    { from: 58, to: 302, y: 182 },
    { from: 302, to: 118, y: 99 },
  ],
  amplitude: 5,
  pathWidth: 29,
  gate: { x: 44, y: 334, angle: 0 },
  gateGrid: { across: 23, down: 22, perLine: 3 },
  figureScale: 0.62,
  treeScale: 0.47,
};

/** The path with its spaces on the paper. */
export class PathLayout {
  readonly line: readonly Point[];
  readonly spaces: readonly Point[];
  readonly bridges: readonly Bridge[];
  /** The smallest distance between two spaces. */
  readonly gap: number;
  /** The distance of each point of the line from its start. */
  private readonly distances: readonly number[];

  constructor(
    readonly dimensions: Dimensions,
    readonly path: SakuraPath,
  ) {
    this.line = traceLine(dimensions);
    this.distances = measureDistances(this.line);
    const end = path.sakura.at(-1) ?? 0;
    this.spaces = Array.from({ length: end + 1 }, (_, space) =>
      space ? this.pointAtDistance(this.distanceOf(space)) : dimensions.gate,
    );
    this.gap = Math.min(...path.sakura.map((space) => this.distanceOf(space) - this.distanceOf(space - 1)));
    this.bridges = listBridges(path).map(([first, last]) => ({
      first,
      last,
      middle: this.pointAtDistance(this.distanceOf((first + last) / 2)),
      line: this.lineBetween(this.distanceOf(first - 0.5), this.distanceOf(last + 0.5)),
    }));
  }

  /** Find the point of a place: a space or, with a fraction, a point between two spaces. */
  pointOf(place: number, painter = 0): Point {
    if (place >= 1) return this.pointAtDistance(this.distanceOf(place));
    const start = this.pointInGate(painter);
    const first = this.pointAtDistance(this.distanceOf(1));
    return { x: start.x + (first.x - start.x) * place, y: start.y + (first.y - start.y) * place, angle: 0 };
  }

  /** Find the point of a painter in the gate. */
  pointInGate(painter: number): Point {
    const { across, down, perLine } = this.dimensions.gateGrid;
    const { x, y } = this.dimensions.gate;
    return {
      x: x + ((painter % perLine) - (perLine - 1) / 2) * across,
      y: y + (0.55 + Math.floor(painter / perLine)) * down,
      angle: 0,
    };
  }

  /** Sample the line between two places, for footsteps. */
  pointsBetween(from: number, to: number, painter: number): Point[] {
    const count = Math.max(2, Math.ceil(Math.abs(to - from) * 4));
    return Array.from({ length: count + 1 }, (_, n) => this.pointOf(from + ((to - from) * n) / count, painter));
  }

  private distanceOf(place: number): number {
    const total = this.distances.at(-1) ?? 0;
    const ends = [0, ...this.path.sakura];
    const marks = [-14, ...SAKURA_FRACTIONS.map((fraction) => fraction * total)];
    const found = ends.findIndex((end) => place <= end);
    const segment = found < 0 ? ends.length - 1 : Math.max(1, found);
    const [a, b] = [ends[segment - 1] ?? 0, ends[segment] ?? 1];
    const [from, to] = [marks[segment - 1] ?? 0, marks[segment] ?? total];
    return from + ((place - a) / (b - a)) * (to - from);
  }

  private pointAtDistance(distance: number): Point {
    const { line, distances } = this;
    const found = distances.findIndex((each) => each >= distance);
    const next = found < 0 ? distances.length - 1 : Math.max(1, found);
    const [a, b] = [line[next - 1]!, line[next]!];
    const [before, after] = [distances[next - 1]!, distances[next]!];
    const fraction = Math.min(1, Math.max(0, distance - before) / (after - before));
    const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    return { x: a.x + fraction * (b.x - a.x), y: a.y + fraction * (b.y - a.y), angle };
  }

  private lineBetween(from: number, to: number): Point[] {
    const count = Math.ceil((to - from) / SAMPLE_DISTANCE);
    return Array.from({ length: count + 1 }, (_, n) => this.pointAtDistance(from + ((to - from) * n) / count));
  }
}

export const makeWideLayout = (path: SakuraPath): PathLayout => new PathLayout(WIDE, path);
export const makeTallLayout = (path: SakuraPath): PathLayout => new PathLayout(TALL, path);

/** Format a line as SVG path data. */
export function toPathData(line: readonly Point[]): string {
  return `M${line.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** List the first and the last space of each bridge. */
export function listBridges({ bridges }: SakuraPath): [number, number][] {
  const firsts = bridges.filter((space) => !bridges.includes(space - 1));
  const lasts = bridges.filter((space) => !bridges.includes(space + 1));
  return firsts.map((first, n) => [first, lasts[n] ?? first]);
}

function traceLine({ rows, amplitude }: Dimensions): Point[] {
  const line: Point[] = [];
  rows.forEach((row, n) => {
    line.push(...traceRow(row, amplitude));
    const next = rows[n + 1];
    if (next) line.push(...traceBend(row, next));
  });
  return line;
}

function traceRow({ from, to, y }: Row, amplitude: number): Point[] {
  const count = Math.ceil(Math.abs(to - from) / SAMPLE_DISTANCE);
  const halfWaves = Math.max(2, Math.round(Math.abs(to - from) / 230));
  return Array.from({ length: count + 1 }, (_, n) => ({
    x: from + ((to - from) * n) / count,
    // A whole number of half waves keeps both ends in place.
    y: y + amplitude * Math.sin((halfWaves * Math.PI * n) / count),
    angle: 0,
  }));
}

function traceBend(row: Row, next: Row): Point[] {
  const side = Math.sign(row.to - row.from);
  const [middle, radius] = [(row.y + next.y) / 2, (next.y - row.y) / 2];
  const count = Math.ceil((Math.abs(radius) * Math.PI) / SAMPLE_DISTANCE);
  return Array.from({ length: count - 1 }, (_, n) => {
    const turn = (Math.PI * (n + 1)) / count;
    return { x: row.to + side * Math.abs(radius) * Math.sin(turn), y: middle - radius * Math.cos(turn), angle: 0 };
  });
}

function measureDistances(line: readonly Point[]): number[] {
  let sum = 0;
  return line.map((point, n) => {
    const last = line[n - 1] ?? point;
    sum += Math.hypot(point.x - last.x, point.y - last.y);
    return sum;
  });
}
