"""Narration of a log: its entries in words, as one seat may read them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, assert_never

from msgspec import Struct

from pleasance.core.game import Seat
from pleasance.core.steps import Drew, count_tokens
from pleasance.i18n.catalog import MessageCatalog, describe_event
from pleasance.server.page.player_names import name_bot, name_people
from pleasance.table import entries as log
from pleasance.table.entries import Entry, GameEntry
from pleasance.table.history import Visibility
from pleasance.table.room import Room


class Sentence(Struct, frozen=True, omit_defaults=True):
    """One sentence of the narration."""

    seq: int
    """The seq of its entry."""

    at: float
    kind: str
    """`move`, `setup`, `event` or `say`."""

    text: str
    name: str | None = None
    """The name of the speaker."""

    player: str | None = None
    more: tuple[str, ...] = ()
    """The sentences that this one summarizes."""


@dataclass(slots=True)
class _StepOrigin:
    """The seq of the entry that completed a step, its tokens, and the seat that chose alone."""

    seq: int
    tokens: int = 1
    alone: Seat | None = None


@dataclass(slots=True)
class _StepOrigins:
    """A fold over the log: the origins of all steps that were not taken back."""

    ply: int
    """How many tokens the record has; at first those of the opening."""

    origins: list[_StepOrigin] = field(default_factory=list)
    pending: set[Seat] = field(default_factory=set)

    def apply(self, seq: int, entry: GameEntry, visibility: Visibility) -> None:
        """Apply one entry."""
        match entry:
            case log.DrawEntry():
                self._add(_StepOrigin(seq))
            case log.ChooseEntry(seat) if visibility.only is None:
                self._add(_StepOrigin(seq, alone=seat))
            case log.ChooseEntry(seat) if visibility.revealed:
                self._add(_StepOrigin(seq, len(self.pending | {seat})))
                self.pending.clear()
            case log.ChooseEntry(seat):
                self.pending.add(seat)
            case log.UndoEntry(seat) if seat in self.pending:
                self.pending.discard(seat)
            case log.UndoEntry(seat):
                self._remove_choice_of(seat)
            case log.TakebackEntry(ply):
                self._remove_down_to(ply)
            case _:
                assert_never(entry)

    def _add(self, origin: _StepOrigin) -> None:
        """Add a step."""
        self.origins.append(origin)
        self.ply += origin.tokens

    def _remove_choice_of(self, seat: Seat) -> None:
        """Remove the last choice of a seat and all that followed."""
        while self._remove().alone != seat:
            pass

    def _remove_down_to(self, ply: int) -> None:
        """Remove all steps after the first *ply* tokens, bots' choices among them."""
        while self.ply > ply:
            self._remove()

    def _remove(self) -> _StepOrigin:
        """Remove the last step, and the choices that wait for others."""
        self.pending.clear()
        origin = self.origins.pop()
        self.ply -= origin.tokens
        return origin


def step_seqs(room: Room) -> list[int]:
    """Find for each step of the record the seq of the entry that completed it.

    Steps of an opening have seq 0.
    """
    opening = () if room.table is None else room.table.past_steps()[: room.table.given]
    fold = _StepOrigins(count_tokens(opening))
    for seq, (entry, visibility) in enumerate(room.log, start=1):
        if isinstance(entry, GameEntry):
            fold.apply(seq, entry, visibility)
    return [0] * len(opening) + [origin.seq for origin in fold.origins]


def narrate_log(
    room: Room,
    seat: Seat | None,
    after: int,
    words: tuple[MessageCatalog, MessageCatalog],
    *,
    muted: Collection[str] = (),
) -> Iterator[Sentence]:
    """Narrate the entries after seq *after*, with the catalogs of the server and of the game.

    Choices that were taken back are left out; the takeback itself is narrated.
    """
    own, of_game = words
    of_game = of_game.among(name_people(room.places, own))
    moves = dict(_narrate_moves(room, seat, after, of_game))
    setup = tuple(_find_setup(room))
    for seq, (entry, _) in enumerate(room.log[after:], start=after + 1):
        if setup and seq == setup[0]:
            more = tuple(text for line in setup for text in moves[line])
            yield Sentence(seq, entry.at, "setup", of_game("event.setup"), more=more)
            continue
        match entry:
            case log.ChooseEntry() | log.DrawEntry():
                texts = () if seq in setup else moves.get(seq, ())
                yield from (Sentence(seq, entry.at, "move", text) for text in texts)
            case log.SayEntry(player, name, text):
                if player not in muted:
                    yield Sentence(seq, entry.at, "say", text, name, player)
            case _:
                yield Sentence(seq, entry.at, "event", describe_entry(room, seq, entry, own))


def _find_setup(room: Room) -> Iterator[int]:
    """Find the seqs of the draws before the first turn; the first one summarizes them all."""
    table = room.table
    if table is None:
        return
    for line, step in zip(step_seqs(room), table.past_steps(), strict=True):
        if room.game.number(step.before) > 0:
            return
        if line > 0 and isinstance(step, Drew):
            yield line


def _narrate_moves(
    room: Room, seat: Seat | None, after: int, words: MessageCatalog
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Narrate the steps completed after a seq, each as the seat saw it."""
    table = room.table
    if table is None:
        return
    lines = step_seqs(room)
    assert len(lines) == table.steps, f"{len(lines)} steps stand, not {table.steps}"
    first = bisect_right(lines, after)
    for line, (before, seen, then) in zip(
        lines[first:], table.transitions(seat, first), strict=True
    ):
        if room.game.narrate is not None:
            told = room.game.narrate(before, seen, then, words)
        else:
            told = tuple(describe_event(room.game, event, words) for event in seen)
        yield line, tuple(text[:1].upper() + text[1:] for text in told)


def _describe_sitter(room: Room, entry: log.SitEntry, words: MessageCatalog) -> dict[str, str]:
    """Name the new holder of a seat; a bot that still sits there has its unique name."""
    if entry.bot is None:
        return {"name": entry.name, "who": "person"}
    place = room.places[entry.seat]
    if place.player is None and place.bot == entry.bot:
        return {"name": name_people(room.places, words)[entry.seat], "who": "bot"}
    return {"name": name_bot(entry.name, words), "who": "bot"}


def _name_answer(room: Room, seq: int, answer: log.TakebackAnswerEntry) -> str:
    """Name an answer to a takeback; whoever asked for it withdraws."""
    if answer.agrees:
        return "yes"
    earlier = (entry for entry, _ in reversed(room.log[: seq - 1]))
    asked = next(entry for entry in earlier if isinstance(entry, log.TakebackRequestEntry))
    return "withdrawn" if asked.seat == answer.seat else "no"


def describe_entry(  # noqa: C901  (a closed match)
    room: Room, seq: int, entry: Entry, words: MessageCatalog
) -> str:
    """Describe an entry that is no move."""
    seat = getattr(entry, "seat", None)
    params: dict[str, Any] = {}
    if seat is not None:
        params = {"seat": seat + 1, "name": room.places[seat].name}
    match entry:
        case log.SitEntry():
            params |= _describe_sitter(room, entry, words)
        case log.TakebackAnswerEntry():
            params["answer"] = _name_answer(room, seq, entry)
        case log.TakeOverEntry() | log.CloseEntry():
            params["why"] = entry.why
        case log.ChooseEntry() | log.DrawEntry() | log.SayEntry():
            raise AssertionError(f"{entry} is narrated otherwise")
        case log.UndoEntry() | log.TakebackEntry() | log.TakebackRequestEntry() | log.KickEntry():
            pass
        case log.LeaveEntry() | log.StartEntry() | log.ResignEntry() | log.SeatReturnedEntry():
            pass
        case log.ClockResetEntry() | log.RematchEntry():
            pass
        case _:
            assert_never(entry)
    return words(f"page.log.{entry.kind}", **params)
