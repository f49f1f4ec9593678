// Texts of the board: names of painters, descriptions of cards.

import { i18n, type Params } from "$app/lib/i18n.svelte";
import type { SakuraAction, SakuraBox, SakuraCard, SakuraLanding } from "$app/wire";
import type { SeatPlayer } from "$app/lib/board";

/** Format a message of this game. */
export const say = (key: string, params?: Params): string => i18n.forGame("sakura")(key, params);

/** Return the name of a painter's color. */
export function colorName(box: SakuraBox, painter: number): string {
  return box.painters[painter]?.names[i18n.language] ?? "";
}

/** Return the color of a painter with its letter. */
export function signName(box: SakuraBox, painter: number): string {
  return say("text.sign", { name: colorName(box, painter), letter: box.painters[painter]?.letter ?? "" });
}

/** Return the name of a painter's player; the court painter has none. */
export function playerName(players: readonly SeatPlayer[], painter: number): string {
  return players.find((face) => face.seat === painter)?.name ?? say("web.court");
}

/** Describe an action of a card. */
export function describeAction({ move, steps, is_free }: SakuraAction): string {
  const way = is_free ? "free" : steps < 0 ? "back" : "forward";
  return say(`move.${move}`, { steps: Math.abs(steps), way });
}

/** Describe an action with a capital first letter. */
export function titleAction(action: SakuraAction): string {
  const said = describeAction(action);
  return said.charAt(0).toLocaleUpperCase(i18n.language) + said.slice(1);
}

/** Format the steps of an action; empty if they depend on the position. */
export function formatSteps({ steps, is_free }: SakuraAction): string {
  if (!steps) return "";
  return is_free ? `±${Math.abs(steps)}` : steps < 0 ? `−${-steps}` : `+${steps}`;
}

export const findCard = (box: SakuraBox, card: number): SakuraCard | undefined =>
  box.cards.find((each) => each.card === card);

/** Describe both actions of a card. */
export function describeCard(box: SakuraBox, card: number): string {
  const face = findCard(box, card);
  return face ? `${describeAction(face.garden)}; ${describeAction(face.painter)}` : "";
}

/** Describe where a choice would take the own painter, if no other painter moved. */
export function describeLandings(landings: readonly SakuraLanding[], token: string, key = "web.landing"): string {
  const places = landings
    .filter((landing) => landing.token === token)
    .map(({ space, is_disgraced }) => say("web.landing_place", { space, bumps: is_disgraced ? "yes" : "no" }));
  const either = new Intl.ListFormat(i18n.language, { type: "disjunction" });
  return places.length ? say(key, { places: either.format(new Set(places)) }) : "";
}
