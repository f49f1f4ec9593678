// The moments of a step in time: scenes become beats, and a beat tells how everybody stands at any
// instant of it. Nothing here knows rules; who goes where was told by the server.

import type { SakuraPlayed, SakuraScene, SakuraView } from "$app/wire";

/** One figure at an instant. */
export interface Figure {
  /** The space it stands on or, with a fraction, is between. */
  readonly place: number;
  readonly lift: number;
  readonly tilt: number;
  /** 1 stands upright, less bows. */
  readonly squash: number;
}

/** Tokens that rise from a painter. */
export interface Float {
  readonly painter: number;
  readonly tokens: number;
}

/** How all stand at an instant: the figures, which change all the time, and the rest. */
export interface Standing {
  readonly emperor: Figure;
  readonly painters: readonly Figure[];
  readonly table: TableTop;
}

/** What changes only now and then: cards, tokens, trees, words. */
export interface TableTop {
  readonly tokens: readonly number[];
  readonly scored: number;
  readonly played: readonly SakuraPlayed[];
  /** The card that is being carried out, and which of its actions. */
  readonly card: number | null;
  readonly action: number | null;
  /** The cards are turned over but not yet in their order. */
  readonly isUnsorted: boolean;
  readonly caption: string;
  readonly floats: readonly Float[];
  /** The tree that bursts into blossom. */
  readonly bursting: number | null;
}

type Gait = "walk" | "leap" | "bump" | "caught" | "line";

/** Somebody who moves during a beat. */
interface Move {
  /** `null` is the Emperor. */
  readonly painter: number | null;
  readonly from: number;
  readonly to: number;
  readonly gait: Gait;
  /** Where the Emperor stands whom a painter bumps into. */
  readonly turn: number;
}

export interface Beat {
  readonly scene: SakuraScene;
  readonly moves: readonly Move[];
  readonly tables: readonly TableTop[];
  /** How long it takes, in milliseconds at the usual pace. */
  readonly lasts: number;
}

/** What scenes and views both tell. */
export type Facts = Pick<SakuraView, "emperor" | "painters" | "tokens" | "scored">;

const STEP = 130; // a leisurely stroll: art direction asks for 90 at least, and many find that hasty
const PAUSE = 420; // to read the caption
const BOW = 620;
const SORTED = 0.45; // the part of a reveal after which the cards slide into their order
const QUIET: Partial<Record<SakuraScene["kind"], number>> = {
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
const stand = (place: number): Figure => ({ place, ...UPRIGHT });

/** Put the scenes of a step in time. */
export function plan(before: Facts, scenes: readonly SakuraScene[]): Beat[] {
  let last = before;
  return scenes.map((scene) => {
    const beat = makeBeat(last, scene);
    last = scene;
    return beat;
  });
}

function makeBeat(before: Facts, scene: SakuraScene): Beat {
  const moves = listMoves(before, scene);
  const floats = scene.tokens
    .map((tokens, painter) => ({ painter, tokens: tokens - (before.tokens[painter] ?? tokens) }))
    .filter(({ tokens }) => tokens);
  const walking = Math.max(0, ...moves.map(duration));
  const reading = moves.length && scene.kind !== "ranks" ? PAUSE : (QUIET[scene.kind] ?? PAUSE);
  return { scene, moves, tables: setTables(before, scene, floats), lasts: walking + reading };
}

function listMoves(before: Facts, scene: SakuraScene): Move[] {
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
  if (gait === "bump") return (Math.abs(turn - from) + Math.abs(turn - to)) * STEP + BOW;
  if (gait === "caught") return Math.abs(turn - to) * STEP + BOW;
  return Math.abs(to - from) * STEP;
}

/** Tell how all stand at an instant of a beat, in milliseconds from its beginning. */
export function standAt(beat: Beat, at: number): Standing {
  const { scene, moves } = beat;
  const isPaid = at >= Math.max(0, ...moves.map(strikes));
  const figures = scene.painters.map((place, n) => {
    const move = moves.find(({ painter }) => painter === n);
    return move ? pose(move, at) : stand(place);
  });
  const emperor = moves.find(({ painter }) => painter === null);
  const isUnsorted = (scene.kind === "reveal" || scene.kind === "court") && at < beat.lasts * SORTED;
  return {
    emperor: emperor ? pose(emperor, at) : stand(scene.emperor),
    painters: figures,
    table: beat.tables[2 * Number(isPaid) + Number(isUnsorted)]!,
  };
}

/** The four tables of a beat, made once, so that what has not changed is not drawn again. */
function setTables(before: Facts, scene: SakuraScene, floats: readonly Float[]): TableTop[] {
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

/** When a move costs its token: as the bow begins. */
function strikes({ gait, from, turn }: Move): number {
  return gait === "bump" ? Math.abs(turn - from) * STEP : 0;
}

function pose(move: Move, at: number): Figure {
  switch (move.gait) {
    case "leap":
      return leap(move, Math.min(1, at / duration(move)));
    case "bump":
      return bump(move, at);
    case "caught":
      return bowBack(move, at);
    default:
      return stroll(move.from, move.to, at);
  }
}

/** Go space by space, with a little hop for each. */
function stroll(from: number, to: number, at: number): Figure {
  const steps = Math.min(Math.abs(to - from), at / STEP);
  const hop = Math.abs(Math.sin(steps * Math.PI));
  const isThere = steps >= Math.abs(to - from);
  return {
    place: from + Math.sign(to - from) * steps,
    lift: isThere ? 0 : 5 * hop,
    tilt: isThere ? 0 : 4 * Math.sin(steps * Math.PI * 2),
    squash: 1,
  };
}

/** Over somebody's head, in one great arc. */
function leap({ from, to }: Move, part: number): Figure {
  const eased = part * part * (3 - 2 * part);
  return { place: from + (to - from) * eased, lift: 44 * Math.sin(Math.PI * part), tilt: 0, squash: 1 };
}

/** Walk into the Emperor, stumble, bow, and go back. */
function bump(move: Move, at: number): Figure {
  const arrival = Math.abs(move.turn - move.from) * STEP;
  // One stops short of the Emperor by the breadth of a robe.
  return at < arrival ? stroll(move.from, move.turn - 0.35, at) : bowBack(move, at - arrival);
}

function bowBack({ to, turn }: Move, at: number): Figure {
  if (at >= BOW) return stroll(turn, to, at - BOW);
  const part = at / BOW;
  if (part < 0.35) {
    return { place: turn - 0.35, lift: 0, tilt: 24 * Math.sin((part / 0.35) * Math.PI * 2), squash: 1 };
  }
  const bow = Math.sin(((part - 0.35) / 0.65) * Math.PI);
  return { place: turn - 0.35, lift: 0, tilt: 16 * bow, squash: 1 - 0.32 * bow };
}

/** How all stand when nothing moves. */
export function rest(view: SakuraView): Standing {
  const now = view.phase === "direction" ? view.played.find(({ done }) => done < 2) : undefined;
  return {
    emperor: stand(view.emperor),
    painters: view.painters.map(stand),
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
