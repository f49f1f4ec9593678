// Requests over HTTP, and what this browser stores.

import { i18n, say } from "$app/lib/i18n.svelte";
import type { Command } from "$app/wire";

/** An error that the server has put into words. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Send a request; return its JSON or text, or throw a `Refusal`. */
export async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json", "accept-language": i18n.language };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Refusal("offline", say("offline"));
  }
  if (!response.ok) throw await readRefusal(response);
  const contentType = response.headers.get("content-type") ?? "";
  return (contentType.startsWith("application/json") ? await response.json() : await response.text()) as T;
}

/** Send a command to a table over HTTP. */
export const sendCommand = (table: string, command: Command): Promise<unknown> =>
  api("POST", `/api/tables/${table}/commands`, { key: newKey(), command });

async function readRefusal(response: Response): Promise<Refusal> {
  try {
    const { code, message } = (await response.json()) as { readonly code: string; readonly message: string };
    return new Refusal(code, message);
  } catch {
    return new Refusal("broken", say("offline"));
  }
}

/** Build the address of the WebSocket endpoint. */
export const liveUrl = (): string => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`;

// `getRandomValues` works without a secure context too, unlike most of `crypto`.
function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Make an idempotency key: a request that is sent again under its key is executed once. */
export const newKey = (): string => randomHex(12);
export const newNonce = (): string => randomHex(32);

/** Store a value in this browser; without storage it is dropped. */
export function saveLocal(key: string, value: unknown): void {
  try {
    localStorage.setItem(`pleasance.${key}`, JSON.stringify(value));
  } catch {
    // storage is full or forbidden
  }
}

export function loadLocal<T>(key: string, fallback: T): T {
  try {
    return (JSON.parse(localStorage.getItem(`pleasance.${key}`) ?? "null") as T | null) ?? fallback;
  } catch {
    return fallback;
  }
}
