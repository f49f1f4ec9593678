// The Sanssouci board, as the app finds it.

import type { NamedModule } from "$app/lib/board";
import Board from "./Board.svelte";
import Cover from "./Cover.svelte";

export const game: NamedModule<"sanssouci"> = {
  Board,
  Cover,
  // A tile is turned up and a card is drawn once the walk is decided; sides are revealed together.
  reveals: (token) => token === "-" || token.includes(">"),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
