// Lazy loading of the boards and covers of all games, found by their folders.

import type { AnyGameModule } from "$app/lib/board";
import type { Component } from "svelte";

type Loader = () => Promise<{ game: AnyGameModule }>;
const modules = import.meta.glob("../../../src/pleasance/games/*/web/index.ts") as Record<string, Loader>;

const tutorials = import.meta.glob("../../../src/pleasance/games/*/web/tutorial.ts");

/** Whether a game has a tutorial; nothing is loaded. */
export const hasTutorial = (name: string): boolean =>
  Object.keys(tutorials).some((each) => each.includes(`/games/${name}/web/`));

type Cover = Component<{ theme?: string }>;
const covers = import.meta.glob("../../../src/pleasance/games/*/web/Cover.svelte") as Record<
  string,
  () => Promise<{ default: Cover }>
>;

/** Load the cover drawing of a game, without its board if it has its own file. */
export async function loadCover(name: string): Promise<Cover | null> {
  const path = Object.keys(covers).find((each) => each.includes(`/games/${name}/web/`));
  return path ? (await covers[path]!()).default : ((await loadBoard(name))?.Cover ?? null);
}

/** Load the board of a game; `null` if it has none and is drawn as text. */
export async function loadBoard(name: string): Promise<AnyGameModule | null> {
  const path = Object.keys(modules).find((each) => each.includes(`/games/${name}/web/`));
  return path ? (await modules[path]!()).game : null;
}
