// The web module of Sakura.

import type { NamedModule } from "$app/lib/board";
import Board from "./Board.svelte";
import Cover from "./Cover.svelte";
import { readPair } from "./model/picking";

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const game: NamedModule<"sakura"> = {
  Board,
  Cover,
  // Directions have two large buttons of their own and need no confirmation.
  reveals: (token) => readPair(token) !== null,
  showsSeats: true,
  narratesSteps: true,
  seatColors: (box) => box.painters.map((painter) => painter.color),
  seatNames: (box, language) => box.painters.map(({ names }) => capitalize(names[language] ?? "")),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
