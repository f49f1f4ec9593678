// Bots by the names that people know them by.

import { say, speech } from "$app/lib/words.svelte";

const kindOf = (bot: string): string => bot.split(":")[0] ?? bot;

/** What the words call a bot: some have words of their own for how long they think, `master:2s`. */
const keyOf = (bot: string): string => {
  const whole = bot.replace(":", "_");
  return speech.has(`bot.${whole}`) ? whole : kindOf(bot);
};

/** Name a bot: `ismcts:1s` has a name in every language. */
export function nameBot(bot: string): string {
  const key = `bot.${keyOf(bot)}`;
  return speech.has(key) ? say(key) : bot;
}

/** Give those who share a name numbers, in the order in which they sit; the log calls them so too. */
export function tellApart(names: readonly string[]): readonly string[] {
  return names.map((name, at) =>
    name && names.some((other, n) => n !== at && other === name)
      ? `${name} ${names.slice(0, at + 1).filter((other) => other === name).length}`
      : name);
}

/** Name a bot and say what to expect of it. */
export function describeBot(bot: string): string {
  const hint = `bot_hint.${keyOf(bot)}`;
  return speech.has(hint) ? say("bot_full", { name: nameBot(bot), hint: say(hint) }) : nameBot(bot);
}
