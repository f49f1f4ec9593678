// One table as somebody sees it: what comes over the live connection, which moment is shown, and
// what is about to be chosen.

import { ask, newNonce } from "$app/lib/api";
import type { AnyGameModule, Face, Meaning, Step } from "$app/lib/board";
import { findGame } from "$app/lib/facts.svelte";
import { loadBoard } from "$app/lib/games";
import { Live } from "$app/lib/live.svelte";
import { LONGEST_NAME, me } from "$app/lib/me.svelte";
import { announce, askPerson } from "$app/lib/notices.svelte";
import { settings } from "$app/lib/settings.svelte";
import { Player } from "$app/lib/player.svelte";
import { readReel } from "$app/lib/reel";
import { say, speech } from "$app/lib/words.svelte";
import { nameBot, tellApart } from "$app/lib/bots";
import { Sending } from "$app/table/sending.svelte";
import type { Command, SeatView, Snapshot } from "$app/wire";

interface Options {
  readonly ply: number;
  readonly undone: number;
  readonly items: readonly Meaning[];
}

export class Table {
  readonly live: Live;
  readonly player: Player;
  board = $state.raw<AnyGameModule | null>(null);
  isReady = $state(false);
  /** With whose eyes one looks: of several at one device, those of who must choose. */
  eyes = $state<number | null>(null);
  /** Whose turn it is to take the device. */
  next = $state<number | null>(null);
  picked = $state<string | null>(null);
  /** What the board says comes next, while a choice is half made. */
  lead = $state("");
  /** What was advised, in which moment, and by whom where that is known. */
  private advice = $state.raw<{ readonly token: string; readonly bot: string | null; readonly moment: string } | null>(null);
  isAdvising = $state(false);
  private meaningsAt = $state("");
  private known = $state.raw<ReadonlyMap<string, Meaning>>(new Map());
  private readonly sending = new Sending();
  private undone = 0;
  /** Up to which line of the log the steps have been fetched. */
  private followed = $state(0);
  /** The state whose steps have been fetched: what is told runs never ahead of what is shown. */
  private held = $state.raw<Snapshot | null>(null);

  constructor(readonly id: string) {
    this.live = new Live(id);
    this.player = new Player((first, limit) => readReel(id, this.eyes, first, limit));
  }

  get state(): Snapshot | null {
    return this.held ?? this.live.state;
  }

  get title(): string {
    const game = this.state?.info.game ?? "";
    return findGame(game)?.title ?? game;
  }

  /** The seats of whoever looks. */
  readonly seats = $derived.by((): readonly number[] => {
    const places = this.state?.info.places ?? [];
    return places.flatMap((place, seat) => (me.id && place.player === me.id ? [seat] : []));
  });

  /** The colors of the seats, where the game has its own. */
  readonly colors = $derived.by((): readonly string[] =>
    this.state ? (this.board?.seatColors?.(this.state.box) ?? []) : []);

  readonly view = $derived.by((): SeatView | null =>
    this.state?.views.find((view) => view.seat === this.eyes) ?? null);

  readonly faces = $derived.by((): readonly Face[] =>
    (this.state?.info.places ?? []).map((place, seat) => ({
      seat,
      name: this.nameOf(seat),
      isYou: this.seats.includes(seat),
      isBot: place.player === null && place.bot !== null,
      isHere: this.state?.here[seat] ?? false,
      hasChosen: this.player.isAtEnd && (this.state?.chose.includes(seat) ?? false),
    })));

  /** What may be chosen in what is shown: nothing in the past, nor while a step is shown or fetched. */
  readonly legal = $derived.by((): readonly string[] => {
    const isNow = this.player.isAtEnd && !this.player.step && this.state?.views === this.live.state?.views;
    return isNow && !this.sending.isAtRest && this.next === null ? (this.view?.legal ?? []) : [];
  });

  /** What the board shows as picked, or as chosen a moment ago. */
  get shownPick(): string | null {
    return this.sending.shownAt(this.moment) ?? this.picked;
  }

  get isSending(): boolean {
    return this.sending.isUnderWay;
  }

  readonly meanings = $derived.by((): ReadonlyMap<string, Meaning> =>
    this.meaningsAt === this.moment ? this.known : new Map());

  private get moment(): string {
    return `${this.state?.ply}.${this.state?.undone}.${this.eyes}`;
  }

  private readonly names = $derived.by((): readonly string[] =>
    tellApart((this.state?.info.places ?? []).map((place) =>
      place.player === null && place.bot !== null ? nameBot(place.bot) : place.name)));

  nameOf(seat: number): string {
    return this.names[seat] ?? "";
  }

  /** Follow what has changed; called whenever the state is another one. */
  async follow(state: Snapshot): Promise<void> {
    this.look(state);
    if (!this.isReady) {
      await speech.learn(state.info.game);
      this.board = await loadBoard(state.info.game);
      this.isReady = true;
    }
    if (state.views.length === 0 || this.next !== null) {
      this.held = state;
      return;
    }
    const isAnother = state.undone !== this.undone;
    this.undone = state.undone;
    try {
      await this.player.advance(isAnother);
    } finally {
      if (!this.player.isBusy) this.held = this.live.state;
    }
    if (this.live.isClosed) return;
    this.followed = Math.max(this.followed, state.seq);
    await this.explain();
  }

  /** Whether all that has happened has been shown: nothing more is to come out. */
  get isShown(): boolean {
    return this.followed >= (this.state?.seq ?? 0) && this.player.isAtEnd && !this.player.step;
  }

  /** Tell everything anew, in another language. */
  async retell(): Promise<void> {
    this.player.forget();
    this.meaningsAt = "";
    if (this.live.state) await this.follow(this.live.state);
  }

  // Decides with which eyes to look; another's are not opened before the device was handed over.
  private look({ views, info }: Snapshot): void {
    const own = views.map((view) => view.seat).filter((seat) => seat !== null);
    if (own.length < 2 || info.status !== "running") {
      this.next = null;
      this.see(own.includes(this.eyes ?? -1) ? this.eyes : (own[0] ?? null));
      return;
    }
    const acting = views.filter((view) => view.legal.length > 0).map((view) => view.seat);
    if (this.eyes !== null && (acting.includes(this.eyes) || acting.length === 0)) this.next = null;
    else this.next = acting[0] ?? own[0] ?? null;
  }

  private see(eyes: number | null): void {
    if (eyes === this.eyes) return;
    this.eyes = eyes;
    this.picked = null;
    this.player.forget();
  }

  /** The device has been handed over. */
  async handOver(): Promise<void> {
    const seat = this.next;
    this.next = null;
    this.see(seat);
    if (this.live.state) await this.follow(this.live.state);
  }

  /** Say in words what may be chosen. */
  private async explain(): Promise<void> {
    if (!this.view?.legal.length || this.meaningsAt === this.moment) return;
    const eyes = this.eyes;
    const query = `seat=${eyes}&language=${speech.language}`;
    const found = await ask<Options>("GET", `/t/${this.id}/choices.json?${query}`);
    if (this.moment !== `${found.ply}.${found.undone}.${eyes}`) return;
    this.known = new Map(found.items.map((item) => [item.token, item]));
    this.meaningsAt = this.moment;
  }

  /** What is left where nothing else may be chosen. */
  get only(): string | null {
    return this.legal.length === 1 ? (this.legal[0] ?? null) : null;
  }

  /** Pick a choice: it is sent, or shown first to be confirmed. */
  pick(token: string | null): void {
    if (this.isSending) return;
    if (token === null || !this.legal.includes(token)) {
      this.picked = null;
      return;
    }
    const isSecond = token === this.picked;
    const mustAsk = settings.asking === "always" || (settings.asking === "revealing" && (this.board?.reveals(token) ?? true));
    if (isSecond || !mustAsk || this.only !== null) void this.choose(token);
    else this.picked = token;
  }

  async choose(token: string): Promise<void> {
    const state = this.state;
    if (!state || this.eyes === null || this.isSending) return;
    if (this.picked !== null) this.picked = token;
    const choice = { kind: "choose", seat: this.eyes, token, ply: state.ply, undone: state.undone } as const;
    await this.sending.run(token, this.moment, async () => {
      await this.do(choice);
      this.picked = this.advice = null;
    });
  }

  /** Do something at the table; what is refused is said, and nothing has changed then. */
  async do(command: Command): Promise<void> {
    try {
      await this.live.do(command);
    } catch (refusal) {
      this.complain(refusal);
    }
  }

  /** Say why something cannot be done; a board may ask on behalf of who tried. */
  complain: (trouble: unknown) => void = (trouble) => announce(String(trouble));

  /** Try what cannot be chosen, to be told why: the server refuses it in words. */
  async askWhy(token: string): Promise<void> {
    const state = this.state;
    if (!state || this.eyes === null || this.isSending || this.legal.includes(token)) return;
    await this.do({ kind: "choose", seat: this.eyes, token, ply: state.ply, undone: state.undone });
  }

  /** Ask the strongest bot at hand what it would choose (unrated games). */
  async takeHint(): Promise<void> {
    if (this.eyes === null) return;
    this.isAdvising = true;
    try {
      const moment = this.moment;
      const hint = await ask<{ token: string; bot: string | null }>("POST", `/t/${this.id}/hint?seat=${this.eyes}`);
      if (moment !== this.moment) return;
      this.advice = { ...hint, moment };
      announce(this.saidAdvice);
    } catch (refusal) {
      this.complain(refusal);
    } finally {
      this.isAdvising = false;
    }
  }

  /** What was advised for this very moment, if anything was. */
  get advised(): string | null {
    return this.advice?.moment === this.moment && this.legal.includes(this.advice.token) ? this.advice.token : null;
  }

  /** Say who would choose what. */
  get saidAdvice(): string {
    const bot = this.advice?.bot ?? null;
    const what = this.advised === null ? undefined : this.meanings.get(this.advised)?.text;
    return what ? say("hint_from", { bot: bot === null ? "" : nameBot(bot), known: bot === null ? "no" : "yes", what }) : "";
  }

  async sit(seat: number): Promise<void> {
    let name: string | undefined;
    if (this.seats.length > 0) {
      const given = await askPerson({ text: say("second_name"), yes: say("sit"), field: say("name"), longest: LONGEST_NAME });
      if (given === null) return;
      name = given || say("player", { seat: seat + 1 });
    }
    const wasNobody = !me.who;
    try {
      if (!(await me.introduce())) return;
    } catch (refusal) {
      this.complain(refusal);
      return;
    }
    if (wasNobody) this.live.restart();
    await this.do({ kind: "sit", seat, nonce: newNonce(), ...(name ? { name } : {}) });
  }

  async rematch(): Promise<string | null> {
    const { table } = await this.live.do({ kind: "rematch", nonce: newNonce() });
    return table;
  }

  get step(): Step | null {
    return this.player.step;
  }

  close(): void {
    this.live.close();
  }
}
