// The position as the server draws it for these eyes: a picture, or text where there is none.

import { ask } from "./api.js";
import { byId } from "./dom.js";
import { facts } from "./words.js";

export class Picture {
  constructor(table) {
    this.table = table;
    this.figure = byId("picture");
    this.image = byId("image");
    this.drawing = byId("drawing");
    this.hasPicture = facts.game.cover !== null;
    this.isText = !this.hasPicture;
    byId("as-text").hidden = !this.hasPicture;
    byId("as-text").addEventListener("click", () => this.turn());
    byId("zoom").addEventListener("click", () => this.zoom());
    this.image.addEventListener("click", () => this.zoom());
  }

  clear() {
    this.seat = undefined;
    this.figure.hidden = true;
    this.image.removeAttribute("src");
    this.drawing.textContent = "";
  }

  turn() {
    this.isText = !this.isText;
    byId("as-text").setAttribute("aria-pressed", String(this.isText));
    this.read(this.seat);
  }

  zoom() {
    const isLarge = this.figure.classList.toggle("large");
    byId("zoom").setAttribute("aria-pressed", String(isLarge));
  }

  async read(seat) {
    this.seat = seat;
    const look = seat === null ? "" : `&seat=${seat}`;
    const kind = this.isText ? "drawing.txt" : "picture.svg";
    const drawn = await ask("GET", `/t/${this.table}/${kind}?language=${facts.language}${look}`);
    if (this.seat !== seat) return;
    if (this.isText) this.drawing.textContent = drawn;
    else await this.show(drawn);
    this.image.hidden = this.isText;
    this.drawing.hidden = !this.isText;
    byId("zoom").hidden = this.isText;
    this.figure.hidden = false;
  }

  // The picture says in words what it shows; an image has to be told to say it too.
  async show(drawn) {
    const told = new DOMParser().parseFromString(drawn, "image/svg+xml").querySelector("desc");
    const next = new Image();
    next.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
    await next.decode().catch(() => {});
    this.image.src = next.src;
    this.image.alt = told?.textContent ?? "";
  }
}
