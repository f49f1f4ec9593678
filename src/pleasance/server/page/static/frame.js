// What every page has: one's name and language.

import { ask, recall, remember } from "./api.js";
import { busy, byId, toast } from "./dom.js";
import { facts, say } from "./words.js";

const name = byId("name");
name.value = facts.me?.name ?? recall("name", "");
byId("you").addEventListener("submit", (event) => {
  event.preventDefault();
  name.blur();
});

name.addEventListener("change", () => busy(name, async () => {
  const wanted = name.value.trim();
  remember("name", wanted);
  if (!facts.me || !wanted || wanted === facts.me.name) return;
  try {
    facts.me = await ask("PATCH", "/api/me", { name: wanted });
    toast(say("page.name_kept", { name: facts.me.name }));
  } finally {
    name.value = facts.me.name;
  }
}));

byId("language").addEventListener("change", (event) => busy(event.target, async () => {
  const language = event.target.value;
  if (facts.me) await ask("PATCH", "/api/me", { language });
  const here = new URL(location.href);
  if (facts.me) here.searchParams.delete("language");
  else here.searchParams.set("language", language);
  location.replace(here);
}));
