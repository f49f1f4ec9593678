// Where the bar is pinned to the lower edge and slim: on narrow screens, and on low ones, as a phone
// that is held across.

import { MediaQuery } from "svelte/reactivity";

export const pinned = new MediaQuery("(max-width: 700px), (max-height: 480px)");
