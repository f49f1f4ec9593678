// The tutorial: a recorded game with stops.

import type { Tutorial } from "$app/lib/board";
import record from "./tutorial.txt?raw";
import plan from "./tutorial.json";

export const tutorial: Tutorial = { record, ...plan };
