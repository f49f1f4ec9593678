// Several people at one device: between their turns a curtain falls, so that nobody sees the
// cards of another.

import { byId, h } from "./dom.js";
import { say } from "./words.js";

export class Curtain {
  constructor() {
    this.box = byId("curtain");
    this.seat = null;
  }

  get isDown() {
    return this.seat !== null;
  }

  fall(seat, name, onRise) {
    if (this.seat === seat) return;
    this.seat = seat;
    const go = h("button", { type: "button", class: "main large",
      onclick: () => {
        this.rise();
        onRise(seat);
      } }, say("page.i_am", { name }));
    this.box.replaceChildren(h("div", {}, h("p", {}, say("page.hand_over", { name })), go));
    this.box.hidden = false;
    byId("table").inert = true;
    document.body.classList.add("is-veiled");
    go.focus();
  }

  rise() {
    this.seat = null;
    this.box.hidden = true;
    byId("table").inert = false;
    document.body.classList.remove("is-veiled");
  }
}
