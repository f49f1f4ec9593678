// Made by `python -m pleasance.server.http.typescript`; change the Python types instead.

/** Take a free seat; several seats on one device each need a name. */
export interface Sit {
  readonly kind: "sit";
  readonly nonce: string;
  /** The first free one by default. */
  readonly seat?: number | null;
  readonly name?: string | null;
}

/** Seat a bot (the owner). */
export interface SeatBot {
  readonly kind: "seat_bot";
  readonly bot: string;
  readonly seat?: number | null;
}

/** Leave a seat before the game begins; the owner may remove a bot. */
export interface Leave {
  readonly kind: "leave";
  readonly seat: number;
}

/** Begin the game (the owner, or any seated player once all seats are taken). */
export interface Start {
  readonly kind: "start";
}

/** Choose, in notation, at the position the client saw. */
export interface Choose {
  readonly kind: "choose";
  readonly seat: number;
  readonly token: string;
  readonly ply: number;
  /** Revision the client saw; if omitted 0, which is stale once tokens have been taken back. */
  readonly revision?: number;
}

/** Undo one's own last choice, while nothing hidden was revealed since. */
export interface Undo {
  readonly kind: "undo";
  readonly seat: number;
}

/** Request a takeback of one's last choice, which all players must accept (unrated games). */
export interface RequestTakeback {
  readonly kind: "request_takeback";
  readonly seat: number;
}

/** Accept a takeback or decline it. */
export interface AnswerTakeback {
  readonly kind: "answer_takeback";
  readonly seat: number;
  readonly agrees: boolean;
}

/** Resign the game. */
export interface Resign {
  readonly kind: "resign";
  readonly seat: number;
}

/** Reclaim one's seat from the bot that stood in. */
export interface ReclaimSeat {
  readonly kind: "reclaim_seat";
  readonly seat: number;
}

/** Send a chat message to the table. */
export interface Say {
  readonly kind: "say";
  readonly text: string;
}

/** Remove a player, for good if it *is_ban* (the owner). */
export interface Kick {
  readonly kind: "kick";
  readonly player: string;
  readonly is_ban?: boolean;
}

/** Close a table before the game begins (the owner). */
export interface Close {
  readonly kind: "close";
}

/**
 * Request a rematch after the game: the first request opens a table like this, others join it. Bots
 * take their seats again, and the game begins when all players have come.
 */
export interface Rematch {
  readonly kind: "rematch";
  readonly nonce: string;
}

/** Watch a table; *since* is the last seq the client saw, to go on after a lost connection. */
export interface Watch {
  readonly kind: "watch";
  readonly key: string;
  readonly table: string;
  readonly since?: number | null;
}

/** Stop watching a table. */
export interface Unwatch {
  readonly kind: "unwatch";
  readonly key: string;
  readonly table: string;
}

/** Execute a command at a table. */
export interface Execute {
  readonly kind: "do";
  readonly key: string;
  readonly table: string;
  readonly command: Command;
}

/** Check that the server is there. */
export interface Ping {
  readonly kind: "ping";
  readonly key: string;
}

/** The first message of a connection. */
export interface Welcome {
  readonly kind: "welcome";
  readonly player: string;
  readonly name: string;
  readonly version: string;
  /** Seconds after which a silent client counts as disconnected. */
  readonly heartbeat: number;
  /** The server's time, in seconds since 1970. */
  readonly now: number;
}

/** A time control: *move* seconds for each choice, then the *bank*. */
export interface Clock {
  readonly move: number;
  readonly bank: number;
}

/** The public state of a seat. */
export interface SeatInfo {
  /** The player who sits here; `null` for a bot and for a free seat. */
  readonly player: string | null;
  readonly name: string;
  /** The bot that plays: it was seated here, or stands in. */
  readonly bot: string | null;
  /** Whether the seat was resigned, timed out or left: it is rated last. */
  readonly has_left: boolean;
  readonly has_resigned: boolean;
}

/** The public state of a table besides the position. */
export interface TableInfo {
  readonly id: string;
  readonly game: string;
  readonly rules: string;
  readonly options: readonly string[];
  /** The name of the component data. */
  readonly data: string;
  readonly is_rated: boolean;
  readonly is_public: boolean;
  readonly clock: Clock | null;
  readonly owner: string;
  /** `open`, `running`, `over` or `closed`. */
  readonly status: string;
  /** `finished` or `resigned`, once it is over. */
  readonly ending: string | null;
  readonly commitment: string;
  readonly places: readonly SeatInfo[];
  /** The seat that requests a takeback. */
  readonly takeback_by: number | null;
  readonly takeback_agreed: readonly number[];
  readonly rematch: string | null;
  /** The number of tokens of another game that this one continues. */
  readonly opening: number;
}

/** The clock of one seat. */
export interface SeatClock {
  readonly bank: number;
  /** When the clock runs out, in seconds since 1970; `null` while it stands. */
  readonly due: number | null;
}

/** The position as one seat sees it. */
export interface SeatView {
  /** `null` for a spectator. */
  readonly seat: number | null;
  /** The view of the game; its type has the name of the game. */
  readonly position: Position;
  /** The legal choices of the seat now, in notation. */
  readonly legal: readonly string[];
  /** The seat's own choice, while it is secret. */
  readonly chosen: string | null;
  readonly can_undo: boolean;
}

/** One entry of the event log, redacted for one seat. */
export interface LogEntryView {
  readonly seq: number;
  /** The kind of entry: names the message `page.log.<kind>` of the server's catalogs. */
  readonly kind: string;
  readonly at: number;
  readonly seat?: number | null;
  /** The notation of a choice or draw; `null` if it is secret or there is none. */
  readonly token?: string | null;
  /** All choices of a simultaneous turn, in the order of the seats, once they are revealed. */
  readonly tokens?: readonly string[];
  /** The player who spoke, or the bot or player who came. */
  readonly name?: string | null;
  readonly player?: string | null;
  readonly text?: string | null;
}

/** The snapshot of a table; it replaces whatever the client knew. */
export interface Snapshot {
  readonly kind: "snapshot";
  readonly table: string;
  /** The seq of the newest log entry; it grows from message to message. */
  readonly seq: number;
  readonly info: TableInfo;
  readonly ply: number;
  readonly revision: number;
  readonly waiting: readonly number[];
  /** The seats that have made a secret choice. */
  readonly chose: readonly number[];
  /** One for each seat, where there is a clock. */
  readonly clocks: readonly SeatClock[];
  readonly scores: readonly number[];
  /** One for each seat of this player, or a spectator's; none before the game begins. */
  readonly views: readonly SeatView[];
  /** The facts of the box that never change during the game. */
  readonly box: Box;
  /** For each seat, whether its player is connected. */
  readonly here: readonly boolean[];
  /** The number of spectators. */
  readonly watching: number;
  /** The entries after the last seq the client saw, or the newest ones. */
  readonly entries: readonly LogEntryView[];
}

/** The delta of a table since the last message: new log entries and changed views. */
export interface Update {
  readonly kind: "update";
  readonly table: string;
  readonly seq: number;
  /** `null` if it has not changed. */
  readonly info: TableInfo | null;
  readonly ply: number;
  readonly revision: number;
  readonly waiting: readonly number[];
  /** The seats that have made a secret choice. */
  readonly chose: readonly number[];
  /** One for each seat, where there is a clock. */
  readonly clocks: readonly SeatClock[];
  readonly scores: readonly number[];
  /** The views of this player that have changed. */
  readonly views: readonly SeatView[];
  readonly entries: readonly LogEntryView[];
}

/** Connected players have changed; this has no seq, since it is not in the log. */
export interface PresenceUpdate {
  readonly kind: "present";
  readonly table: string;
  /** For each seat. */
  readonly here: readonly boolean[];
  /** The number of spectators. */
  readonly watching: number;
}

/** A request was executed and is on disk. */
export interface Accepted {
  readonly kind: "accepted";
  readonly key: string;
  readonly seq: number;
  /** The new table, after a rematch. */
  readonly table: string | null;
}

/** A request was refused: a code of the catalogs, its parameters and the message. */
export interface Refused {
  readonly kind: "refused";
  readonly key: string | null;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly message: string;
  /** The seq of the newest log entry then; a watcher has been sent all entries up to it. */
  readonly seq: number;
}

/** News of the matchmaking queue for this player. */
export interface MatchOffer {
  readonly kind: "offered";
  /** The table to play at; `null` if a bot is offered or a nonce is needed first. */
  readonly table: string | null;
  /** Whether a bot is offered because no opponent came. */
  readonly has_bot: boolean;
}

/** The answer to a ping. */
export interface Pong {
  readonly kind: "pong";
  readonly key: string;
  readonly now: number;
}

/** The server closes the connection; the client should reconnect. */
export interface Closing {
  readonly kind: "closing";
  /** `stopping`: the server stops. `identity`: the session or access token changed or ended. */
  readonly reason: "identity" | "stopping";
}

/** The view of one seat of a game that is only drawn in text. */
export interface TextView {
  readonly text: string;
}

/** The box facts of a game that is only drawn in text. */
export interface TextBoxFacts {
  readonly seats: number;
  /** The width of the text. */
  readonly columns: number;
}

/** The causes of a painter's tokens; they add up to what it has. */
export interface SakuraLedger {
  readonly start: number;
  /** Never above 0. */
  readonly disgraces: number;
  /** Tokens paid at each sakura. */
  readonly sakura: readonly number[];
}

/** A card on the table. */
export interface SakuraPlayed {
  readonly painter: number;
  readonly card: number;
  /** The number of its two actions that have been carried out. */
  readonly done: number;
}

/** The space of the own painter after a choice, if no one else moved. */
export interface SakuraLanding {
  /** The choice: the own card, or a direction; one that leaves a way open is here repeatedly. */
  readonly token: string;
  readonly space: number;
  /** The Emperor's space then. */
  readonly emperor: number;
  readonly is_disgraced: boolean;
}

/** The view of one seat; lists by painter are in seat order, the court painter last. */
export interface SakuraView {
  /** The viewing seat; `null` is a spectator. */
  readonly seat: number | null;
  readonly phase: "choose" | "court" | "direction" | "draw" | "over";
  /** The seat that chooses a direction or draws; `null` where all choose, or none. */
  readonly actor: number | null;
  /** The seat that must choose a card for the court painter too. */
  readonly giver: number | null;
  /** From 1; 0 during set-up. */
  readonly round: number;
  /** The space where the Emperor stands. */
  readonly emperor: number;
  /** The space where each painter stands. */
  readonly painters: readonly number[];
  /** The tokens of each painter. */
  readonly tokens: readonly number[];
  /** The causes of each painter's tokens. */
  readonly ledgers: readonly SakuraLedger[];
  /** The number of sakura scored. */
  readonly scored: number;
  /** The viewing seat's own cards. */
  readonly hand: readonly number[];
  readonly hand_sizes: readonly number[];
  /** For each seat, how many cards of its hand come from each deck. */
  readonly origins: readonly (readonly number[])[];
  /** Cards that can be drawn before the deck is rebuilt. */
  readonly deck_size: number;
  readonly discards: readonly number[];
  /** The cards of each deck when it was made: the first one, and those rebuilt from discards. */
  readonly decks: readonly (readonly number[])[];
  /** The cards on the table, in the order in which they are carried out. */
  readonly played: readonly SakuraPlayed[];
  /** The seats that must still draw a card, in order. */
  readonly draws: readonly number[];
  /** The landing of the own painter by each choice that is due. */
  readonly landings: readonly SakuraLanding[];
}

/** The path from the gate, which is space 0, to the last sakura. */
export interface SakuraPath {
  /** Every space of the four bridges. */
  readonly bridges: readonly number[];
  /** The Emperor's first space. */
  readonly torii: number;
  /** The three sakura spaces; the last one ends the path. */
  readonly sakura: readonly number[];
}

/** One of the two actions of a card. */
export interface SakuraAction {
  readonly move: "closest" | "count" | "emperor" | "furthest" | "leap" | "walk";
  /** Spaces to go: positive forward, negative back; 0 where the position tells. */
  readonly steps: number;
  /** Whether the owner chooses the direction. */
  readonly is_free: boolean;
}

/** The face of a card, in the order in which it is carried out. */
export interface SakuraCard {
  readonly card: number;
  readonly garden: SakuraAction;
  readonly painter: SakuraAction;
}

/** The look of one painter. */
export interface SakuraPainter {
  readonly letter: string;
  readonly shape: string;
  readonly color: string;
  /** The name of the color in each language. */
  readonly names: Readonly<Record<string, string>>;
}

/** The facts that never change during a game. */
export interface SakuraBox {
  readonly seats: number;
  readonly is_tactical: boolean;
  /** Cards that a player holds. */
  readonly hand: number;
  /** Tokens that a painter starts with. */
  readonly tokens: number;
  /** Empty spaces that a disgraced painter goes back. */
  readonly disgrace: number;
  readonly path: SakuraPath;
  /** Tokens for each rank, at each sakura. */
  readonly pay: readonly (readonly number[])[];
  readonly cards: readonly SakuraCard[];
  /** In seat order; one more than seats where there is a court painter. */
  readonly painters: readonly SakuraPainter[];
}

/** One moment of a step, and how all stand after it. */
export interface SakuraScene {
  readonly kind:
    | "ask"
    | "bump"
    | "caught"
    | "court"
    | "draw"
    | "emperor"
    | "leap"
    | "over"
    | "ranks"
    | "rebuilt"
    | "reveal"
    | "score"
    | "stay"
    | "unresolved"
    | "walk";
  /** The same in words. */
  readonly caption: string;
  /** The card that is drawn or carried out. */
  readonly card: number | null;
  /** The number of its action: 0 in the garden, 1 of the painter. */
  readonly action: number | null;
  /** Its painter; `null` where it is about the Emperor, or no piece. */
  readonly painter: number | null;
  readonly emperor: number;
  readonly painters: readonly number[];
  readonly tokens: readonly number[];
  readonly scored: number;
  /** The cards on the table, in the order in which they are carried out. */
  readonly played: readonly SakuraPlayed[];
}

/** A space of the main board. */
export interface SanssouciSpace {
  readonly space: string;
  /** The tile that lies there. */
  readonly motif: string | null;
  /** The one cell of a garden where that tile belongs. */
  readonly cell: string | null;
}

/** One player's garden. */
export interface SanssouciGarden {
  /** Which side of which garden board this is: `3B`. */
  readonly board: string | null;
  /** Cells that carry a tile, whichever side is up, or a preprinted motif. */
  readonly built: readonly string[];
  /** Cells that carry a tile with the gardener up. */
  readonly gardeners: readonly string[];
  /** The row where the noble of each column stands; 0 is the terrace. */
  readonly nobles: readonly number[];
  /** The cell where the boar stands. */
  readonly boar: string | null;
  /** Which rewards board belongs to it, from 1. */
  readonly rewards_board: number | null;
  /** Which side of a rewards board lies on it: `4A`. */
  readonly rewards_side: string | null;
}

/** One item of a score: the message `score_item.<code>` with its parameters. */
export interface SanssouciScoreItem {
  readonly code: string;
  readonly points: number;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The view of one seat; lists by seat are in seat order. */
export interface SanssouciView {
  /** The viewing seat; `null` is a spectator. */
  readonly seat: number | null;
  readonly phase:
    | "boar"
    | "card"
    | "deal"
    | "fill"
    | "first_player"
    | "garden"
    | "mission"
    | "over"
    | "place"
    | "refill"
    | "rewards_board"
    | "sides"
    | "take"
    | "walk";
  /** The seat whose turn it is; meaningless while all choose their sides. */
  readonly actor: number;
  /** The first player. */
  readonly first: number;
  /** Up to `rounds` of the box; 0 during set-up. */
  readonly round: number;
  /** Number of complete turns. */
  readonly turns: number;
  readonly market: readonly SanssouciSpace[];
  /** Tiles yet to come, by motif. */
  readonly bag: readonly number[];
  readonly gardens: readonly SanssouciGarden[];
  /** A cell: where the tile in hand belongs, while it is being laid as a gardener. */
  readonly tile: string | null;
  /** The space that was emptied last, or is filled next during set-up. */
  readonly emptied: string;
  /** The viewing seat's own cards. */
  readonly hand: readonly string[];
  readonly hand_sizes: readonly number[];
  /** The cards that each seat has in hand or deck. */
  readonly unplayed: readonly (readonly string[])[];
  /** The viewing seat's own missions, as motifs; all missions once the game is over. */
  readonly missions: readonly (readonly string[])[];
  readonly mission_counts: readonly number[];
  readonly scores: readonly number[];
  /** The items of each score; their points add up to it. */
  readonly score_items: readonly (readonly SanssouciScoreItem[])[];
}

/** One side of a garden board. */
export interface SanssouciBoard {
  readonly board: string;
  /** Its preprinted cells. */
  readonly printed: readonly string[];
}

/** The reward of a cell for a tile laid motif up, and as a gardener. */
export interface SanssouciMark {
  readonly cell: string;
  readonly motif: number;
  readonly gardener: number;
}

/** One side of a rewards board. */
export interface SanssouciRewards {
  readonly side: string;
  readonly marks: readonly SanssouciMark[];
}

/** The words, by language, and the colors of one edition. */
export interface SanssouciEdition {
  readonly name: string;
  readonly title: Readonly<Record<string, string>>;
  readonly motifs: readonly (Readonly<Record<string, string>>)[];
  /** The color name of each row. */
  readonly rows: readonly (Readonly<Record<string, string>>)[];
  /** The color of each row, as `#c0ffee`. */
  readonly colors: readonly string[];
}

/** The facts that never change during a game. */
export interface SanssouciBox {
  readonly seats: number;
  readonly rounds: number;
  /** Cards that a seat holds, as long as its deck lasts. */
  readonly hand: number;
  readonly has_rewards: boolean;
  readonly has_boars: boolean;
  /** The columns of a garden, from left to right. */
  readonly motifs: readonly string[];
  /** Points for a walk that ends in row 1, 2 and so on. */
  readonly row_values: readonly number[];
  readonly row_bonus: readonly number[];
  readonly column_bonus: number;
  readonly spaces: readonly string[];
  /** Every player's deck. */
  readonly cards: readonly string[];
  /** Number of tiles of each motif. */
  readonly tiles: number;
  readonly gardens: readonly SanssouciBoard[];
  /** The cells under a rewards board. */
  readonly rewards_cells: readonly string[];
  readonly rewards: readonly SanssouciRewards[];
  readonly boar_disturbed: number;
  readonly boar_removed: number;
  readonly editions: readonly SanssouciEdition[];
}

/** A command to a table, over the socket or by HTTP. */
export type Command =
  | Sit
  | SeatBot
  | Leave
  | Start
  | Choose
  | Undo
  | RequestTakeback
  | AnswerTakeback
  | Resign
  | ReclaimSeat
  | Say
  | Kick
  | Close
  | Rematch;

export type Request =
  | Watch
  | Unwatch
  | Execute
  | Ping;

export type Message =
  | Welcome
  | Snapshot
  | Update
  | PresenceUpdate
  | Accepted
  | Refused
  | MatchOffer
  | Pong
  | Closing;

/** The view of each game that has one of its own. */
export interface Positions {
  readonly sakura: SakuraView;
  readonly sanssouci: SanssouciView;
}

/** The box of each game that has one of its own. */
export interface Boxes {
  readonly sakura: SakuraBox;
  readonly sanssouci: SanssouciBox;
}

export type Position = Positions[keyof Positions] | TextView;

export type Box = Boxes[keyof Boxes] | TextBoxFacts;
