// The user's settings, stored in this browser.

import { loadLocal, saveLocal } from "$app/net/api";

export const COLOR_SCHEMES = ["auto", "light", "dark", "contrast"] as const;
export const PACE_NAMES = { 0.5: "slow", 1: "usual", 2: "quick", 0: "none" } as const;
export const PACES = [0.5, 1, 2, 0] as const;
export const CONFIRM_MODES = ["never", "revealing", "always"] as const;

interface StoredSettings {
  readonly colorScheme: (typeof COLOR_SCHEMES)[number];
  /** The speed of animations: 2 is twice as fast as usual, 0 shows none. */
  readonly pace: number;
  /** Which choices must be confirmed. */
  readonly confirmMode: (typeof CONFIRM_MODES)[number];
  readonly sound: boolean;
  readonly themes: Readonly<Record<string, string>>;
}

const isCoarsePointer = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

class Settings {
  current = $state.raw<StoredSettings>({
    colorScheme: "auto",
    pace: 1,
    confirmMode: isCoarsePointer ? "always" : "revealing",
    sound: false,
    themes: {},
    ...loadLocal<Partial<StoredSettings>>("settings", {}),
  });
  private prefersReducedMotion = $state(false);
  private prefersDark = false;
  private prefersContrast = false;

  constructor() {
    if (typeof matchMedia !== "function") return;
    this.watchMedia("(prefers-color-scheme: dark)", (matches) => (this.prefersDark = matches));
    this.watchMedia("(prefers-contrast: more)", (matches) => (this.prefersContrast = matches));
    this.watchMedia("(prefers-reduced-motion: reduce)", (matches) => (this.prefersReducedMotion = matches));
  }

  private watchMedia(condition: string, set: (matches: boolean) => void): void {
    const query = matchMedia(condition);
    set(query.matches);
    query.addEventListener("change", () => {
      set(query.matches);
      this.apply();
    });
  }

  /** The speed of animations; none if the system asks for less motion. */
  get pace(): number {
    return this.prefersReducedMotion ? 0 : this.current.pace;
  }

  themeOf(game: string, fallback: string): string {
    return this.current.themes[game] ?? fallback;
  }

  setTheme(game: string, theme: string): void {
    this.change({ themes: { ...this.current.themes, [game]: theme } });
  }

  change(part: Partial<StoredSettings>): void {
    this.current = { ...this.current, ...part };
    saveLocal("settings", this.current);
    this.apply();
  }

  /** Set the attributes that the style sheets read. */
  apply(): void {
    const usual = this.prefersContrast ? "contrast" : this.prefersDark ? "dark" : "light";
    const { colorScheme } = this.current;
    document.documentElement.dataset.colorScheme = colorScheme === "auto" ? usual : colorScheme;
    // The factor for durations of transitions; a board may set its own.
    document.documentElement.style.setProperty("--tempo", String(this.pace ? 1 / this.pace : 0));
  }
}

export const settings = new Settings();
