// Who somebody is here: nobody yet, a guest, or the owner of an account.

import { ask, recall, Refusal, remember } from "$app/lib/api";
import { facts, type Me } from "$app/lib/facts.svelte";
import { askPerson } from "$app/lib/notices.svelte";
import { say, speech } from "$app/lib/words.svelte";

/** As many letters as a name may have. */
export const LONGEST_NAME = 40;

class Myself {
  who = $state.raw<Me | null>(facts.me);
  /** The name that is offered to whoever is nobody yet. */
  wished = $state(facts.me?.name ?? recall("name", ""));

  get id(): string {
    return this.who?.id ?? "";
  }

  /** Be somebody: a guest is made of who is nobody yet. `null` if one thinks better of it. */
  async comeIn(invitation?: string): Promise<Me | null> {
    if (this.who) return this.who;
    const name = this.wished.trim();
    try {
      this.who = await ask<Me>("POST", "/api/session", {
        language: speech.language,
        ...(name ? { name } : {}),
        ...(invitation ? { invitation } : {}),
      });
      this.wished = this.who.name;
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || !refusal.code.startsWith("invitation_")) throw refusal;
      const given = await askPerson({ text: refusal.message, yes: say("ok"), field: say("invitation") });
      return given ? this.comeIn(given) : null;
    }
    return this.who;
  }

  /** Come in, asking for a name first if none is known. */
  async introduce(): Promise<Me | null> {
    if (this.who) return this.who;
    if (!this.wished.trim()) {
      const name = await askPerson({
        text: say("your_name"), more: say("no_account"), yes: say("ok"), field: say("name"), longest: LONGEST_NAME,
      });
      if (name === null) return null;
      this.wished = name;
    }
    try {
      return await this.comeIn();
    } catch (refusal) {
      // A name that was refused is asked for again, and not sent again and again.
      this.wished = "";
      throw refusal;
    }
  }

  async rename(name: string): Promise<void> {
    remember("name", name);
    this.wished = name;
    if (!this.who || !name || name === this.who.name) return;
    try {
      this.who = await ask<Me>("PATCH", "/api/me", { name });
    } finally {
      this.wished = this.who.name;
    }
  }
}

export const me = new Myself();
