// How somebody likes it, kept in this browser.

import { recall, remember } from "$app/lib/api";

export const LOOKS = ["auto", "light", "dark", "contrast"] as const;
export type Look = (typeof LOOKS)[number];
export const PACES = [0.5, 1, 2, 0] as const;
export const PACE_NAMES = { 0.5: "slow", 1: "usual", 2: "quick", 0: "none" } as const;
export const ASKING = ["never", "revealing", "always"] as const;
/** Before which choices to ask again. */
export type Asking = (typeof ASKING)[number];

interface Kept {
  look: Look;
  pace: number;
  asking: Asking;
  sound: boolean;
  themes: Record<string, string>;
}

function isCoarse(): boolean {
  return typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
}

class Settings {
  private kept = $state<Kept>({
    look: "auto",
    pace: 1,
    asking: isCoarse() ? "always" : "revealing",
    sound: false,
    themes: {},
    ...recall<Partial<Kept>>("settings", {}),
  });
  private isCalm = $state(false);
  private isNight = false;
  private isStark = false;

  constructor() {
    if (typeof matchMedia !== "function") return;
    this.follow("(prefers-color-scheme: dark)", (isIt) => (this.isNight = isIt));
    this.follow("(prefers-contrast: more)", (isIt) => (this.isStark = isIt));
    this.follow("(prefers-reduced-motion: reduce)", (isIt) => (this.isCalm = isIt));
  }

  /** Do as the system likes it, now and whenever that changes. */
  private follow(wish: string, take: (isIt: boolean) => void): void {
    const query = matchMedia(wish);
    take(query.matches);
    query.addEventListener("change", () => {
      take(query.matches);
      this.apply();
    });
  }

  get look(): Look { return this.kept.look; }
  set look(look: Look) { this.change({ look }); }
  get asking(): Asking { return this.kept.asking; }
  set asking(asking: Asking) { this.change({ asking }); }
  get sound(): boolean { return this.kept.sound; }
  set sound(sound: boolean) { this.change({ sound }); }

  /** How fast things move; nothing moves for who asked the system for less motion. */
  get pace(): number { return this.isCalm ? 0 : this.kept.pace; }
  set pace(pace: number) { this.change({ pace }); }

  themeOf(game: string, first: string): string {
    return this.kept.themes[game] ?? first;
  }

  setTheme(game: string, theme: string): void {
    this.change({ themes: { ...this.kept.themes, [game]: theme } });
  }

  private change(part: Partial<Kept>): void {
    this.kept = { ...this.kept, ...part };
    remember("settings", this.kept);
    this.apply();
  }

  /** Tell the style sheet how it should look. */
  apply(): void {
    const usual = this.isStark ? "contrast" : this.isNight ? "dark" : "light";
    document.documentElement.dataset.look = this.kept.look === "auto" ? usual : this.kept.look;
    // What style sheets move takes so much of its usual time; a board may go at a pace of its own.
    document.documentElement.style.setProperty("--tempo", String(this.pace ? 1 / this.pace : 0));
  }
}

export const settings = new Settings();
