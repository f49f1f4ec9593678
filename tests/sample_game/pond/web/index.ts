// The web module of Pond.

import type { NamedModule } from "$app/lib/board";
import Board from "./Board.svelte";

export const game: NamedModule<"pond"> = {
  Board,
  // Shown fish cannot be taken back; answers can.
  reveals: (token) => /^\d/.test(token),
};
