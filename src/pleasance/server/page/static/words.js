// What the page knows from the start, and how it says things. The server has read the patterns
// already: a message is a list of texts and blanks.

export const facts = JSON.parse(document.getElementById("facts").textContent);

const plurals = new Intl.PluralRules(facts.language);
const numbers = new Intl.NumberFormat(facts.language);

export function say(key, params = {}) {
  const message = facts.words[key];
  return message === undefined ? key : write(message, params);
}

function write(message, params) {
  return message.map((part) => (typeof part === "string" ? part : fill(part, params))).join("");
}

function fill(part, params) {
  if (part.name !== undefined) {
    const value = params[part.name];
    return typeof value === "number" ? numbers.format(value) : String(value ?? "");
  }
  if (part.number !== undefined) return numbers.format(params[part.number]);
  if (part.plural !== undefined) {
    const number = params[part.plural];
    const rough = part.cases[plurals.select(number)] ?? part.cases.other;
    return write(part.cases[`=${number}`] ?? rough, params);
  }
  return write(part.cases[params[part.select]] ?? part.cases.other, params);
}

// A bot is called `ismcts:1s`; people want a name, and to know what it does.
export function sayBot(bot) {
  const key = `page.bot.${kindOf(bot)}`;
  return key in facts.words ? say(key) : bot;
}

export function sayBotFully(bot) {
  const key = `page.bot_hint.${kindOf(bot)}`;
  return key in facts.words ? say("page.bot_full", { name: sayBot(bot), hint: say(key) }) : sayBot(bot);
}

const kindOf = (bot) => bot.split(":")[0];

export function sayTime(seconds) {
  const units = [["days", 86400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];
  const [unit, size] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? units[3];
  return say(`page.time.${unit}`, { n: Math.round(seconds / size) });
}

export function sayClock(clock) {
  if (!clock) return say("page.clock.none");
  const bank = clock.bank > 0 ? sayTime(clock.bank) : "none";
  return say("page.clock.some", { move: sayTime(clock.move), bank });
}
