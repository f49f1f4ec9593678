// What the end would bring if it came now: lines, missions, the boar. Added up from the box.

import type { SanssouciBox, SanssouciView } from "$app/wire";
import { COLUMNS, ROWS, countMissing, findBoarArea } from "./garden";

export interface Line {
  /** A row by its number, a column by its letter. */
  readonly line: number | string;
  readonly missing: number;
  /** What it brings once it is complete. */
  readonly bonus: number;
}

export interface Prospect {
  readonly rows: readonly Line[];
  readonly columns: readonly Line[];
  /** What the known missions bring as the nobles stand. */
  readonly missions: readonly { readonly motif: string; readonly points: number }[];
  /** The free cells that the boar could roam: so much it would cost. */
  readonly boar: number;
  /** Lines and missions together, as things stand; the boar is likely to be chased until the end. */
  readonly total: number;
}

/** Count what the garden of *seat* would bring at the end, beyond the points it has. */
export function lookAhead(view: SanssouciView, box: SanssouciBox, seat: number): Prospect {
  const garden = view.gardens[seat]!;
  const built = new Set(garden.built);
  const rows = ROWS.map((row) => ({ line: row, missing: countMissing(built, row), bonus: box.row_bonus[row - 1] ?? 0 }));
  const columns = [...COLUMNS].map((line) => ({ line, missing: countMissing(built, line), bonus: box.column_bonus }));
  const missions = (view.missions[seat] ?? []).map((motif) => ({
    motif,
    points: garden.nobles[COLUMNS.indexOf(motif)] ?? 0,
  }));
  const boar = findBoarArea(garden).length;
  const won = [...rows, ...columns].filter((line) => line.missing === 0).map((line) => line.bonus);
  const total = [...won, ...missions.map((mission) => mission.points)].reduce((sum, points) => sum + points, 0);
  return { rows, columns, missions, boar, total };
}
