// The state of one table page: the live connection, the playback, and the choice that is being made.

import { api, newNonce } from "$app/net/api";
import type { AnyGameModule, Meaning, SeatPlayer } from "$app/lib/board";
import { botName, numberDuplicates } from "$app/lib/botNames";
import { loadBoard } from "$app/lib/games";
import { i18n, say } from "$app/lib/i18n.svelte";
import { announce, askUser, messageOf } from "$app/lib/notices.svelte";
import { findGame } from "$app/lib/pageData.svelte";
import { MAX_NAME_LENGTH, session } from "$app/lib/session.svelte";
import { settings } from "$app/lib/settings.svelte";
import { LiveConnection } from "$app/net/live.svelte";
import { Playback } from "$app/playback/playback.svelte";
import { readSegment } from "$app/playback/segments";
import { Hint } from "$app/table/hint.svelte";
import { PendingChoice } from "$app/table/pendingChoice.svelte";
import { chooseViewSeat } from "$app/table/viewSeat";
import type { Choose, Command, SeatView, Snapshot } from "$app/wire";

interface Options {
  readonly ply: number;
  readonly revision: number;
  readonly items: readonly Meaning[];
}

export class Table {
  readonly live: LiveConnection;
  readonly playback: Playback;
  readonly hint = new Hint();
  board = $state.raw<AnyGameModule | null>(null);
  isReady = $state(false);
  /** The seat whose view is shown; `null` is a spectator. */
  viewSeat = $state<number | null>(null);
  /** The seat whose player must take the device before their view is shown. */
  handOverTo = $state<number | null>(null);
  picked = $state<string | null>(null);
  /** The board's text for the next step of a half-made choice. */
  nextStepText = $state("");
  private meaningsPosition = $state("");
  private loadedMeanings = $state.raw<ReadonlyMap<string, Meaning>>(new Map());
  private readonly pending = new PendingChoice();
  private revision = 0;
  /** The `seq` up to which the steps are loaded. */
  private loadedSeq = $state(0);
  /** The last state whose steps are loaded: texts must not run ahead of the board. */
  private loadedState = $state.raw<Snapshot | null>(null);

  constructor(readonly id: string) {
    this.live = new LiveConnection(id);
    this.playback = new Playback((first, limit) => readSegment(id, this.viewSeat, first, limit));
  }

  get state(): Snapshot | null {
    return this.loadedState ?? this.live.state;
  }

  get title(): string {
    const game = this.state?.info.game ?? "";
    return findGame(game)?.title ?? game;
  }

  /** The user's own seats. */
  readonly seats = $derived.by((): readonly number[] => {
    const places = this.state?.info.places ?? [];
    return places.flatMap((place, seat) => (session.id && place.player === session.id ? [seat] : []));
  });

  readonly colors: readonly string[] = $derived(this.state ? (this.board?.seatColors?.(this.state.box) ?? []) : []);

  readonly view: SeatView | null = $derived(this.state?.views.find(({ seat }) => seat === this.viewSeat) ?? null);

  readonly players = $derived.by((): readonly SeatPlayer[] =>
    (this.state?.info.places ?? []).map((place, seat) => ({
      seat,
      name: this.nameOf(seat),
      isYou: this.seats.includes(seat),
      isBot: place.player === null && place.bot !== null,
      isHere: this.state?.here[seat] ?? false,
      hasChosen: this.playback.isAtEnd && (this.state?.chose.includes(seat) ?? false),
    })),
  );

  /** The legal choices; none in an earlier position, nor while a step is loaded or animated. */
  readonly legal = $derived.by((): readonly string[] => {
    const isCurrent = this.isPlaybackDone && this.state?.views === this.live.state?.views;
    return isCurrent && !this.pending.isBoardLocked && this.handOverTo === null ? (this.view?.legal ?? []) : [];
  });

  /** The choice that the board marks: the one being sent, or the picked one. */
  get shownPick(): string | null {
    return this.pending.tokenAt(this.position) ?? this.picked;
  }

  get isSending(): boolean {
    return this.pending.isSending;
  }

  readonly meanings = $derived.by((): ReadonlyMap<string, Meaning> =>
    this.meaningsPosition === this.position ? this.loadedMeanings : new Map(),
  );

  // Identifies the position and the seat that looks at it.
  private get position(): string {
    return `${this.state?.ply}.${this.state?.revision}.${this.viewSeat}`;
  }

  private readonly names = $derived.by((): readonly string[] =>
    numberDuplicates(
      (this.state?.info.places ?? []).map(({ player, bot, name }) =>
        player === null && bot !== null ? botName(bot) : name,
      ),
    ),
  );

  nameOf(seat: number): string {
    return this.names[seat] ?? "";
  }

  private get isPlaybackDone(): boolean {
    return this.playback.isAtEnd && !this.playback.step;
  }

  /** Show a new state of the live connection. */
  async follow(state: Snapshot): Promise<void> {
    const { viewSeat, handOverTo } = chooseViewSeat(state, this.viewSeat);
    this.handOverTo = handOverTo;
    this.setViewSeat(viewSeat);
    if (!this.isReady) {
      await i18n.loadGame(state.info.game);
      this.board = await loadBoard(state.info.game);
      this.isReady = true;
    }
    if (state.views.length === 0 || this.handOverTo !== null) {
      this.loadedState = state;
      return;
    }
    const wasTakenBack = state.revision !== this.revision;
    this.revision = state.revision;
    try {
      await this.playback.advance(wasTakenBack);
    } finally {
      if (!this.playback.isLoading) this.loadedState = this.live.state;
    }
    if (this.live.isClosed) return;
    this.loadedSeq = Math.max(this.loadedSeq, state.seq);
    await this.loadMeanings();
  }

  /** Whether every step of the log has been shown. */
  get isShown(): boolean {
    return this.loadedSeq >= (this.state?.seq ?? 0) && this.isPlaybackDone;
  }

  /** Load all texts again, after a change of language. */
  async reload(): Promise<void> {
    this.playback.reset();
    this.meaningsPosition = "";
    if (this.live.state) await this.follow(this.live.state);
  }

  private setViewSeat(seat: number | null): void {
    if (seat === this.viewSeat) return;
    this.viewSeat = seat;
    this.picked = null;
    this.playback.reset();
  }

  async confirmHandOver(): Promise<void> {
    const seat = this.handOverTo;
    this.handOverTo = null;
    this.setViewSeat(seat);
    if (this.live.state) await this.follow(this.live.state);
  }

  private async loadMeanings(): Promise<void> {
    if (!this.view?.legal.length || this.meaningsPosition === this.position) return;
    const seat = this.viewSeat;
    const options = await api<Options>("GET", `/t/${this.id}/choices.json?seat=${seat}&language=${i18n.language}`);
    if (this.position !== `${options.ply}.${options.revision}.${seat}`) return;
    this.loadedMeanings = new Map(options.items.map((item) => [item.token, item]));
    this.meaningsPosition = this.position;
  }

  /** The legal choice, if there is only one. */
  get onlyChoice(): string | null {
    return this.legal.length === 1 ? (this.legal[0] ?? null) : null;
  }

  /** Pick a choice: send it, or show it to be confirmed. */
  pick(token: string | null): void {
    if (this.isSending) return;
    if (token === null || !this.legal.includes(token)) {
      this.picked = null;
      return;
    }
    const { confirmMode } = settings.current;
    const mustConfirm =
      confirmMode === "always" || (confirmMode === "revealing" && (this.board?.reveals(token) ?? true));
    if (token === this.picked || !mustConfirm || this.onlyChoice !== null) void this.choose(token);
    else this.picked = token;
  }

  async choose(token: string): Promise<void> {
    const command = this.makeChoice(token);
    if (!command) return;
    if (this.picked !== null) this.picked = token;
    await this.pending.run(token, this.position, async () => {
      await this.do(command);
      this.picked = null;
      this.hint.clear();
    });
  }

  /** Send a choice that is not legal: the server refuses it with a reason. */
  async askWhy(token: string): Promise<void> {
    const command = this.makeChoice(token);
    if (command && !this.legal.includes(token)) await this.do(command);
  }

  private makeChoice(token: string): Choose | null {
    const { state, viewSeat: seat } = this;
    if (!state || seat === null || this.isSending) return null;
    return { kind: "choose", seat, token, ply: state.ply, revision: state.revision };
  }

  /** Send a command; report a refusal to the user. */
  async do(command: Command): Promise<void> {
    await this.reportErrors(() => this.live.do(command));
  }

  /** Shows an error to the user; the page replaces it. */
  onError: (error: unknown) => void = (error) => announce(messageOf(error));

  private async reportErrors<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.onError(error);
      return null;
    }
  }

  async requestHint(): Promise<void> {
    const seat = this.viewSeat;
    if (seat === null) return;
    const isLoaded = await this.reportErrors(() => this.hint.load(this.id, seat, () => this.position));
    if (isLoaded) announce(this.hintText);
  }

  /** The choice of the hint for this position. */
  get hinted(): string | null {
    const token = this.hint.tokenAt(this.position);
    return token !== null && this.legal.includes(token) ? token : null;
  }

  get hintText(): string {
    const { bot } = this.hint;
    const what = this.hinted === null ? undefined : this.meanings.get(this.hinted)?.text;
    if (!what) return "";
    return say("hint_from", { bot: bot === null ? "" : botName(bot), known: bot === null ? "no" : "yes", what });
  }

  async sit(seat: number): Promise<void> {
    let name: string | undefined;
    if (this.seats.length > 0) {
      const question = { text: say("second_name"), yes: say("sit"), field: say("name"), maxLength: MAX_NAME_LENGTH };
      const given = await askUser(question);
      if (given === null) return;
      name = given || say("player", { seat: seat + 1 });
    }
    if (!(await this.reportErrors(() => this.ensureSession()))) return;
    await this.do({ kind: "sit", seat, nonce: newNonce(), ...(name ? { name } : {}) });
  }

  /** Start a session if there is none; the connection then restarts as the new user. */
  async ensureSession(): Promise<boolean> {
    const hadSession = session.user !== null;
    if (!(await session.ensure())) return false;
    if (!hadSession) this.live.restart();
    return true;
  }

  async rematch(): Promise<string | null> {
    return (await this.live.do({ kind: "rematch", nonce: newNonce() })).table;
  }

  close(): void {
    this.live.close();
  }
}
