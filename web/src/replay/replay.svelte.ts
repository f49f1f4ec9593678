// A replayed record: the position that is shown, the seat whose view is shown, and autoplay.

import { api, newNonce, sendCommand } from "$app/net/api";
import { botName, numberDuplicates } from "$app/lib/botNames";
import type { AnyGameModule, SeatPlayer } from "$app/lib/board";
import { findGame } from "$app/lib/pageData.svelte";
import { loadBoard } from "$app/lib/games";
import { i18n, say } from "$app/lib/i18n.svelte";
import { session } from "$app/lib/session.svelte";
import { settings } from "$app/lib/settings.svelte";
import { Playback } from "$app/playback/playback.svelte";
import { readRecordSegment, type RecordSegment } from "$app/playback/segments";
import type { Scores } from "$app/replay/chart";
import { checkRecord, type Outcomes, type Verdict } from "$app/replay/fairness";
import { isDraw, readNames, readRecord } from "$app/replay/record";
import type { Ending } from "$app/table/scoreSheet";
import type { TableInfo } from "$app/wire";

const AUTOPLAY_PAUSE_MS = 550;
const AUTOPLAY_PAUSE_WITHOUT_ANIMATION_MS = 1100;

interface Draws {
  readonly items: readonly { readonly token: string; readonly outcomes: Outcomes }[];
}

export interface RecordSource {
  readonly text: string;
  /** The component file of the game, if it was not played with the house set. */
  readonly data: string | null;
}

export class Replay {
  readonly playback = new Playback((first, limit) => this.load(first ?? 0, limit));
  board = $state.raw<AnyGameModule | null>(null);
  segment = $state.raw<RecordSegment | null>(null);
  /** The seat whose view is shown; `null` is a spectator. */
  viewSeat = $state<number | null>(null);
  isPlaying = $state(false);
  ending = $state.raw<Ending | null>(null);

  constructor(readonly source: RecordSource) {}

  get title(): string {
    return findGame(this.segment?.game ?? "")?.title ?? this.segment?.game ?? "";
  }

  readonly players = $derived.by((): readonly SeatPlayer[] => {
    const names = numberDuplicates(readNames(this.segment?.tags ?? {}).map(botName));
    return Array.from({ length: this.segment?.seats ?? 0 }, (_, seat) => {
      const name = names[seat] ?? say("player", { seat: seat + 1 });
      return { seat, name, isYou: false, isBot: false, isHere: true };
    });
  });

  get scores(): Scores {
    return this.segment?.scores ?? [];
  }

  /** Show the game from a position, or from the first choice. */
  async open(at?: number): Promise<void> {
    const segment = await this.load(0, 1);
    await i18n.loadGame(segment.game);
    this.board = await loadBoard(segment.game);
    this.segment = segment;
    await this.show(at ?? this.countSetupDraws());
  }

  async setViewSeat(seat: number | null): Promise<void> {
    this.viewSeat = seat;
    await this.show(this.playback.at);
  }

  /** Load and show a position, after the seat or the language has changed. */
  async show(at: number): Promise<void> {
    this.playback.reset();
    this.playback.steps = this.segment?.steps ?? 0;
    await this.playback.go(at);
  }

  async play(): Promise<void> {
    if (this.playback.isAtEnd) await this.playback.go(this.countSetupDraws());
    this.isPlaying = true;
  }

  /** The time between two steps of autoplay. */
  get pauseMs(): number {
    return settings.pace === 0 ? AUTOPLAY_PAUSE_WITHOUT_ANIMATION_MS : AUTOPLAY_PAUSE_MS / settings.pace;
  }

  async next(): Promise<void> {
    if (this.playback.isAtEnd) this.isPlaying = false;
    else await this.playback.forward();
  }

  /** Verify every draw in this browser. */
  async check(): Promise<Verdict> {
    const { text: record, data } = this.source;
    const { items } = await api<Draws>("POST", "/page/draws", { record, data });
    return checkRecord(
      record,
      items.map((item) => item.outcomes),
    );
  }

  /** Load the position as a standalone SVG. */
  async loadPicture(): Promise<string> {
    const { text: record, data } = this.source;
    const body = { record, data, step: this.playback.at, seat: this.viewSeat, language: i18n.language };
    return api<string>("POST", "/page/pictures", body);
  }

  /** Open a table that continues the shown position against bots; `null` without a session. */
  async continueAgainst(bot: string, ownSeat: number): Promise<string | null> {
    if (!this.segment || !(await session.ensure())) return null;
    const { game, seats, options } = this.segment;
    const { text: record, data } = this.source;
    const steps = this.playback.at;
    const opening = steps > 0 ? { opening: { record, steps } } : {};
    const { id } = await api<TableInfo>("POST", "/api/tables", { game, seats, options, data, ...opening });
    await sendCommand(id, { kind: "sit", seat: ownSeat, nonce: newNonce() });
    for (let seat = 0; seat < seats; seat += 1) {
      if (seat !== ownSeat) await sendCommand(id, { kind: "seat_bot", seat, bot });
    }
    await sendCommand(id, { kind: "start" });
    return id;
  }

  // Counts the draws before the first choice; each is a step.
  private countSetupDraws(): number {
    return Math.max(
      0,
      readRecord(this.source.text).tokens.findIndex((token) => !isDraw(token)),
    );
  }

  private async load(first: number, limit: number): Promise<RecordSegment> {
    const segment = await readRecordSegment(this.source.text, this.viewSeat, first, limit, this.source.data);
    this.ending = segment.ending;
    return segment;
  }
}
