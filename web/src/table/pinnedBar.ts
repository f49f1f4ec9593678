// On narrow screens, and on low ones such as phones in landscape, the action bar is pinned to the lower edge.

import { MediaQuery } from "svelte/reactivity";

export const pinned = new MediaQuery("(max-width: 700px), (max-height: 480px)");
