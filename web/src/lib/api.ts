// HTTP: everything that is not live. Whoever plays without a session gets one on the way.

import { speech, say } from "$app/lib/words.svelte";

export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

interface Answered {
  readonly code: string;
  readonly message: string;
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {
    accept: "application/json",
    "accept-language": speech.language,
  };
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Refusal("offline", say("offline"));
  }
  if (!answer.ok) throw await readRefusal(answer);
  const kind = answer.headers.get("content-type") ?? "";
  return (kind.startsWith("application/json") ? await answer.json() : await answer.text()) as T;
}

async function readRefusal(answer: Response): Promise<Refusal> {
  try {
    const { code, message } = (await answer.json()) as Answered;
    return new Refusal(code, message);
  } catch {
    return new Refusal("broken", say("offline"));
  }
}

// Random digits work without a secure context too, unlike most of `crypto`.
function randomHex(bytes: number): string {
  const made = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const newKey = (): string => randomHex(12);
export const newNonce = (): string => randomHex(32);

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`pleasance.${key}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing keeps nothing
  }
}

export function recall<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(`pleasance.${key}`) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}
