// The user's account and its credentials, as docs/guide/accounts.md describes.

import { api } from "$app/net/api";
import { session } from "$app/lib/session.svelte";
import { say } from "$app/lib/i18n.svelte";

/** The credentials of an account. */
export interface Credentials {
  readonly has_password: boolean;
  readonly passkeys: number;
  readonly recovery_codes: number;
  /** Whether the last sign-in is recent enough to change credentials. */
  readonly is_proved: boolean;
}

interface FullMe {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly account: Credentials | null;
  readonly can_use_passkeys: boolean;
}

export interface Passkey {
  readonly id: string;
  readonly label: string;
  readonly created_at: number;
}

interface PasskeyOptions {
  readonly challenge: string;
  readonly options: unknown;
}

interface Claimed {
  readonly me: FullMe;
  readonly recovery_codes: readonly string[] | null;
}

/** Whether this browser converts passkey options from JSON. */
function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Whether this page has a host name over HTTPS, or is local: passkeys need a name. */
function hasHostName(): boolean {
  return isSecureContext && !/^[\d.]+$|:/.test(location.hostname);
}

class AccountState {
  full = $state.raw<FullMe | null>(null);
  /** New recovery codes, shown only once. */
  recoveryCodes = $state.raw<readonly string[]>([]);
  passkeys = $state.raw<readonly Passkey[]>([]);

  get credentials(): Credentials | null {
    return this.full?.account ?? null;
  }

  get canUsePasskeys(): boolean {
    return supportsPasskeys() && (this.full?.can_use_passkeys ?? hasHostName());
  }

  async load(): Promise<void> {
    if (!session.user) return this.set(null);
    this.set(await api<FullMe>("GET", "/api/me"));
    const isOwner = this.credentials !== null && this.credentials.passkeys > 0;
    this.passkeys = isOwner ? (await api<{ items: readonly Passkey[] }>("GET", "/api/passkeys")).items : [];
  }

  async claim(name: string, password: string): Promise<void> {
    if (!(await session.start())) return;
    const { me: full, recovery_codes } = await api<Claimed>("POST", "/api/account", { name, password });
    this.recoveryCodes = recovery_codes ?? [];
    this.set(full);
  }

  async signIn(name: string, password: string): Promise<void> {
    this.set(await api<FullMe>("POST", "/api/sign-in", { name, password }));
    await this.load();
  }

  async signInByCode(name: string, code: string): Promise<void> {
    this.set(await api<FullMe>("POST", "/api/sign-in/recovery", { name, code }));
    await this.load();
  }

  async signInByPasskey(): Promise<void> {
    const { challenge, options } = await api<PasskeyOptions>("POST", "/api/sign-in/passkey/options");
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
    const credential = await explainFailure(navigator.credentials.get({ publicKey }));
    this.set(
      await api<FullMe>("POST", "/api/sign-in/passkey", { challenge, credential: toJSON(credential), label: "" }),
    );
    await this.load();
  }

  /** Add a passkey; a guest claims an account of that *name* with it. */
  async addPasskey(label: string, name?: string): Promise<void> {
    if (!(await session.start())) return;
    const body = name ? { name } : {};
    const { challenge, options } = await api<PasskeyOptions>("POST", "/api/passkeys/options", body);
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    );
    const credential = await explainFailure(navigator.credentials.create({ publicKey }));
    const made = await api<Claimed>("POST", "/api/passkeys", { challenge, credential: toJSON(credential), label });
    this.recoveryCodes = made.recovery_codes ?? this.recoveryCodes;
    await this.load();
  }

  async dropPasskey(id: string): Promise<void> {
    await api("DELETE", `/api/passkeys/${id}`);
    await this.load();
  }

  async setPassword(password: string): Promise<void> {
    this.set(await api<FullMe>("PUT", "/api/account/password", { password }));
  }

  async renewCodes(): Promise<void> {
    this.recoveryCodes = (
      await api<{ recovery_codes: readonly string[] }>("POST", "/api/account/recovery-codes")
    ).recovery_codes;
    await this.load();
  }

  async signOut(endsAllSessions: boolean): Promise<void> {
    await api("DELETE", `/api/session${endsAllSessions ? "?all=true" : ""}`);
    this.set(null);
  }

  async deleteMe(name: string): Promise<void> {
    await api("DELETE", `/api/me?${new URLSearchParams({ name })}`);
    this.set(null);
  }

  private set(full: FullMe | null): void {
    this.full = full;
    session.user = full;
    session.wantedName = full?.name ?? "";
    if (!full) {
      this.recoveryCodes = [];
      this.passkeys = [];
    }
  }
}

/** Replace the browser's error, which does not say whether the user gave up or has no passkey. */
async function explainFailure(request: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await request;
  } catch {
    throw new Error(say("passkey_none"));
  }
}

function toJSON(credential: Credential | null): unknown {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : {};
}

export const account = new AccountState();
