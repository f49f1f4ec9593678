// What has happened, in words, and what people say to each other.

import { ask } from "./api.js";
import { byId, h } from "./dom.js";
import { facts, say } from "./words.js";

const RECENT = 1500;

export class Story {
  constructor(table) {
    this.table = table;
    this.list = byId("story");
    this.isAtEnd = true;
    // Whoever reads old lines is left in peace; everybody else sees the newest. Only a hand
    // counts: new lines and another layout scroll too.
    let touched = 0;
    for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      this.list.addEventListener(kind, () => { touched = Date.now(); }, { passive: true });
    }
    this.list.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.list;
      if (Date.now() - touched < RECENT) this.isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
    });
    new ResizeObserver(() => this.keepEnd()).observe(this.list);
    this.forget();
  }

  // Begins anew: other eyes look, or something was taken back.
  forget() {
    this.era = (this.era ?? 0) + 1;
    this.seq = 0;
    this.undone = 0;
    this.last = null;
    this.list.replaceChildren();
  }

  async read(seat, undone) {
    if (undone !== this.undone) this.forget();
    const look = seat === null ? "" : `&seat=${seat}`;
    const path = `/t/${this.table}/story.json?after=${this.seq}&language=${facts.language}${look}`;
    const era = this.era;
    const told = await ask("GET", path);
    if (era !== this.era) return; // told to other eyes
    if (told.undone !== undone) return; // the next message tells of it
    this.undone = told.undone;
    if (told.seq <= this.seq) return;
    this.seq = told.seq;
    this.tell(told.items);
  }

  tell(items) {
    for (const item of items) this.add(item);
    this.keepEnd();
  }

  keepEnd() {
    if (this.isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  add(item) {
    const last = this.last;
    if (item.kind === "move" && last?.kind === "move" && last.text === item.text) {
      last.times += 1;
      last.count.textContent = ` ${say("page.times", { n: last.times })}`;
      return;
    }
    const count = h("span", { class: "quiet" });
    const line = item.kind === "say"
      ? h("li", { class: "say" }, h("strong", {}, item.name), " ", h("q", {}, item.text))
      : h("li", { class: item.kind }, item.text, count);
    line.title = new Date(item.at * 1000).toLocaleString(facts.language);
    this.last = { ...item, times: 1, count };
    this.list.append(line);
  }
}
