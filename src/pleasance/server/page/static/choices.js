// What may be chosen, as a list of buttons: arrows move, letters jump, Enter chooses.

import { byId, h } from "./dom.js";

const PAUSE = 900;

export class Choices {
  constructor(onChoose) {
    this.list = byId("choices");
    this.onChoose = onChoose;
    this.typed = "";
    document.addEventListener("keydown", (event) => this.press(event));
  }

  get buttons() {
    return [...this.list.querySelectorAll("button")];
  }

  clear() {
    this.list.replaceChildren();
  }

  // Until the new choices come, the old ones must not be taken for them.
  dim() {
    for (const button of this.buttons) button.setAttribute("aria-disabled", "true");
  }

  show({ items, ply, undone }) {
    const hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...items.map((item, n) => h("li", {},
      h("button", {
        type: "button", tabindex: n === 0 ? 0 : -1, "data-token": item.token,
        onclick: (event) => this.choose(event.currentTarget, { token: item.token, ply, undone }),
      },
      h("kbd", {}, item.token),
      h("span", { class: "what" }, item.text),
      item.effect && h("span", { class: "effect" }, item.effect)))));
    this.list.scrollTop = 0;
    // Whoever plays with the keys need not look for the list again.
    if (hadFocus || document.activeElement === document.body) this.focus(this.buttons[0], false);
  }

  choose(button, choice) {
    if (button.getAttribute("aria-disabled") === "true") return;
    this.dim();
    this.onChoose(choice);
  }

  focus(button, isSeen = true) {
    if (!button) return;
    for (const other of this.buttons) other.tabIndex = other === button ? 0 : -1;
    button.focus({ preventScroll: true });
    if (isSeen) button.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const buttons = this.buttons;
    if (buttons.length === 0) return;
    const at = buttons.indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at < 0 ? buttons.length - 1 : at - 1, Home: 0, End: buttons.length - 1 };
    if (event.key in moves) {
      if (at < 0 && document.activeElement?.closest(".window, .story")) return;
      event.preventDefault();
      this.focus(buttons[(moves[event.key] + buttons.length) % buttons.length]);
    } else if (event.key.length === 1 && event.key !== " ") {
      this.jump(event.key.toLowerCase(), buttons, at);
    }
  }

  // Letters find a choice by its notation first, then by its words.
  jump(letter, buttons, at) {
    clearTimeout(this.forget);
    this.forget = setTimeout(() => { this.typed = ""; }, PAUSE);
    this.typed += letter;
    const tests = [
      (button) => button.dataset.token.toLowerCase().startsWith(this.typed),
      (button) => ` ${button.textContent.toLowerCase()}`.includes(` ${this.typed}`),
      (button) => button.textContent.toLowerCase().includes(this.typed),
    ];
    // The same letter again goes on to the next one.
    const from = this.typed.length > 1 ? Math.max(at, 0) : at + 1;
    const order = [...buttons.slice(from), ...buttons.slice(0, from)];
    for (const test of tests) {
      const found = order.find(test);
      if (found) return this.focus(found);
    }
  }
}

export function isTyping(target) {
  return target.closest?.("input, select, textarea, dialog, [contenteditable]") != null;
}
