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
export interface TokenChange {
  readonly painter: number;
  readonly tokens: number;
}

/** A frame of the animation: the figures, and the rest of the board. */
export interface AnimationFrame {
  readonly emperor: Figure;
  readonly painters: readonly Figure[];
  readonly board: BoardState;
}

/** The parts of the board that rarely change: cards, tokens, trees, caption. */
export interface BoardState {
  readonly tokens: readonly number[];
  readonly scored: number;
  readonly played: readonly SakuraPlayed[];
  /** The card that is being resolved, and its action. */
  readonly card: number | null;
  readonly action: number | null;
  /** Whether the cards are revealed but not yet sorted. */
  readonly isUnsorted: boolean;
  readonly caption: string;
  readonly tokenChanges: readonly TokenChange[];
  /** The tree that starts to blossom. */
  readonly blossoming: number | null;
}

type MoveKind = "walk" | "leap" | "bump" | "caught" | "ranks";

/** The movement of a figure in a scene. */
interface Move {
  readonly kind: MoveKind;
  /** `null` is the Emperor. */
  readonly painter: number | null;
  readonly from: number;
  readonly to: number;
  /** The space of the Emperor, where a bumping painter turns back. */
  readonly emperor: number;
}

export interface TimedScene {
  readonly scene: SakuraScene;
  readonly moves: readonly Move[];
  readonly boardStates: readonly BoardState[];
  /** The duration at the usual pace. */
  readonly durationMs: number;
}

/** The position, as scenes and views both contain it. */
export type Baseline = Pick<SakuraView, "emperor" | "painters" | "tokens" | "scored">;

const STEP_MS = 130; // at 90 many players find a walk too fast
const CAPTION_PAUSE_MS = 420; // to read the caption
const BOW_MS = 620;
const LEAP_MS = 520;
const LEAP_MS_PER_SPACE = 40;
const SORT_FRACTION = 0.45; // the fraction of a reveal after which the cards are sorted
const STUMBLE_FRACTION = 0.35; // the fraction of a bow in which the painter stumbles
const BUMP_DISTANCE = 0.35; // a bumping painter stops in front of the Emperor
const PAUSES_MS: Partial<Record<SakuraScene["kind"], number>> = {
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
  const tokenChanges = scene.tokens
    .map((tokens, painter) => ({ painter, tokens: tokens - (before.tokens[painter] ?? tokens) }))
    .filter(({ tokens }) => tokens);
  const moveMs = Math.max(0, ...moves.map(moveDurationMs));
  const pauseMs =
    moves.length && scene.kind !== "ranks" ? CAPTION_PAUSE_MS : (PAUSES_MS[scene.kind] ?? CAPTION_PAUSE_MS);
  const boardStates = makeBoardStates(before, scene, tokenChanges);
  return { scene, moves, boardStates, durationMs: moveMs + pauseMs };
}

function listMoves(before: Baseline, scene: SakuraScene): Move[] {
  const { emperor } = scene;
  const moves: Move[] = scene.painters.flatMap((to, painter) => {
    const from = before.painters[painter] ?? to;
    const isBump = scene.painter === painter && (scene.kind === "bump" || scene.kind === "caught");
    return from === to && !isBump ? [] : [{ kind: moveKindOf(scene.kind), painter, from, to, emperor }];
  });
  if (before.emperor !== emperor)
    moves.push({ kind: "walk", painter: null, from: before.emperor, to: emperor, emperor });
  return moves;
}

function moveKindOf(kind: SakuraScene["kind"]): MoveKind {
  return kind === "leap" || kind === "bump" || kind === "caught" || kind === "ranks" ? kind : "walk";
}

function moveDurationMs({ kind, from, to, emperor }: Move): number {
  if (kind === "leap") return LEAP_MS + LEAP_MS_PER_SPACE * Math.abs(to - from);
  if (kind === "bump") return (Math.abs(emperor - from) + Math.abs(emperor - to)) * STEP_MS + BOW_MS;
  if (kind === "caught") return Math.abs(emperor - to) * STEP_MS + BOW_MS;
  return Math.abs(to - from) * STEP_MS;
}

/** Compute the frame of a scene at a time from its start. */
export function frameAt(timed: TimedScene, elapsedMs: number): AnimationFrame {
  const { scene, moves } = timed;
  const isPaid = elapsedMs >= Math.max(0, ...moves.map(tokenLossAtMs));
  const painters = scene.painters.map((place, n) => {
    const move = moves.find(({ painter }) => painter === n);
    return move ? figureAt(move, elapsedMs) : standingAt(place);
  });
  const emperorMove = moves.find(({ painter }) => painter === null);
  const isReveal = scene.kind === "reveal" || scene.kind === "court";
  const isUnsorted = isReveal && elapsedMs < timed.durationMs * SORT_FRACTION;
  return {
    emperor: emperorMove ? figureAt(emperorMove, elapsedMs) : standingAt(scene.emperor),
    painters,
    board: timed.boardStates[2 * Number(isPaid) + Number(isUnsorted)]!,
  };
}

/** Make the four board states of a scene once, so that unchanged parts are not redrawn. */
function makeBoardStates(before: Baseline, scene: SakuraScene, tokenChanges: readonly TokenChange[]): BoardState[] {
  const common = {
    scored: scene.scored,
    played: scene.played,
    card: scene.card,
    action: scene.action,
    caption: scene.caption,
    blossoming: scene.kind === "score" ? scene.scored - 1 : null,
  };
  return [false, true].flatMap((isPaid) =>
    [false, true].map((isUnsorted) => ({
      ...common,
      tokens: isPaid ? scene.tokens : before.tokens,
      tokenChanges: isPaid ? tokenChanges : [],
      isUnsorted,
    })),
  );
}

/** Return when a move costs its token: at the start of the bow. */
function tokenLossAtMs({ kind, from, emperor }: Move): number {
  return kind === "bump" ? Math.abs(emperor - from) * STEP_MS : 0;
}

function figureAt(move: Move, elapsedMs: number): Figure {
  switch (move.kind) {
    case "leap":
      return leapFigure(move, Math.min(1, elapsedMs / moveDurationMs(move)));
    case "bump":
      return bumpFigure(move, elapsedMs);
    case "caught":
      return bowFigure(move, elapsedMs);
    case "walk":
    case "ranks":
      return walkFigure(move.from, move.to, elapsedMs);
  }
}

/** Walk space by space, with a hop for each. */
function walkFigure(from: number, to: number, elapsedMs: number): Figure {
  const steps = Math.min(Math.abs(to - from), elapsedMs / STEP_MS);
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
function leapFigure({ from, to }: Move, fraction: number): Figure {
  const eased = fraction * fraction * (3 - 2 * fraction);
  return { place: from + (to - from) * eased, lift: 44 * Math.sin(Math.PI * fraction), tilt: 0, squash: 1 };
}

/** Walk into the Emperor, stumble, bow, and go back. */
function bumpFigure(move: Move, elapsedMs: number): Figure {
  const arrivalMs = Math.abs(move.emperor - move.from) * STEP_MS;
  return elapsedMs < arrivalMs
    ? walkFigure(move.from, move.emperor - BUMP_DISTANCE, elapsedMs)
    : bowFigure(move, elapsedMs - arrivalMs);
}

/** Stumble, bow, and go back. */
function bowFigure({ to, emperor }: Move, elapsedMs: number): Figure {
  if (elapsedMs >= BOW_MS) return walkFigure(emperor, to, elapsedMs - BOW_MS);
  const place = emperor - BUMP_DISTANCE;
  const fraction = elapsedMs / BOW_MS;
  if (fraction < STUMBLE_FRACTION)
    return { place, lift: 0, tilt: 24 * Math.sin((fraction / STUMBLE_FRACTION) * Math.PI * 2), squash: 1 };
  const bow = Math.sin(((fraction - STUMBLE_FRACTION) / (1 - STUMBLE_FRACTION)) * Math.PI);
  return { place, lift: 0, tilt: 16 * bow, squash: 1 - 0.32 * bow };
}

/** Make the frame of a position without animation. */
export function stillFrame(view: SakuraView): AnimationFrame {
  const resolved = view.phase === "direction" ? view.played.find(({ done }) => done < 2) : undefined;
  return {
    emperor: standingAt(view.emperor),
    painters: view.painters.map(standingAt),
    board: {
      tokens: view.tokens,
      scored: view.scored,
      played: view.played,
      card: resolved?.card ?? null,
      action: resolved?.done ?? null,
      isUnsorted: false,
      caption: "",
      tokenChanges: [],
      blossoming: null,
    },
  };
}
