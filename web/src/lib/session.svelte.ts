// The user's session: none yet, a guest, or the owner of an account.

import { api, loadLocal, Refusal, saveLocal } from "$app/net/api";
import { pageData, type Me } from "$app/lib/pageData.svelte";
import { askUser, attempt } from "$app/lib/notices.svelte";
import { i18n, say, type Language } from "$app/lib/i18n.svelte";

export const MAX_NAME_LENGTH = 40;

class Session {
  user = $state.raw<Me | null>(pageData.me);
  /** The name for the next session. */
  wantedName = $state(pageData.me?.name ?? loadLocal("name", ""));

  get id(): string {
    return this.user?.id ?? "";
  }

  /** Return the user, as a new guest if there is no session; `null` if the user gives no invitation. */
  async start(invitation?: string): Promise<Me | null> {
    if (this.user) return this.user;
    const name = this.wantedName.trim();
    try {
      this.user = await api<Me>("POST", "/api/session", {
        language: i18n.language,
        ...(name ? { name } : {}),
        ...(invitation ? { invitation } : {}),
      });
      this.wantedName = this.user.name;
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || !refusal.code.startsWith("invitation_")) throw refusal;
      const given = await askUser({ text: refusal.message, yes: say("ok"), field: say("invitation") });
      return given ? this.start(given) : null;
    }
    return this.user;
  }

  /** Start a session if there is none, after asking for a name if none is known. */
  async ensure(): Promise<Me | null> {
    if (this.user) return this.user;
    if (!this.wantedName.trim()) {
      const name = await askUser({
        text: say("your_name"),
        more: say("no_account"),
        yes: say("ok"),
        field: say("name"),
        maxLength: MAX_NAME_LENGTH,
      });
      if (name === null) return null;
      this.wantedName = name;
    }
    try {
      return await this.start();
    } catch (refusal) {
      this.wantedName = ""; // the next attempt asks for another name
      throw refusal;
    }
  }

  /** Change the language of the page and of the account. */
  async setLanguage(language: Language): Promise<void> {
    await Promise.all([i18n.setLanguage(language), attempt(() => pageData.loadGames(language))]);
    if (this.user) await attempt(() => api("PATCH", "/api/me", { language }));
  }

  async rename(name: string): Promise<void> {
    saveLocal("name", name);
    this.wantedName = name;
    if (!this.user || !name || name === this.user.name) return;
    try {
      this.user = await api<Me>("PATCH", "/api/me", { name });
    } finally {
      this.wantedName = this.user.name;
    }
  }
}

export const session = new Session();
