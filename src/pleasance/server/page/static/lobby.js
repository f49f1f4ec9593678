// The lobby: open a table for a game, find tables of others, go on with one's own.

import "./frame.js";
import { ask } from "./api.js";
import { byId, h } from "./dom.js";
import { makeCard } from "./opening.js";
import { facts, say, sayBot, sayClock } from "./words.js";

const EVERY = 10_000;
const titles = new Map(facts.games.map((game) => [game.name, game]));

byId("games").append(...facts.games.map(makeCard));

function describe(table) {
  const game = titles.get(table.game);
  const wanted = table.options.map((name) => game?.options.find((o) => o.name === name)?.text ?? name);
  const about = [
    say("page.seats_taken", { taken: table.taken.length, seats: table.seats }),
    sayClock(table.clock),
    ...wanted,
  ];
  if (table.is_rated) about.push(say("page.is_rated"));
  return about.join(" · ");
}

function sayWho(table) {
  const names = table.taken.map((seat) => (seat.bot ? sayBot(seat.bot) : seat.name));
  return names.length > 0 ? names.join(", ") : say("page.nobody_yet");
}

function showTable(table, label) {
  return h("li", {},
    h("div", {},
      h("strong", {}, titles.get(table.game)?.title ?? table.game),
      h("span", { class: "who" }, sayWho(table)),
      h("span", { class: "quiet" }, describe(table))),
    h("a", { class: "button", href: `/t/${table.id}` }, label));
}

function showList(id, tables, label) {
  const section = byId(id);
  section.querySelector(".tables").replaceChildren(...tables.map((table) => showTable(table, label)));
  const empty = section.querySelector(".empty");
  if (empty) empty.hidden = tables.length > 0;
  else section.hidden = tables.length === 0;
}

async function readMine() {
  if (!facts.me) return [];
  const { items } = await ask("GET", "/api/me/tables?limit=50");
  return items.filter((table) => table.status === "open" || table.status === "running");
}

async function refresh() {
  if (document.hidden) return;
  try {
    const [mine, open, running] = await Promise.all([
      readMine(),
      ask("GET", "/api/tables?status=open&limit=50"),
      ask("GET", "/api/tables?status=running&limit=20"),
    ]);
    const own = new Set(mine.map((table) => table.id));
    const others = ({ items }) => items.filter((table) => !own.has(table.id));
    showList("mine", mine, say("page.go_on"));
    showList("open", others(open), say("page.join"));
    showList("running", others(running), say("page.watch"));
    byId("network").hidden = true;
  } catch (trouble) {
    byId("network").textContent = trouble.message;
    byId("network").hidden = false;
  }
}

refresh();
setInterval(refresh, EVERY);
document.addEventListener("visibilitychange", refresh);
