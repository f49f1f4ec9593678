// The web module of Sanssouci.

import type { NamedModule } from "$app/lib/board";
import Board from "./Board.svelte";
import Cover from "./Cover.svelte";

export const game: NamedModule<"sanssouci"> = {
  Board,
  Cover,
  // After the walk a tile is turned up and a card is drawn.
  reveals: (token) => token === "-" || token.includes(">"),
  tutorial: async () => (await import("./tutorial")).tutorial,
};
