// The end: who has won and why, another game, the record, and how to check the draws.

import { ask, newNonce } from "./api.js";
import { button, byId, h, seatMark } from "./dom.js";
import { facts, say } from "./words.js";

export class Ending {
  constructor(table) {
    this.table = table;
    this.box = byId("ending");
    this.drawn = "";
  }

  async show({ info }) {
    this.box.hidden = info.status !== "over";
    const look = `${info.ending} ${info.rematch}`;
    if (this.box.hidden || look === this.drawn) return;
    this.drawn = look;
    const told = await ask("GET", `/t/${facts.table}/ending.json?language=${facts.language}`);
    this.box.replaceChildren(
      h("h2", {}, told.text),
      h("ol", { class: "results" }, told.results.map((result) => this.drawResult(result))),
      h("div", { class: "tools" }, this.drawAgain(info),
        h("a", { class: "button", href: `/api/tables/${facts.table}/record`, download: `${facts.game.name}-${facts.table}.txt` },
          say("page.record")),
        h("a", { class: "button plain", href: "/" }, say("page.to_lobby"))),
      this.drawProof(info));
  }

  drawResult(result) {
    return h("li", { class: result.is_winner ? "winner" : "" },
      seatMark(result.seat),
      h("details", { open: result.is_winner },
        h("summary", {}, h("span", { class: "name" }, this.table.nameOf(result.seat)),
          result.is_winner && h("small", { class: "won" }, say("page.winner")),
          h("span", { class: "score" }, String(result.points))),
        h("ul", {}, result.causes.map((cause) => h("li", {}, cause)))));
  }

  drawAgain(info) {
    if (this.table.seats().length > 0) {
      const label = say(info.rematch ? "page.join_rematch" : "page.rematch");
      return button(label, () => this.again(), { class: "main" });
    }
    return info.rematch && h("a", { class: "button main", href: `/t/${info.rematch}` }, say("page.watch_rematch"));
  }

  async again() {
    const { table } = await this.table.live.do({ kind: "rematch", nonce: newNonce() });
    location.assign(`/t/${table}`);
  }

  drawProof(info) {
    const command = `pleasance verify ${facts.game.name}-${facts.table}.txt`;
    return h("details", { class: "more" },
      h("summary", {}, say("page.verify")),
      h("p", {}, say("page.verify_how")),
      h("pre", {}, h("code", {}, command)),
      h("p", { class: "quiet" }, say("page.verify_promise")),
      h("code", { class: "promise" }, info.commitment));
  }
}
