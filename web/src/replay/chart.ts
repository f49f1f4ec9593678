// The geometry of the score chart, and its data as a table.

/** The scores of all seats at the start and after each step. */
export type Scores = readonly (readonly number[])[];

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000] as const;

/** Choose few round numbers that cover a range. */
export function findTicks(least: number, most: number, count = 4): number[] {
  const span = Math.max(1, most - least);
  const step = STEPS.find((each) => span / each <= count) ?? Math.ceil(span / count);
  const ticks: number[] = [];
  for (let at = Math.floor(least / step) * step; ; at += step) {
    ticks.push(at);
    if (at >= most) return ticks;
  }
}

export interface Scale {
  readonly ticks: readonly number[];
  readonly x: (step: number) => number;
  readonly y: (score: number) => number;
}

/** Map steps and scores into a frame. */
export function makeScale(scores: Scores, frame: Frame): Scale {
  const all = scores.flat();
  const ticks = findTicks(Math.min(0, ...all), Math.max(1, ...all));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const steps = Math.max(1, scores.length - 1);
  const [width, height] = [frame.width - frame.left - frame.right, frame.height - frame.top - frame.bottom];
  return {
    ticks,
    x: (step) => frame.left + (width * step) / steps,
    y: (score) => frame.top + (height * (high - score)) / (high - low),
  };
}

/** Draw the line of one seat as a step function. */
export function drawLine(scores: Scores, seat: number, { x, y }: Scale): string {
  let path = "";
  scores.forEach((row, step) => {
    const score = row[seat] ?? 0;
    const isChange = step === 0 || score !== scores[step - 1]?.[seat];
    if (step === 0) path = `M${round(x(0))} ${round(y(score))}`;
    else if (isChange) path += `H${round(x(step))}V${round(y(score))}`;
  });
  return `${path}H${round(x(scores.length - 1))}`;
}

const round = (number: number): number => Math.round(number * 10) / 10;

export interface Row {
  readonly step: number;
  readonly scores: readonly number[];
}

/** List the start and every step that changed a score. */
export function listChanges(scores: Scores): Row[] {
  return scores.flatMap((row, step) => {
    const before = scores[step - 1];
    return !before || row.some((score, seat) => score !== before[seat]) ? [{ step, scores: row }] : [];
  });
}
