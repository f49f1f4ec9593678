// Names of motifs, rows, cards, cells and spaces, in the user's edition and language.

import type { SeatPlayer } from "$app/lib/board";
import type { Say } from "$app/lib/i18n.svelte";
import type { SanssouciBox, SanssouciEdition, SanssouciMark, SanssouciView } from "$app/wire";
import { COLUMNS, columnOf, rowOf } from "./garden";
import { cardRows } from "./tokens";

export interface Names {
  readonly say: Say;
  readonly edition: SanssouciEdition;
  motif(letter: string): string;
  row(row: number): string;
  card(card: string): string;
  cell(view: SanssouciView, seat: number, cell: string, more: readonly string[]): string;
  space(view: SanssouciView, space: string): string;
}

export function findEdition(box: SanssouciBox, theme: string): SanssouciEdition {
  return box.editions.find((edition) => edition.name === theme) ?? box.editions[0]!;
}

export function makeNames(edition: SanssouciEdition, language: string, say: Say): Names {
  const pick = (words: Readonly<Record<string, string>> | undefined): string =>
    words?.[language] ?? words?.["en"] ?? "";
  const motif = (letter: string): string => pick(edition.motifs[COLUMNS.indexOf(letter)]);
  const row = (number: number): string => pick(edition.rows[number - 1]);
  const card = (name: string): string => {
    if (name === "*") return say("card.free");
    const [one, other] = cardRows(name);
    if (!one || !other) return motif(name);
    return say("web.pair", { one, other, color_one: row(one), color_other: row(other) });
  };
  const cell = (view: SanssouciView, seat: number, name: string, more: readonly string[]): string => {
    const garden = view.gardens[seat]!;
    const at = { motif: motif(name[0]!), row: rowOf(name) };
    const isNoble = garden.nobles[columnOf(name)] === at.row;
    if (at.row === 0)
      return [say("web.cell.terrace", at), say(isNoble ? "web.cell.noble" : "web.cell.away"), ...more].join(", ");
    const state = garden.gardeners.includes(name) ? "gardener" : garden.built.includes(name) ? "built" : "free";
    const parts = [say("web.cell.at", at), say(`web.cell.${state}`)];
    if (isNoble) parts.push(say("web.cell.noble"));
    if (garden.boar === name) parts.push(say("web.cell.boar"));
    return [...parts, ...more].join(", ");
  };
  const space = (view: SanssouciView, name: string): string => {
    const tile = view.market.find((each) => each.space === name);
    const at = { row: Number(name[0]), color: row(Number(name[0])) };
    return tile?.motif ? say("web.space.tile", { ...at, motif: motif(tile.motif) }) : say("web.space.empty", at);
  };
  return { say, edition, motif, row, card, cell, space };
}

/** Describe the points of a mark on the rewards board. */
export function nameMark(mark: SanssouciMark, say: Say): string {
  if (mark.motif === mark.gardener)
    return say(mark.motif < 0 ? "web.mark.penalty" : "web.mark.any", { points: Math.abs(mark.motif) });
  return mark.motif
    ? say("web.mark.motif", { points: mark.motif })
    : say("web.mark.gardener", { points: mark.gardener });
}

/** Map cells to the marks of a rewards board. */
export function marksOf(box: SanssouciBox, side: string | null): ReadonlyMap<string, SanssouciMark> {
  const board = box.rewards.find((each) => each.side === side);
  return new Map(board?.marks.map((mark) => [mark.cell, mark]));
}

export const playerOf = (players: readonly SeatPlayer[], seat: number): SeatPlayer | undefined =>
  players.find((face) => face.seat === seat);
