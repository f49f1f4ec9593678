// Made by `python -m pleasance.server.http.typescript`; change the Python types instead.

/** Take a free seat; several seats on one device need a name for each. */
export interface Sit {
  readonly kind: "sit";
  readonly nonce: string;
  /** The first free one, if none is named. */
  readonly seat?: number | null;
  readonly name?: string | null;
}

/** Let a bot sit on a free seat (the owner). */
export interface SeatBot {
  readonly kind: "seat_bot";
  readonly bot: string;
  readonly seat?: number | null;
}

/** Give a seat up before the game begins; the owner may remove a bot. */
export interface Leave {
  readonly kind: "leave";
  readonly seat: number;
}

/** Begin the game (the owner, or anybody seated once all seats are taken). */
export interface Start {
  readonly kind: "start";
}

/** Choose, in notation, at the position that was seen. */
export interface Choose {
  readonly kind: "choose";
  readonly seat: number;
  readonly token: string;
  readonly ply: number;
  readonly undone?: number;
}

/** Take back one's own last choice, while nothing hidden has come out since. */
export interface Undo {
  readonly kind: "undo";
  readonly seat: number;
}

/** Ask all people at the table to go back to before somebody's last choice (unrated games). */
export interface AskBack {
  readonly kind: "ask_back";
  readonly seat: number;
}

/** Agree to going back, or decline. */
export interface AnswerBack {
  readonly kind: "answer_back";
  readonly seat: number;
  readonly agrees: boolean;
}

/** Give the game up. */
export interface Resign {
  readonly kind: "resign";
  readonly seat: number;
}

/** Take one's seat back from the bot that stood in. */
export interface TakeSeatBack {
  readonly kind: "take_seat_back";
  readonly seat: number;
}

/** Say something to the table. */
export interface Say {
  readonly kind: "say";
  readonly text: string;
}

/** Send somebody away, for good if it *is_ban* (the owner). */
export interface Kick {
  readonly kind: "kick";
  readonly player: string;
  readonly is_ban?: boolean;
}

/** Put a table away before the game begins (the owner). */
export interface Close {
  readonly kind: "close";
}

/**
 * Play again, once it is over: the first to ask opens a table like this one, others join it. Bots
 * take their seats again, and the game begins when all have come.
 */
export interface Rematch {
  readonly kind: "rematch";
  readonly nonce: string;
}

/** Follow a table; *since* is the last number seen of it, to go on after a lost connection. */
export interface Watch {
  readonly kind: "watch";
  readonly key: string;
  readonly table: string;
  readonly since?: number | null;
}

/** Follow a table no more. */
export interface Unwatch {
  readonly kind: "unwatch";
  readonly key: string;
  readonly table: string;
}

/** Do something at a table. */
export interface Do {
  readonly kind: "do";
  readonly key: string;
  readonly table: string;
  readonly command: Command;
}

/** Ask whether the server is there. */
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
  /** Seconds after which a silent client is thought to be gone. */
  readonly heartbeat: number;
  /** The server's time, in seconds since 1970. */
  readonly now: number;
}

/** How long a seat may think: *move* seconds for each choice, then from its *bank*. */
export interface Clock {
  readonly move: number;
  readonly bank: number;
}

/** One seat, as everybody sees it. */
export interface Place {
  /** Who sits here; `null` for a bot and for a free seat. */
  readonly player: string | null;
  readonly name: string;
  /** Which bot plays: it was seated here, or stands in. */
  readonly bot: string | null;
  /** Whether the seat was resigned, timed out or left: it is rated last. */
  readonly has_left: boolean;
  readonly has_resigned: boolean;
}

/** What everybody may know of a table besides the position. */
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
  readonly places: readonly Place[];
  /** The seat that asks to go back. */
  readonly asks_back: number | null;
  readonly agreed_back: readonly number[];
  readonly rematch: string | null;
  /** How many tokens were given before anybody chose: the game goes on from another one. */
  readonly opening: number;
}

/** The clock of one seat. */
export interface Face {
  readonly bank: number;
  /** When the seat's time is up, in seconds since 1970; `null` while its clock stands. */
  readonly due: number | null;
}

/** What one seat sees of the position. */
export interface SeatView {
  /** `null` for a spectator. */
  readonly seat: number | null;
  /** The view of the game; its type has the name of the game. */
  readonly position: Position;
  /** What the seat may choose now, in notation. */
  readonly legal: readonly string[];
  /** The seat's own secret choice, while it is one. */
  readonly chosen: string | null;
  readonly can_undo: boolean;
}

/** One line of the log, as one seat may see it. */
export interface Line {
  readonly n: number;
  /** Chosen, drawn and so on: names the message `page.log.<what>` of the server's catalogues. */
  readonly what: string;
  readonly at: number;
  readonly seat?: number | null;
  /** The notation of a choice or draw; `null` where it is secret or there is none. */
  readonly token?: string | null;
  /** All choices of a simultaneous turn, in the order of the seats, once they are revealed. */
  readonly tokens?: readonly string[];
  /** Who spoke, or which bot or player came. */
  readonly name?: string | null;
  readonly player?: string | null;
  readonly text?: string | null;
}

/** All of a table; what was known before counts no more. */
export interface Snapshot {
  readonly kind: "snapshot";
  readonly table: string;
  /** How many lines the log has; a later message has a higher number. */
  readonly seq: number;
  readonly info: TableInfo;
  readonly ply: number;
  readonly undone: number;
  readonly waiting: readonly number[];
  /** The seats whose secret choice lies on the table. */
  readonly chose: readonly number[];
  /** One for each seat, where there is a clock. */
  readonly clocks: readonly Face[];
  readonly scores: readonly number[];
  /** One for each seat held by this player, or a spectator's; none before the game begins. */
  readonly views: readonly SeatView[];
  /** The facts of the box that never change during the game. */
  readonly box: Box;
  /** For each seat, whether its player is connected. */
  readonly here: readonly boolean[];
  /** How many spectators there are. */
  readonly watching: number;
  /** The lines after the last number seen, or the newest ones. */
  readonly lines: readonly Line[];
}

/** What has happened at a table, and how it looks now. */
export interface Update {
  readonly kind: "update";
  readonly table: string;
  readonly seq: number;
  /** Only when it has changed. */
  readonly info: TableInfo | null;
  readonly ply: number;
  readonly undone: number;
  readonly waiting: readonly number[];
  /** The seats whose secret choice lies on the table. */
  readonly chose: readonly number[];
  /** One for each seat, where there is a clock. */
  readonly clocks: readonly Face[];
  readonly scores: readonly number[];
  /** Those of this player that look another now; of the rest nothing has changed. */
  readonly views: readonly SeatView[];
  readonly lines: readonly Line[];
}

/** Who is connected has changed; needs no number, since it is not in the log. */
export interface Present {
  readonly kind: "present";
  readonly table: string;
  /** For each seat. */
  readonly here: readonly boolean[];
  /** How many spectators. */
  readonly watching: number;
}

/** A request was carried out and is on disk. */
export interface Accepted {
  readonly kind: "accepted";
  readonly key: string;
  readonly seq: number;
  /** The new table, after a rematch. */
  readonly table: string | null;
}

/** A request was not carried out: a code of the catalogues with its parameters, and words. */
export interface Refused {
  readonly kind: "refused";
  readonly key: string | null;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly message: string;
  /** How many lines the log of the table had; who follows it was told all of them before. */
  readonly seq: number;
}

/** The matchmaking queue has news for this player. */
export interface Offered {
  readonly kind: "offered";
  /** Where to play; `null` if there is no table yet: a bot is offered, or a nonce is wanted. */
  readonly table: string | null;
  /** Whether nobody came and a bot is offered instead. */
  readonly has_bot: boolean;
}

/** The server is there. */
export interface Pong {
  readonly kind: "pong";
  readonly key: string;
  readonly now: number;
}

/** The server ends the connection; come back in a moment. */
export interface Closing {
  readonly kind: "closing";
  /** `stopping`: the server stops. `identity`: who you are has changed, or what opened this. */
  readonly reason: "identity" | "stopping";
}

/** What one seat sees of a game that is only drawn in text. */
export interface PlainView {
  readonly text: string;
}

/** What a client needs to know of a game that is only drawn in text. */
export interface PlainBox {
  readonly seats: number;
  /** How wide the text may be. */
  readonly columns: number;
}

/** Where a painter's tokens come from; they add up to what it has. */
export interface SakuraLedger {
  readonly start: number;
  /** Never above 0. */
  readonly disgraces: number;
  /** What it was paid at each sakura. */
  readonly sakura: readonly number[];
}

/** A card on the table. */
export interface SakuraPlayed {
  readonly painter: number;
  readonly card: number;
  /** How many of its two actions have been carried out. */
  readonly done: number;
}

/** Where the own painter would come to stand by a choice, if nobody else moved. */
export interface SakuraLanding {
  /** The choice: the own card, or a direction; one that leaves a way open is here repeatedly. */
  readonly token: string;
  readonly space: number;
  /** Where the Emperor would stand then. */
  readonly emperor: number;
  readonly is_disgraced: boolean;
}

/** What one seat sees; lists by painter are in seat order, the court painter last. */
export interface SakuraView {
  /** Who looks; `null` is a spectator. */
  readonly seat: number | null;
  readonly phase: "choose" | "court" | "direction" | "draw" | "over";
  /** Who chooses a direction or draws; `null` where all choose, or nobody. */
  readonly actor: number | null;
  /** Who must choose a card for the court painter too. */
  readonly giver: number | null;
  /** From 1; 0 during set-up. */
  readonly round: number;
  /** The space where the Emperor stands. */
  readonly emperor: number;
  /** The space where each painter stands. */
  readonly painters: readonly number[];
  /** What each painter has. */
  readonly tokens: readonly number[];
  /** Why each painter has it. */
  readonly ledgers: readonly SakuraLedger[];
  /** How many sakura have been scored. */
  readonly scored: number;
  /** The looking seat's own cards. */
  readonly hand: readonly number[];
  readonly hand_sizes: readonly number[];
  /** For each seat, how many cards of its hand come from each deck. */
  readonly origins: readonly (readonly number[])[];
  /** How many cards can be drawn before the deck is rebuilt. */
  readonly deck_size: number;
  readonly discards: readonly number[];
  /** What was in each deck when it was made: the first one, and those rebuilt from discards. */
  readonly decks: readonly (readonly number[])[];
  /** The cards on the table, in the order in which they are carried out. */
  readonly played: readonly SakuraPlayed[];
  /** Who must still draw a card, in order. */
  readonly draws: readonly number[];
  /** Where the own painter would land by each choice that is due. */
  readonly landings: readonly SakuraLanding[];
}

/** The path from the gate, which is space 0, to the last sakura. */
export interface SakuraPath {
  /** Every space of the four bridges. */
  readonly bridges: readonly number[];
  /** Where the Emperor starts. */
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

/** What is printed on a card, in the order in which it is carried out. */
export interface SakuraCard {
  readonly card: number;
  readonly garden: SakuraAction;
  readonly painter: SakuraAction;
}

/** How one painter looks. */
export interface SakuraPainter {
  readonly letter: string;
  readonly shape: string;
  readonly color: string;
  /** The name of the color in each language. */
  readonly names: Readonly<Record<string, string>>;
}

/** What never changes during a game. */
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
  /** Which of its two actions: 0 in the garden, 1 of the painter. */
  readonly action: number | null;
  /** Whom it is about; `null` where that is the Emperor, or nobody. */
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

/** One reason why a score is what it is: the message `cause.<code>` with its parameters. */
export interface SanssouciCause {
  readonly code: string;
  readonly points: number;
  readonly params: Readonly<Record<string, string | number>>;
}

/** What one seat sees; lists by seat are in seat order. */
export interface SanssouciView {
  /** Who looks; `null` is a spectator. */
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
  /** Whose turn it is; while all choose their sides, nobody's in particular. */
  readonly actor: number;
  /** Who plays first. */
  readonly first: number;
  /** Up to `rounds` of the box; 0 during set-up. */
  readonly round: number;
  /** How many turns are complete. */
  readonly turns: number;
  readonly market: readonly SanssouciSpace[];
  /** Tiles yet to come, by motif. */
  readonly bag: readonly number[];
  readonly gardens: readonly SanssouciGarden[];
  /** The cell where the tile in hand belongs, while it is being laid as a gardener. */
  readonly tile: string | null;
  /** The space that was emptied last, or is filled next during set-up. */
  readonly emptied: string;
  /** The looking seat's own cards. */
  readonly hand: readonly string[];
  readonly hand_sizes: readonly number[];
  /** What each seat has in hand or deck. */
  readonly unplayed: readonly (readonly string[])[];
  /** The looking seat's own missions, as motifs; everybody's once the game is over. */
  readonly missions: readonly (readonly string[])[];
  readonly mission_counts: readonly number[];
  readonly scores: readonly number[];
  /** Why each score is what it is; the points add up to it. */
  readonly causes: readonly (readonly SanssouciCause[])[];
}

/** One side of a garden board. */
export interface SanssouciBoard {
  readonly board: string;
  /** Its preprinted cells. */
  readonly printed: readonly string[];
}

/** What a cell of a rewards board pays for a tile laid motif up, and as a gardener. */
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
  /** What the color of each row is called. */
  readonly rows: readonly (Readonly<Record<string, string>>)[];
  /** The color of each row, as `#c0ffee`. */
  readonly colors: readonly string[];
}

/** What never changes during a game. */
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
  /** How many there are of each motif. */
  readonly tiles: number;
  readonly gardens: readonly SanssouciBoard[];
  /** The cells under a rewards board. */
  readonly rewards_cells: readonly string[];
  readonly rewards: readonly SanssouciRewards[];
  readonly boar_disturbed: number;
  readonly boar_removed: number;
  readonly editions: readonly SanssouciEdition[];
}

/** What somebody can want of a table, over the socket or by HTTP. */
export type Command =
  | Sit
  | SeatBot
  | Leave
  | Start
  | Choose
  | Undo
  | AskBack
  | AnswerBack
  | Resign
  | TakeSeatBack
  | Say
  | Kick
  | Close
  | Rematch;

export type Request =
  | Watch
  | Unwatch
  | Do
  | Ping;

export type Message =
  | Welcome
  | Snapshot
  | Update
  | Present
  | Accepted
  | Refused
  | Offered
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

export type Position = Positions[keyof Positions] | PlainView;

export type Box = Boxes[keyof Boxes] | PlainBox;
