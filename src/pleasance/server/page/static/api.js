// HTTP: everything that is not live. Whoever plays without a session gets one on the way.

import { askPerson } from "./dom.js";
import { facts, say } from "./words.js";

export class Refusal extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

export async function ask(method, path, body) {
  const how = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    how.headers["content-type"] = "application/json";
    how.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Refusal({ code: "offline", message: say("page.offline") });
  }
  if (!answer.ok) throw await readRefusal(answer);
  const kind = answer.headers.get("content-type") ?? "";
  return kind.startsWith("application/json") ? answer.json() : answer.text();
}

async function readRefusal(answer) {
  try {
    return new Refusal(await answer.json());
  } catch {
    return new Refusal({ code: "broken", message: say("page.offline") });
  }
}

// Random digits work without a secure context too, unlike most of `crypto`.
export function randomHex(bytes) {
  const made = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const newKey = () => randomHex(12);
export const newNonce = () => randomHex(32);

export function remember(key, value) {
  try {
    localStorage.setItem(`pleasance.${key}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing keeps nothing
  }
}

export function recall(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`pleasance.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// Makes a guest of whoever is nobody yet; resolves to who one is, or null if one thinks better.
export async function comeIn(invitation) {
  if (facts.me) return facts.me;
  const name = document.getElementById("name").value.trim();
  const wish = { language: facts.language };
  if (name) wish.name = name;
  if (invitation) wish.invitation = invitation;
  try {
    facts.me = await ask("POST", "/api/session", wish);
  } catch (refusal) {
    if (!String(refusal.code).startsWith("invitation_")) throw refusal;
    const given = await askPerson({
      text: refusal.message, yes: say("page.ok"), no: say("page.cancel"),
      input: { label: say("page.invitation") },
    });
    return given ? comeIn(given) : null;
  }
  return facts.me;
}

export function doAt(table, command) {
  return ask("POST", `/api/tables/${table}/commands`, { key: newKey(), command });
}
