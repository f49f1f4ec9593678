// The games that have boards of their own, found by being there.

import type { AnyGameModule } from "$app/lib/board";

type Loader = () => Promise<{ game: AnyGameModule }>;
const modules = import.meta.glob("../../../src/pleasance/games/*/web/index.ts") as Record<string, Loader>;

/** Load the board of a game; `null` for one that is only drawn in text. */
export async function loadBoard(name: string): Promise<AnyGameModule | null> {
  const path = Object.keys(modules).find((each) => each.includes(`/games/${name}/web/`));
  return path ? (await modules[path]!()).game : null;
}
