// A first game to learn by: a few rounds that were chosen so that each shows something new.

import type { Tutorial } from "$app/lib/board";
import record from "./tutorial.txt?raw";
import plan from "./tutorial.json";

export const tutorial: Tutorial = { record, ...plan };
