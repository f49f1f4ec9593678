// A first walk in the garden.

import type { Tutorial } from "$app/lib/board";

export const tutorial: Tutorial = { record: "", seat: 0, stops: [] };
