// What the board says: names of painters, what a card does.

import { speech, type Params } from "$app/lib/words.svelte";
import type { SakuraAction, SakuraBox, SakuraCard, SakuraLanding } from "$app/wire";
import type { Face } from "$app/lib/board";

/** Say something of this game. */
export const tell = (key: string, params?: Params): string => speech.sayer("sakura")(key, params);

/** The color of a painter, as it is called. */
export function colorName(box: SakuraBox, painter: number): string {
  return box.painters[painter]?.names[speech.language] ?? "";
}

/** The color of a painter with the letter that stands on it. */
export function signName(box: SakuraBox, painter: number): string {
  return tell("text.sign", { name: colorName(box, painter), letter: box.painters[painter]?.letter ?? "" });
}

/** Who plays a painter; nobody plays the court painter. */
export function playerName(faces: readonly Face[], painter: number): string {
  return faces.find((face) => face.seat === painter)?.name ?? tell("web.court");
}

/** What one action of a card does. */
export function sayAction({ move, steps, is_free }: SakuraAction): string {
  const way = is_free ? "free" : steps < 0 ? "back" : "forward";
  return tell(`move.${move}`, { steps: Math.abs(steps), way });
}

/** What one action of a card does, where it stands by itself and begins with a capital. */
export function titleAction(action: SakuraAction): string {
  const said = sayAction(action);
  return said.charAt(0).toLocaleUpperCase(speech.language) + said.slice(1);
}

/** The steps of an action as they stand on the card; nothing where the position tells them. */
export function writeSteps({ steps, is_free }: SakuraAction): string {
  if (!steps) return "";
  return is_free ? `±${Math.abs(steps)}` : steps < 0 ? `−${-steps}` : `+${steps}`;
}

export const findCard = (box: SakuraBox, card: number): SakuraCard | undefined =>
  box.cards.find((each) => each.card === card);

/** What a card does, both actions. */
export function sayCard(box: SakuraBox, card: number): string {
  const face = findCard(box, card);
  return face ? `${sayAction(face.garden)}; ${sayAction(face.painter)}` : "";
}

/** Where the own painter would come to by a choice, if nobody else moved, or with another *key* at once. */
export function sayLandings(landings: readonly SakuraLanding[], token: string, key = "web.landing"): string {
  const places = landings
    .filter((landing) => landing.token === token)
    .map(({ space, is_disgraced }) => tell("web.landing_place", { space, bumps: is_disgraced ? "yes" : "no" }));
  const either = new Intl.ListFormat(speech.language, { type: "disjunction" });
  return places.length ? tell(key, { places: either.format(new Set(places)) }) : "";
}
