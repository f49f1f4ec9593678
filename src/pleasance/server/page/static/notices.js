// What needs an answer besides the move itself: going back, a bot that stands in; and the tools.

import { askPerson, button, byId, h } from "./dom.js";
import { say, sayBot } from "./words.js";

export class Notices {
  constructor(table) {
    this.table = table;
    this.box = byId("notices");
    this.tools = byId("tools");
    this.drawn = "";
  }

  show(state, eyes) {
    const view = state.views.find((each) => each.seat === eyes);
    const look = JSON.stringify([state.info, eyes, view?.can_undo, view?.chosen, state.ply]);
    if (look === this.drawn) return;
    this.drawn = look;
    this.box.replaceChildren(...[...this.drawStandIns(state), this.drawAsk(state, eyes)].filter(Boolean));
    const hadFocus = this.tools.contains(document.activeElement) && document.activeElement.dataset.what;
    this.tools.replaceChildren(...this.drawTools(state, eyes, view).filter(Boolean));
    if (hadFocus) this.tools.querySelector(`[data-what="${hadFocus}"]`)?.focus();
  }

  drawStandIns({ info }) {
    if (info.status !== "running") return [];
    return this.table.seats()
      .filter((seat) => info.places[seat].bot !== null && !info.places[seat].has_resigned)
      .map((seat) => h("div", { class: "notice" },
        h("p", {}, say("page.stand_in_notice", { name: info.places[seat].name, bot: sayBot(info.places[seat].bot) })),
        button(say("page.take_back_seat"), () => this.table.live.do({ kind: "take_seat_back", seat }), { class: "main" })));
  }

  drawAsk({ info }, eyes) {
    const asker = info.asks_back;
    if (asker === null || info.status !== "running") return null;
    const name = this.table.nameOf(asker);
    const mine = this.table.seats();
    const hasAgreed = mine.some((seat) => info.agreed_back.includes(seat));
    if (mine.length === 0 || hasAgreed || eyes === null) {
      return h("div", { class: "notice" }, h("p", {}, say("page.asks_back", { name })));
    }
    const answer = (agrees) => () => this.table.live.do({ kind: "answer_back", seat: eyes, agrees });
    return h("div", { class: "notice" },
      h("p", {}, say("page.asks_back", { name })),
      h("div", { class: "tools" },
        button(say("page.agree"), answer(true), { class: "main" }),
        button(say("page.decline"), answer(false), { class: "plain" })));
  }

  drawTools(state, eyes, view) {
    const { info } = state;
    if (info.status !== "running" || eyes === null || info.places[eyes].bot !== null) return [];
    const has = (what) => ({ class: "plain", "data-what": what });
    return [
      view?.can_undo && button([say("page.undo"), " ", h("kbd", {}, "U")], () => this.table.undo(), has("undo")),
      !info.is_rated && info.asks_back === null && !view?.can_undo
        && button(say("page.ask_back"), () => this.table.live.do({ kind: "ask_back", seat: eyes }), has("back")),
      button(say("page.resign"), () => this.resign(eyes), has("resign")),
    ];
  }

  async resign(seat) {
    const yes = await askPerson({
      text: say("page.resign_sure"), more: say("page.resign_more"),
      yes: say("page.resign"), no: say("page.play_on"), isGrave: true,
    });
    if (yes !== null) await this.table.live.do({ kind: "resign", seat });
  }
}
