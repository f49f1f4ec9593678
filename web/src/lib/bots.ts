// Bots by the names that people know them by.

import { say, speech } from "$app/lib/words.svelte";

const kindOf = (bot: string): string => bot.split(":")[0] ?? bot;

/** Name a bot: `ismcts:1s` has a name in every language. */
export function nameBot(bot: string): string {
  const key = `bot.${kindOf(bot)}`;
  return speech.has(key) ? say(key) : bot;
}

/** Name a bot and say what to expect of it. */
export function describeBot(bot: string): string {
  const hint = `bot_hint.${kindOf(bot)}`;
  return speech.has(hint) ? say("bot_full", { name: nameBot(bot), hint: say(hint) }) : nameBot(bot);
}
