// The tutorial: a recorded game with stops.

import type { Tutorial } from "$app/lib/board";
import plan from "./tutorial.json";
import record from "./tutorial.txt?raw";

export const tutorial: Tutorial = { record, ...plan };
