// A hint: the choice of the strongest bot at hand, for the position in which it was requested.

import { api } from "$app/net/api";

interface LoadedHint {
  readonly token: string;
  readonly bot: string | null;
  readonly position: string;
}

export class Hint {
  isLoading = $state(false);
  private loaded = $state.raw<LoadedHint | null>(null);

  get bot(): string | null {
    return this.loaded?.bot ?? null;
  }

  tokenAt(position: string): string | null {
    return this.loaded?.position === position ? this.loaded.token : null;
  }

  clear(): void {
    this.loaded = null;
  }

  /** Request a hint; drop it and return false if *position* has changed meanwhile. */
  async load(table: string, seat: number, position: () => string): Promise<boolean> {
    this.isLoading = true;
    try {
      const requested = position();
      const hint = await api<Omit<LoadedHint, "position">>("POST", `/t/${table}/hint?seat=${seat}`);
      if (requested !== position()) return false;
      this.loaded = { ...hint, position: requested };
      return true;
    } finally {
      this.isLoading = false;
    }
  }
}
