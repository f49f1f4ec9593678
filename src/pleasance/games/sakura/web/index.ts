// Sakura in the browser.

import type { NamedModule } from "$app/lib/board";
import Board from "./Board.svelte";
import Cover from "./Cover.svelte";
import { readPair } from "./picking";

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const game: NamedModule<"sakura"> = {
  Board,
  Cover,
  // A way is asked for by two large buttons of its own: to ask once more would be once too often.
  reveals: (token) => readPair(token) !== null,
  showsSeats: true,
  tells: true,
  seatColors: (box) => box.painters.map((painter) => painter.color),
  seatNames: (box, language) => box.painters.map(({ names }) => capitalize(names[language] ?? "")),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
