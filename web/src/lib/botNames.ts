// Names and descriptions of bots.

import { say, i18n } from "$app/lib/i18n.svelte";

const kindOf = (bot: string): string => bot.split(":")[0] ?? bot;

/** Find the part of the message keys for a bot; some have messages with their time, `master_2s`. */
const keyOf = (bot: string): string => {
  const key = bot.replace(":", "_");
  return i18n.has(`bot.${key}`) ? key : kindOf(bot);
};

/** Return the translated name of a bot such as `ismcts:1s`. */
export function botName(bot: string): string {
  const key = `bot.${keyOf(bot)}`;
  return i18n.has(key) ? say(key) : bot;
}

/** Number equal names in the order of the seats, as the log does. */
export function numberDuplicates(names: readonly string[]): readonly string[] {
  return names.map((name, at) =>
    name && names.some((other, n) => n !== at && other === name)
      ? `${name} ${names.slice(0, at + 1).filter((other) => other === name).length}`
      : name,
  );
}

/** Return the name of a bot with its description. */
export function describeBot(bot: string): string {
  const hint = `bot_hint.${keyOf(bot)}`;
  return i18n.has(hint) ? say("bot_full", { name: botName(bot), hint: say(hint) }) : botName(bot);
}
