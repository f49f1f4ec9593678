// Before the game: the link to share, what was agreed, and the button that begins.

import { button, byId, h, toast } from "./dom.js";
import { facts, say, sayClock } from "./words.js";

export class Invite {
  constructor(table) {
    this.table = table;
    this.box = byId("invite");
    this.drawn = "";
  }

  show({ info }) {
    this.box.hidden = info.status !== "open";
    if (this.box.hidden) return;
    const isFull = info.places.every((place) => place.player !== null || place.bot !== null);
    const isIn = this.table.seats().length > 0 || info.owner === this.table.me;
    const look = JSON.stringify([isFull, isIn]);
    if (look === this.drawn) return;
    this.drawn = look;
    const start = button(say("page.start"), () => this.table.live.do({ kind: "start" }), { class: "main large" });
    this.box.replaceChildren(...[
      isIn && isFull && start,
      ...(isFull ? [] : this.drawLink()),
      this.drawFacts(info),
    ].filter(Boolean));
    if (isIn && isFull && document.activeElement === document.body) start.focus();
  }

  drawLink() {
    const field = h("input", { type: "text", readonly: true, value: facts.link, "aria-label": say("page.link"),
      onfocus: (event) => event.target.select() });
    return [
      h("h2", {}, say("page.invite")),
      h("p", { class: "quiet" }, say(facts.isOnlyHere ? "page.link_only_here" : "page.link_hint")),
      h("div", { class: "link" }, field, button(say("page.copy"), () => copy(field), { class: "main" })),
      h("img", { class: "code", src: `/t/${facts.table}/qr.svg`, alt: say("page.code"), width: 164, height: 164 }),
    ];
  }

  drawFacts(info) {
    const options = info.options.map((name) => facts.game.options.find((o) => o.name === name)?.text ?? name);
    const rows = [
      ...options,
      sayClock(info.clock),
      say(info.is_rated ? "page.is_rated" : "page.is_unrated"),
      say(info.is_public ? "page.is_public" : "page.is_private"),
    ];
    return h("details", { class: "more" },
      h("summary", {}, say("page.agreed")),
      h("ul", {}, rows.map((row) => h("li", {}, row))),
      h("p", { class: "quiet" }, say("page.promise")),
      h("code", { class: "promise" }, info.commitment));
  }
}

// On a page without HTTPS a browser offers no clipboard: then the link is marked to be copied.
async function copy(field) {
  field.focus();
  field.select();
  let isCopied = false;
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(field.value);
      isCopied = true;
    } else isCopied = document.execCommand("copy");
  } catch {
    isCopied = false;
  }
  toast(say(isCopied ? "page.copied" : "page.copy_by_hand"));
}
