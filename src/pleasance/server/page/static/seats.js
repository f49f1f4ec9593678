// Who sits where: names, who is connected, whose turn it is, scores and clocks.

import { byId, h, button, askPerson, seatMark } from "./dom.js";
import { facts, say, sayBot, sayBotFully } from "./words.js";

export class Seats {
  constructor(table) {
    this.table = table;
    this.list = byId("seats");
    this.drawn = "";
    setInterval(() => this.tick(), 250);
  }

  show(state) {
    this.state = state;
    const { info, here, waiting, chose, scores, clocks } = state;
    // Drawn again only when something has changed, so that no menu closes under a hand.
    const look = JSON.stringify([info, here, waiting, chose, scores, clocks, this.table.me]);
    if (look === this.drawn) return;
    this.drawn = look;
    const focused = this.list.contains(document.activeElement) && document.activeElement.dataset.what;
    this.list.classList.toggle("is-open", info.status === "open");
    this.list.replaceChildren(...info.places.map((place, seat) => this.draw(place, seat)));
    if (focused) this.list.querySelector(`[data-what="${focused}"]`)?.focus();
    this.tick();
  }

  draw(place, seat) {
    const { info, waiting, scores, clocks } = this.state;
    const isMine = place.player !== null && place.player === this.table.me;
    const isFree = place.player === null && place.bot === null;
    const isTurn = waiting.includes(seat);
    const classes = ["seat", isMine && "mine", isTurn && "turn", isFree && "free"].filter(Boolean);
    return h("li", { class: classes.join(" "), "aria-current": isTurn ? "true" : null },
      seatMark(seat),
      h("div", { class: "person" },
        h("span", { class: "name" }, this.showPresence(place, seat), this.sayName(place),
          isMine && h("small", {}, say("page.you_tag"))),
        h("span", { class: "quiet" }, this.sayHow(place, seat))),
      info.status !== "open" && h("div", { class: "counts" },
        h("span", { class: "score", title: say("page.points") },
          h("span", { class: "unseen" }, say("page.points"), " "), String(scores[seat] ?? 0)),
        clocks.length > 0 && place.bot === null && h("span", { class: "clock", "data-seat": seat })),
      info.status === "open" && this.drawControls(place, seat, isMine, isFree));
  }

  sayName(place) {
    if (place.player === null) return place.bot === null ? say("page.free") : sayBot(place.bot);
    return place.name;
  }

  // A full dot for who is connected, a hollow one for who is not; and in words.
  showPresence(place, seat) {
    if (place.player === null) return null;
    const isHere = this.state.here[seat];
    const text = say(isHere ? "page.here" : "page.away");
    return h("span", { class: isHere ? "here" : "away", title: text }, h("span", { class: "unseen" }, text));
  }

  sayHow(place, seat) {
    const { here, waiting, chose, info } = this.state;
    const parts = [];
    if (waiting.includes(seat)) parts.push(h("b", {}, say(place.bot ? "page.thinks" : "page.to_choose")));
    else if (chose.includes(seat)) parts.push(say("page.has_chosen"));
    if (place.has_resigned) parts.push(say("page.has_resigned"));
    else if (place.player !== null && place.bot !== null) parts.push(say("page.stands_in", { bot: sayBot(place.bot) }));
    else if (place.player !== null && !here[seat]) parts.push(say("page.away"));
    if (place.player === null && place.bot !== null && parts.length === 0) parts.push(say("page.is_bot"));
    if (place.player !== null && place.player === info.owner && info.status === "open") parts.push(say("page.is_owner"));
    return parts.flatMap((part, n) => (n === 0 ? [part] : [" · ", part]));
  }

  drawControls(place, seat, isMine, isFree) {
    const { info } = this.state;
    const isOwner = info.owner === this.table.me;
    const { live } = this.table;
    const controls = [];
    const what = (name) => ({ "data-what": `${name}-${seat}` });
    if (isFree && !(info.is_rated && this.table.seats().length > 0)) {
      const isSeated = this.table.seats().length > 0;
      const label = isSeated ? "page.sit_here_too" : "page.sit_here";
      controls.push(button(say(label), () => this.table.sit(seat), { class: isSeated ? "plain" : "main", ...what("sit") }));
    }
    if (isFree && isOwner) controls.push(this.drawBots(seat));
    if (isMine || (place.bot !== null && isOwner)) {
      const label = isMine ? "page.leave" : "page.remove";
      controls.push(button(say(label), () => live.do({ kind: "leave", seat }), { class: "plain", ...what("leave") }));
    }
    if (place.player !== null && !isMine && isOwner) {
      controls.push(button(say("page.kick"), () => this.kick(place), { class: "plain", ...what("kick") }));
    }
    return h("div", { class: "controls" }, controls);
  }

  drawBots(seat) {
    const label = say("page.add_bot");
    return h("select", { "aria-label": label, "data-what": `bot-${seat}`,
      onchange: (event) => this.table.try(() => this.table.live.do({ kind: "seat_bot", seat, bot: event.target.value })) },
      h("option", { value: "" }, label),
      facts.game.bots.map((bot) => h("option", { value: bot }, sayBotFully(bot))));
  }

  async kick(place) {
    const yes = await askPerson({ text: say("page.kick_sure", { name: place.name }), yes: say("page.kick"), no: say("page.cancel") });
    if (yes !== null) await this.table.live.do({ kind: "kick", player: place.player });
  }

  tick() {
    const state = this.state;
    if (!state || state.clocks.length === 0) return;
    for (const element of this.list.querySelectorAll(".clock")) {
      const { bank, due } = state.clocks[Number(element.dataset.seat)];
      const left = due === null ? bank : Math.max(0, due - this.table.live.now());
      element.textContent = due === null && bank === 0 ? "" : showTime(left);
      element.classList.toggle("running", due !== null);
      element.classList.toggle("short", due !== null && left < 10);
    }
  }
}

function showTime(seconds) {
  const whole = Math.ceil(seconds);
  const pad = (number) => String(number).padStart(2, "0");
  if (whole >= 86400) return say("page.time.short_days", { days: Math.floor(whole / 86400), hours: Math.floor((whole % 86400) / 3600) });
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${pad(Math.floor((whole % 3600) / 60))}:${pad(whole % 60)}`;
  return `${Math.floor(whole / 60)}:${pad(whole % 60)}`;
}
