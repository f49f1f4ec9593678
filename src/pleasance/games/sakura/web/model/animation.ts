// The animation of a step: each scene gets a duration, and yields the frame at any instant.
// It knows no rules: the server's scenes contain all positions.

import type { SakuraPlayed, SakuraScene, SakuraView } from "$app/wire";

/** The pose of a figure. */
export interface Figure {
  /** The space, or with a fraction a point between two spaces. */
  readonly place: number;
  readonly lift: number;
  readonly tilt: number;
  /** The height: 1 upright, less in a bow. */
  readonly squash: number;
}

/** The change of a painter's tokens, shown as a floating number. */
export interface Float {
  readonly painter: number;
  readonly tokens: number;
}

/** A frame of the animation: the figures, and the rest of the board. */
export interface BoardFrame {
  readonly emperor: Figure;
  readonly painters: readonly Figure[];
  readonly table: TableState;
}

/** The parts of the board that rarely change: cards, tokens, trees, caption. */
export interface TableState {
  readonly tokens: readonly number[];
  readonly scored: number;
  readonly played: readonly SakuraPlayed[];
  /** The card that is being resolved, and its action. */
  readonly card: number | null;
  readonly action: number | null;
  /** Whether the cards are revealed but not yet sorted. */
  readonly isUnsorted: boolean;
  readonly caption: string;
  readonly floats: readonly Float[];
  /** The tree that starts to blossom. */
  readonly bursting: number | null;
}

type Gait = "walk" | "leap" | "bump" | "caught" | "line";

/** The movement of a figure in a scene. */
interface Move {
  /** `null` is the Emperor. */
  readonly painter: number | null;
  readonly from: number;
  readonly to: number;
  readonly gait: Gait;
  /** The space of the Emperor, where a bumping painter turns. */
  readonly turn: number;
}

export interface TimedScene {
  readonly scene: SakuraScene;
  readonly moves: readonly Move[];
  readonly tables: readonly TableState[];
  /** The duration at the usual pace. */
  readonly durationMs: number;
}

/** The position, as scenes and views both contain it. */
export type Baseline = Pick<SakuraView, "emperor" | "painters" | "tokens" | "scored">;

const STEP_MS = 130; // art direction asks for at least 90; many players find that too fast
const CAPTION_PAUSE_MS = 420; // to read the caption
const BOW_MS = 620;
const SORT_FRACTION = 0.45; // the fraction of a reveal after which the cards are sorted
const STILL_DURATIONS_MS: Partial<Record<SakuraScene["kind"], number>> = {
  draw: 280,
  reveal: 1500,
  court: 1100,
  rebuilt: 900,
  stay: 1000,
  ask: 300,
  unresolved: 1100,
  score: 2600,
  ranks: 500,
  over: 900,
};

const UPRIGHT = { lift: 0, tilt: 0, squash: 1 };
const standingAt = (place: number): Figure => ({ place, ...UPRIGHT });

/** Compute moves and durations for the scenes of a step. */
export function makeTimeline(before: Baseline, scenes: readonly SakuraScene[]): TimedScene[] {
  let last = before;
  return scenes.map((scene) => {
    const timed = timeScene(last, scene);
    last = scene;
    return timed;
  });
}

function timeScene(before: Baseline, scene: SakuraScene): TimedScene {
  const moves = listMoves(before, scene);
  const floats = scene.tokens
    .map((tokens, painter) => ({ painter, tokens: tokens - (before.tokens[painter] ?? tokens) }))
    .filter(({ tokens }) => tokens);
  const walking = Math.max(0, ...moves.map(duration));
  const reading =
    moves.length && scene.kind !== "ranks" ? CAPTION_PAUSE_MS : (STILL_DURATIONS_MS[scene.kind] ?? CAPTION_PAUSE_MS);
  return { scene, moves, tables: makeTables(before, scene, floats), durationMs: walking + reading };
}

function listMoves(before: Baseline, scene: SakuraScene): Move[] {
  const turn = scene.emperor;
  const moves: Move[] = scene.painters.flatMap((to, painter) => {
    const from = before.painters[painter] ?? to;
    const isBump = scene.painter === painter && (scene.kind === "bump" || scene.kind === "caught");
    return from === to && !isBump ? [] : [{ painter, from, to, turn, gait: gaitOf(scene.kind) }];
  });
  if (before.emperor !== turn) moves.push({ painter: null, from: before.emperor, to: turn, turn, gait: "walk" });
  return moves;
}

function gaitOf(kind: SakuraScene["kind"]): Gait {
  if (kind === "leap" || kind === "bump" || kind === "caught") return kind;
  return kind === "ranks" ? "line" : "walk";
}

function duration({ from, to, turn, gait }: Move): number {
  if (gait === "leap") return 520 + 40 * Math.abs(to - from);
  if (gait === "bump") return (Math.abs(turn - from) + Math.abs(turn - to)) * STEP_MS + BOW_MS;
  if (gait === "caught") return Math.abs(turn - to) * STEP_MS + BOW_MS;
  return Math.abs(to - from) * STEP_MS;
}

/** Compute the frame of a scene at a time in milliseconds from its start. */
export function frameAt(timed: TimedScene, at: number): BoardFrame {
  const { scene, moves } = timed;
  const isPaid = at >= Math.max(0, ...moves.map(tokenLossAt));
  const figures = scene.painters.map((place, n) => {
    const move = moves.find(({ painter }) => painter === n);
    return move ? figureAt(move, at) : standingAt(place);
  });
  const emperor = moves.find(({ painter }) => painter === null);
  const isUnsorted = (scene.kind === "reveal" || scene.kind === "court") && at < timed.durationMs * SORT_FRACTION;
  return {
    emperor: emperor ? figureAt(emperor, at) : standingAt(scene.emperor),
    painters: figures,
    table: timed.tables[2 * Number(isPaid) + Number(isUnsorted)]!,
  };
}

/** Make the four table states of a scene once, so that unchanged parts are not redrawn. */
function makeTables(before: Baseline, scene: SakuraScene, floats: readonly Float[]): TableState[] {
  const common = {
    scored: scene.scored,
    played: scene.played,
    card: scene.card,
    action: scene.action,
    caption: scene.caption,
    bursting: scene.kind === "score" ? scene.scored - 1 : null,
  };
  return [false, true].flatMap((isPaid) =>
    [false, true].map((isUnsorted) => ({
      ...common,
      tokens: isPaid ? scene.tokens : before.tokens,
      floats: isPaid ? floats : [],
      isUnsorted,
    })),
  );
}

/** Return when a move costs its token: at the start of the bow. */
function tokenLossAt({ gait, from, turn }: Move): number {
  return gait === "bump" ? Math.abs(turn - from) * STEP_MS : 0;
}

function figureAt(move: Move, at: number): Figure {
  switch (move.gait) {
    case "leap":
      return leapFigure(move, Math.min(1, at / duration(move)));
    case "bump":
      return bumpFigure(move, at);
    case "caught":
      return bowBack(move, at);
    default:
      return walkFigure(move.from, move.to, at);
  }
}

/** Walk space by space, with a hop for each. */
function walkFigure(from: number, to: number, at: number): Figure {
  const steps = Math.min(Math.abs(to - from), at / STEP_MS);
  const hop = Math.abs(Math.sin(steps * Math.PI));
  const isThere = steps >= Math.abs(to - from);
  return {
    place: from + Math.sign(to - from) * steps,
    lift: isThere ? 0 : 5 * hop,
    tilt: isThere ? 0 : 4 * Math.sin(steps * Math.PI * 2),
    squash: 1,
  };
}

/** Leap in one arc. */
function leapFigure({ from, to }: Move, part: number): Figure {
  const eased = part * part * (3 - 2 * part);
  return { place: from + (to - from) * eased, lift: 44 * Math.sin(Math.PI * part), tilt: 0, squash: 1 };
}

/** Walk into the Emperor, stumble, bow, and go back. */
function bumpFigure(move: Move, at: number): Figure {
  const arrival = Math.abs(move.turn - move.from) * STEP_MS;
  // The painter stops in front of the Emperor.
  return at < arrival ? walkFigure(move.from, move.turn - 0.35, at) : bowBack(move, at - arrival);
}

function bowBack({ to, turn }: Move, at: number): Figure {
  if (at >= BOW_MS) return walkFigure(turn, to, at - BOW_MS);
  const part = at / BOW_MS;
  if (part < 0.35) {
    return { place: turn - 0.35, lift: 0, tilt: 24 * Math.sin((part / 0.35) * Math.PI * 2), squash: 1 };
  }
  const bow = Math.sin(((part - 0.35) / 0.65) * Math.PI);
  return { place: turn - 0.35, lift: 0, tilt: 16 * bow, squash: 1 - 0.32 * bow };
}

/** Make the frame of a position without animation. */
export function restingFrame(view: SakuraView): BoardFrame {
  const now = view.phase === "direction" ? view.played.find(({ done }) => done < 2) : undefined;
  return {
    emperor: standingAt(view.emperor),
    painters: view.painters.map(standingAt),
    table: {
      tokens: view.tokens,
      scored: view.scored,
      played: view.played,
      card: now?.card ?? null,
      action: now?.done ?? null,
      isUnsorted: false,
      caption: "",
      floats: [],
      bursting: null,
    },
  };
}
