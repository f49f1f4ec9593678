// A table: what comes over the live connection, drawn for the eyes that look.

import "./frame.js";
import { ask, comeIn, newNonce } from "./api.js";
import { Choices, isTyping } from "./choices.js";
import { Curtain } from "./curtain.js";
import { askPerson, busy, byId, toast } from "./dom.js";
import { Ending } from "./ending.js";
import { Invite } from "./invite.js";
import { Live } from "./live.js";
import { Notices } from "./notices.js";
import { Picture } from "./picture.js";
import { Seats } from "./seats.js";
import { Story } from "./story.js";
import { facts, say, sayBot } from "./words.js";

const PATIENCE = 1500;
const PASSING = new Set(["offline", "too_many", "broken", "storage_away", "storage_busy", "storage_closed"]);

class Table {
  constructor() {
    this.eyes = undefined;
    this.seatsPanel = new Seats(this);
    this.invite = new Invite(this);
    this.ending = new Ending(this);
    this.notices = new Notices(this);
    this.picture = new Picture(facts.table);
    this.story = new Story(facts.table);
    // Before the choices, which would take the letter for the beginning of a word.
    document.addEventListener("keydown", (event) => this.press(event));
    this.choices = new Choices((choice) => this.choose(choice));
    this.curtain = new Curtain();
    this.live = new Live(facts.table, {
      onState: () => this.show(),
      onPresent: (state) => this.seatsPanel.show(state),
      onNetwork: (isThere) => this.showNetwork(isThere),
      onTrouble: (refusal) => toast(refusal.message),
    });
    byId("say").addEventListener("submit", (event) => this.speak(event));
    addEventListener("pageshow", (event) => event.persisted && this.live.hurry());
  }

  get state() {
    return this.live.state;
  }

  get me() {
    return facts.me?.id ?? "";
  }

  // The seats of whoever looks.
  seats() {
    const places = this.state?.info.places ?? [];
    return places.flatMap((place, seat) => (this.me && place.player === this.me ? [seat] : []));
  }

  nameOf(seat) {
    const place = this.state.info.places[seat];
    return place.player === null && place.bot !== null ? sayBot(place.bot) : place.name;
  }

  try(action) {
    return action().catch((refusal) => toast(refusal.message));
  }

  show() {
    const state = this.state;
    this.showHeading();
    byId("table").setAttribute("aria-busy", "false");
    this.look();
    this.seatsPanel.show(state);
    this.invite.show(state);
    this.showStatus();
    this.notices.show(state, this.eyes ?? null);
    this.try(() => this.ending.show(state));
    if (this.curtain.isDown) return this.veil();
    if (!this.view()?.legal.length) this.choices.clear();
    else if (this.shownPly !== `${state.ply}.${state.undone}.${this.eyes}`) this.choices.dim();
    this.refresh();
  }

  // Until the game begins there is room for its name and its picture.
  showHeading() {
    const isOpen = this.state.info.status === "open";
    byId("heading").textContent = facts.game.title;
    byId("heading").classList.toggle("unseen", !isOpen);
    byId("cover").hidden = !isOpen || !facts.game.cover;
    if (facts.game.cover && isOpen) byId("cover").src = facts.game.cover;
  }

  view() {
    return this.state.views.find((view) => view.seat === this.eyes);
  }

  // Decides with which eyes to look: of several at one device, those of who must choose.
  look() {
    const { views, info } = this.state;
    const own = views.map((view) => view.seat).filter((seat) => seat !== null);
    if (own.length < 2 || info.status !== "running") {
      const isOwn = own.includes(this.eyes);
      this.eyes = isOwn ? this.eyes : own[0] ?? null;
      if (this.curtain.isDown) this.curtain.rise();
      return;
    }
    const acting = views.filter((view) => view.legal.length > 0).map((view) => view.seat);
    const isFresh = !own.includes(this.eyes);
    const next = acting.includes(this.eyes) ? this.eyes : acting[0] ?? (isFresh ? own[0] : this.eyes);
    if (next === this.eyes) return this.curtain.isDown && this.curtain.rise();
    this.curtain.fall(next, this.nameOf(next), (seat) => {
      this.eyes = seat;
      this.story.forget();
      this.show();
    });
  }

  veil() {
    this.choices.clear();
    this.picture.clear();
    this.story.forget();
    this.shownPly = null;
    this.shown = null;
  }

  showStatus() {
    const text = this.sayStatus();
    if (byId("status").textContent !== text) byId("status").textContent = text;
    const isMine = this.state.views.some((view) => view.legal.length > 0);
    byId("status").classList.toggle("mine", isMine);
    document.title = `${isMine ? `● ${say("page.your_turn")} – ` : ""}${facts.game.title}`;
  }

  sayStatus() {
    const { info, waiting, views, chose } = this.state;
    if (info.status === "closed") return say("page.closed");
    if (info.status === "over") return say("page.over");
    if (info.status === "open") return this.sayOpen(info);
    const view = views.find((each) => each.seat === this.eyes);
    const names = waiting.filter((seat) => seat !== this.eyes).map((seat) => this.nameOf(seat)).join(", ");
    if (view?.legal.length) return say("page.your_turn_now");
    if (chose.includes(this.eyes)) return say("page.chosen_waiting", { names });
    return say("page.waiting_for", { names: waiting.map((seat) => this.nameOf(seat)).join(", ") });
  }

  sayOpen(info) {
    const free = info.places.filter((place) => place.player === null && place.bot === null).length;
    if (free > 0) return say("page.seats_free", { n: free });
    const isIn = this.seats().length > 0 || info.owner === this.me;
    return say(isIn ? "page.all_here" : "page.about_to_start");
  }

  // Fetches what must be drawn or said anew; many changes at once are fetched once.
  async refresh() {
    this.isAgain = this.isFetching;
    if (this.isFetching || this.curtain.isDown) return;
    this.isFetching = true;
    try {
      const { seq, undone, info } = this.state;
      const eyes = this.eyes;
      const isNew = this.shown !== `${seq}.${eyes}`;
      const hasGame = info.status !== "open" && this.state.views.length > 0;
      if (isNew) await Promise.all([
        this.story.read(eyes, undone),
        hasGame ? this.picture.read(eyes) : null,
        this.readChoices(eyes),
      ]);
      this.shown = `${seq}.${eyes}`;
    } catch (refusal) {
      this.shown = null;
      this.isAgain = PASSING.has(refusal.code);
      if (this.isAgain) await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      else toast(refusal.message);
    } finally {
      this.isFetching = false;
    }
    if (this.curtain.isDown) this.veil();
    else if (this.isAgain) this.refresh();
  }

  async readChoices(eyes) {
    if (!this.view()?.legal.length) return;
    const at = `${this.state.ply}.${this.state.undone}.${eyes}`;
    if (this.shownPly === at) return;
    const found = await ask("GET", `/t/${facts.table}/choices.json?seat=${eyes}&language=${facts.language}`);
    const now = `${this.state.ply}.${this.state.undone}.${this.eyes}`;
    if (now !== `${found.ply}.${found.undone}.${eyes}` || !this.view()?.legal.length) return;
    this.choices.show(found);
    this.shownPly = now;
  }

  async choose({ token, ply, undone }) {
    try {
      await this.live.do({ kind: "choose", seat: this.eyes, token, ply, undone });
    } catch (refusal) {
      toast(refusal.message);
    }
    // Whatever was answered: the next list is a fresh one.
    this.shownPly = null;
    this.shown = null;
    this.show();
  }

  async undo() {
    await this.live.do({ kind: "undo", seat: this.eyes });
    this.shownPly = null;
  }

  async sit(seat) {
    const wish = { kind: "sit", seat, nonce: newNonce() };
    if (this.seats().length > 0) {
      const name = await askPerson({
        text: say("page.second_name"), yes: say("page.sit"), no: say("page.cancel"), input: { label: say("page.name") },
      });
      if (name === null) return;
      wish.name = name || say("page.player", { seat: seat + 1 });
    }
    await this.beSomebody();
    await this.live.do(wish);
  }

  // Comes in as a guest, asking for a name first; the connection must know of it too.
  async beSomebody() {
    if (facts.me) return;
    const field = byId("name");
    if (!field.value.trim()) {
      const name = await askPerson({
        text: say("page.your_name"), more: say("page.no_account"), yes: say("page.ok"), no: say("page.cancel"),
        input: { label: say("page.name_hint") },
      });
      if (name === null) throw new Error(say("page.thought_better"));
      field.value = name;
    }
    if (!(await comeIn())) throw new Error(say("page.thought_better"));
    field.value = facts.me.name;
    this.live.restart();
  }

  async speak(event) {
    event.preventDefault();
    const field = byId("words");
    const text = field.value.trim();
    if (!text) return;
    await busy(field, async () => {
      await this.beSomebody();
      await this.live.do({ kind: "say", text });
      field.value = "";
    });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const canUndo = this.state && !this.curtain.isDown && this.view()?.can_undo;
    if (event.key.toLowerCase() === "u" && canUndo && !this.choices.typed) {
      event.stopImmediatePropagation();
      this.try(() => this.undo());
    }
  }

  showNetwork(isThere) {
    byId("network").textContent = say("page.reconnecting");
    byId("network").hidden = isThere;
  }
}

new Table();
