// One's account, as docs/guide/accounts.md tells: what opens it, and coming in and going out.

import { ask } from "$app/lib/api";
import { me } from "$app/lib/me.svelte";
import { say, speech } from "$app/lib/words.svelte";

export interface Locks {
  readonly has_password: boolean;
  readonly passkeys: number;
  readonly recovery_codes: number;
  /** Whether one signed in just now, so that the locks may be changed. */
  readonly is_proved: boolean;
}

interface FullMe {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly account: Locks | null;
  readonly can_use_passkeys: boolean;
}

export interface Passkey {
  readonly id: string;
  readonly label: string;
  readonly created_at: number;
  readonly used_at: number | null;
}

interface PasskeyOptions {
  readonly challenge: string;
  readonly options: unknown;
}

interface Claimed {
  readonly me: FullMe;
  readonly recovery_codes: readonly string[] | null;
}

/** Whether this browser can turn what the server asks into a passkey, and back. */
function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Whether this page has a name over HTTPS, or is local: at a bare address there are no passkeys. */
function isNamed(): boolean {
  return isSecureContext && !/^[\d.]+$|:/.test(location.hostname);
}

class AccountState {
  full = $state.raw<FullMe | null>(null);
  /** New recovery codes, shown this once. */
  codes = $state.raw<readonly string[]>([]);
  passkeys = $state.raw<readonly Passkey[]>([]);

  get locks(): Locks | null {
    return this.full?.account ?? null;
  }

  get canUsePasskeys(): boolean {
    return hasPasskeys() && (this.full?.can_use_passkeys ?? isNamed());
  }

  async read(): Promise<void> {
    if (!me.who) return this.take(null);
    this.take(await ask<FullMe>("GET", "/api/me"));
    const isOwner = this.locks !== null && this.locks.passkeys > 0;
    this.passkeys = isOwner ? (await ask<{ items: readonly Passkey[] }>("GET", "/api/passkeys")).items : [];
  }

  async claim(name: string, password: string): Promise<void> {
    if (!(await me.comeIn())) return;
    const { me: full, recovery_codes } = await ask<Claimed>("POST", "/api/account", { name, password });
    this.codes = recovery_codes ?? [];
    this.take(full);
  }

  async signIn(name: string, password: string): Promise<void> {
    this.take(await ask<FullMe>("POST", "/api/sign-in", { name, password }));
    await this.read();
  }

  async signInByCode(name: string, code: string): Promise<void> {
    this.take(await ask<FullMe>("POST", "/api/sign-in/recovery", { name, code }));
    await this.read();
  }

  async signInByPasskey(): Promise<void> {
    const { challenge, options } = await ask<PasskeyOptions>("POST", "/api/sign-in/passkey/options");
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
    const credential = await insist(navigator.credentials.get({ publicKey }));
    this.take(await ask<FullMe>("POST", "/api/sign-in/passkey", { challenge, credential: toJSON(credential), label: "" }));
    await this.read();
  }

  /** Add a passkey; a guest claims an account of that *name* with it. */
  async addPasskey(label: string, name?: string): Promise<void> {
    if (!(await me.comeIn())) return;
    const wish = name ? { name } : {};
    const { challenge, options } = await ask<PasskeyOptions>("POST", "/api/passkeys/options", wish);
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
    const credential = await insist(navigator.credentials.create({ publicKey }));
    const made = await ask<Claimed>("POST", "/api/passkeys", { challenge, credential: toJSON(credential), label });
    this.codes = made.recovery_codes ?? this.codes;
    await this.read();
  }

  async dropPasskey(id: string): Promise<void> {
    await ask("DELETE", `/api/passkeys/${id}`);
    await this.read();
  }

  async setPassword(password: string): Promise<void> {
    this.take(await ask<FullMe>("PUT", "/api/account/password", { password }));
  }

  async renewCodes(): Promise<void> {
    this.codes = (await ask<{ recovery_codes: readonly string[] }>("POST", "/api/account/recovery-codes")).recovery_codes;
    await this.read();
  }

  async signOut(isEverywhere: boolean): Promise<void> {
    await ask("DELETE", `/api/session${isEverywhere ? "?all=true" : ""}`);
    this.take(null);
  }

  async deleteMe(name: string): Promise<void> {
    await ask("DELETE", `/api/me?${new URLSearchParams({ name })}`);
    this.take(null);
  }

  private take(full: FullMe | null): void {
    this.full = full;
    me.who = full;
    me.wished = full?.name ?? "";
    if (!full) {
      this.codes = [];
      this.passkeys = [];
    }
  }
}

/** Say in our own words that somebody gave up, or that there is no such passkey: browsers tell no more. */
async function insist(asking: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asking;
  } catch {
    throw new Error(say("passkey_none"));
  }
}

function toJSON(credential: Credential | null): unknown {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : {};
}

export const account = new AccountState();

export const showDay = (at: number): string =>
  new Intl.DateTimeFormat(speech.language, { dateStyle: "medium" }).format(new Date(at * 1000));
