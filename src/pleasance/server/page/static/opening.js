// One card of the lobby: a game, who shall play it and how, and the button that begins.

import { ask, comeIn, doAt, newNonce, recall, remember } from "./api.js";
import { busy, h, seatMark } from "./dom.js";
import { say, sayBotFully, sayClock } from "./words.js";

const CLOCKS = [
  null,
  { move: 30, bank: 300 },
  { move: 120, bank: 600 },
  { move: 86400, bank: 0 },
  { move: 259200, bank: 0 },
];
const USUAL_BOT = "planner";

export function makeCard(game) {
  const wish = readWish(game);
  const who = h("div", { class: "who-plays" });
  const options = h("div", { class: "options" });
  const start = h("button", { class: "main large", type: "submit" });
  const form = h("form", { class: "card", "aria-label": game.title },
    game.cover && h("img", { class: "cover", src: game.cover, alt: "", width: 1200, height: 720, loading: "lazy" }),
    h("div", { class: "card-text" },
      h("h2", {}, game.title, " ",
        h("small", {}, say("page.for_players", { least: game.seats[0], most: game.seats.at(-1) }))),
      makeSeatCount(game, wish, () => draw()),
      who,
      options,
      makeMore(game, wish, () => draw()),
      start));

  function draw() {
    who.replaceChildren(...makeSeats(game, wish, () => draw()));
    options.replaceChildren(...makeOptions(game, wish));
    const isInviting = wish.others.slice(0, wish.seats - 1).includes("friend");
    start.textContent = say(isInviting ? "page.open_table" : "page.play_now");
    remember(`wish.${game.name}`, wish);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(start, () => openTable(game, wish));
  });
  draw();
  return form;
}

function readWish(game) {
  const bot = game.bots.includes(USUAL_BOT) ? USUAL_BOT : game.bots.at(-1) ?? "friend";
  const usual = { seats: game.seats[0], others: [], names: [], options: [], clock: 0, isPublic: false, isRated: false };
  const wish = { ...usual, ...recall(`wish.${game.name}`, {}) };
  const known = ["friend", "here", ...game.bots];
  if (!game.seats.includes(wish.seats)) wish.seats = game.seats[0];
  wish.others = Array.from({ length: game.seats.at(-1) - 1 },
    (_, n) => (known.includes(wish.others[n]) ? wish.others[n] : wish.others[n - 1] ?? bot));
  wish.options = wish.options.filter((name) => game.options.some((option) => option.name === name));
  return wish;
}

function makeSeatCount(game, wish, draw) {
  const name = `seats-${game.name}`;
  const radios = game.seats.map((seats) => h("label", {},
    h("input", { type: "radio", name, value: seats, checked: seats === wish.seats,
      onchange: () => { wish.seats = seats; draw(); } }),
    h("span", {}, String(seats))));
  return h("fieldset", { class: "count" }, h("legend", {}, say("page.how_many")), radios);
}

function makeSeats(game, wish, draw) {
  const own = h("div", { class: "seat-row" }, seatMark(0), h("span", { class: "you-sit" }, say("page.you")));
  const rows = Array.from({ length: wish.seats - 1 }, (_, n) => makeSeat(game, wish, n, draw));
  return [own, ...rows];
}

function makeSeat(game, wish, n, draw) {
  const kinds = [["friend", say("page.friend")]];
  if (!wish.isRated) kinds.push(["here", say("page.on_this_device")]);
  else if (wish.others[n] === "here") wish.others[n] = "friend";
  const pick = (value, label) => h("option", { value, selected: value === wish.others[n] }, label);
  const select = h("select", { "aria-label": say("page.who_plays", { seat: n + 2 }),
    onchange: (event) => { wish.others[n] = event.target.value; draw(); } },
    h("optgroup", { label: say("page.people") }, kinds.map(([value, label]) => pick(value, label))),
    h("optgroup", { label: say("page.bots") }, game.bots.map((bot) => pick(bot, sayBotFully(bot)))));
  const name = wish.others[n] === "here" && h("input", { type: "text", maxlength: 40,
    value: wish.names[n] ?? "", placeholder: say("page.their_name", { seat: n + 2 }),
    "aria-label": say("page.their_name", { seat: n + 2 }),
    onchange: (event) => { wish.names[n] = event.target.value.trim(); } });
  return h("div", { class: "seat-row" }, seatMark(n + 1), select, name);
}

function makeOptions(game, wish) {
  return game.options.map((option) => {
    const fits = option.seats.includes(wish.seats);
    const box = h("input", { type: "checkbox", checked: fits && wish.options.includes(option.name), disabled: !fits,
      onchange: (event) => {
        wish.options = wish.options.filter((name) => name !== option.name);
        if (event.target.checked) wish.options.push(option.name);
        remember(`wish.${game.name}`, wish);
      } });
    const hint = !fits && h("small", {}, " ", say("page.only_for", { seats: option.seats.join(", ") }));
    return h("label", { class: "check" }, box, h("span", {}, option.text, hint));
  });
}

function makeMore(game, wish, draw) {
  const clock = h("select", { onchange: (event) => { wish.clock = Number(event.target.value); draw(); } },
    CLOCKS.map((each, n) => h("option", { value: n, selected: n === wish.clock }, sayClock(each))));
  const check = (field, text) => h("label", { class: "check" },
    h("input", { type: "checkbox", checked: wish[field],
      onchange: (event) => { wish[field] = event.target.checked; draw(); } }),
    h("span", {}, text));
  return h("details", { class: "more" },
    h("summary", {}, say("page.more")),
    h("label", { class: "field" }, h("span", {}, say("page.clock")), clock),
    check("isPublic", say("page.make_public")),
    check("isRated", say("page.make_rated")));
}

async function openTable(game, wish) {
  if (!(await comeIn())) return;
  const options = game.options
    .filter((option) => wish.options.includes(option.name) && option.seats.includes(wish.seats))
    .map((option) => option.name);
  const { id } = await ask("POST", "/api/tables", {
    game: game.name, seats: wish.seats, options, clock: CLOCKS[wish.clock] ?? null,
    is_rated: wish.isRated, is_public: wish.isPublic,
  });
  await doAt(id, { kind: "sit", seat: 0, nonce: newNonce() });
  const others = wish.others.slice(0, wish.seats - 1);
  for (const [n, other] of others.entries()) {
    const seat = n + 1;
    if (other === "here") {
      const name = wish.names[n] || say("page.player", { seat: seat + 1 });
      await doAt(id, { kind: "sit", seat, nonce: newNonce(), name });
    } else if (other !== "friend") await doAt(id, { kind: "seat_bot", seat, bot: other });
  }
  if (!others.includes("friend")) await doAt(id, { kind: "start" });
  location.assign(`/t/${id}`);
}
