// A first walk in the garden: a record, and the moments at which something is said or asked.

import type { Tutorial } from "$app/lib/board";
import lesson from "./lesson.json";
import record from "./lesson.txt?raw";

export const tutorial: Tutorial = { record, ...lesson };
