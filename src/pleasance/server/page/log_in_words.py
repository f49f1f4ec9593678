"""The log of a table in words, as one seat may read it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec import Struct

from pleasance.core.game import AnyGame, Seat, Seen
from pleasance.core.steps import Drew
from pleasance.i18n.catalog import Words
from pleasance.server.page.player_names import name_bot, name_people
from pleasance.table.entries import (
    AnswerEntry,
    BackEntry,
    ChooseEntry,
    CloseEntry,
    DrawEntry,
    Entry,
    SayEntry,
    SitEntry,
    TakeOverEntry,
    UndoEntry,
    name_entry,
)
from pleasance.table.room import Happening, Room

Say: TypeAlias = Callable[[Entry], str]


class Told(Struct, frozen=True, omit_defaults=True):
    """One sentence of the log."""

    n: int
    """The line of the log that it tells of."""

    at: float
    kind: str
    """`move`, `setup`, `event` or `say`."""

    text: str
    name: str | None = None
    """Who spoke."""

    player: str | None = None
    more: tuple[str, ...] = ()
    """What the sentence sums up."""


@dataclass(slots=True)
class _Stand:
    """A step of the game that stands: in which line it was completed, and who chose alone."""

    line: int
    is_draw: bool = False
    alone: Seat | None = None


@dataclass(slots=True)
class _Fold:
    """Follows a log as far as it tells which steps stand and which were taken back."""

    stands: list[_Stand] = field(default_factory=list)
    pending: set[Seat] = field(default_factory=set)

    def take(self, line: int, happening: Happening) -> None:
        """Take in one line."""
        entry, sight = happening
        match entry:
            case DrawEntry():
                self.stands.append(_Stand(line, is_draw=True))
            case ChooseEntry(seat) if sight.only is None:
                self.stands.append(_Stand(line, alone=seat))
            case ChooseEntry(seat) if sight.revealed:
                self.pending.clear()
                self.stands.append(_Stand(line))
            case ChooseEntry(seat):
                self.pending.add(seat)
            case UndoEntry(seat) if seat in self.pending:
                self.pending.discard(seat)
            case UndoEntry(seat):
                self._cut(lambda stand: stand.alone == seat)
            case BackEntry():
                self._cut(lambda stand: not stand.is_draw)
            case _:
                pass

    def _cut(self, is_it: Callable[[_Stand], bool]) -> None:
        """Drop the last step that fits, and all after it."""
        while not is_it(self.stands.pop()):
            pass
        self.pending.clear()


def find_stands(room: Room) -> list[int]:
    """Find for each step of the game that stands the line that completed it.

    Steps that were given with an opening came before all lines.
    """
    fold = _Fold()
    for line, happening in enumerate(room.happenings, start=1):
        fold.take(line, happening)
    given = 0 if room.table is None else room.table.given
    return [0] * given + [stand.line for stand in fold.stands]


def tell_story(
    room: Room,
    seat: Seat | None,
    after: int,
    words: tuple[Words, Words],
    *,
    muted: Collection[str] = (),
) -> Iterator[Told]:
    """Tell the lines after the first *after*; *words* are those of the server and of the game.

    What was taken back is told no more, only that it was.
    """
    own, of_game = words
    of_game = of_game.among(name_people(room.places, own))
    moves = dict(_tell_moves(room, seat, after, of_game))
    setup = tuple(_gather_setup(room))
    for n, (entry, _) in enumerate(room.happenings[after:], start=after + 1):
        if setup and n == setup[0]:
            more = tuple(text for line in setup for text in moves[line])
            yield Told(n, entry.at, "setup", of_game("event.setup"), more=more)
        elif isinstance(entry, ChooseEntry | DrawEntry):
            told = () if n in setup else moves.get(n, ())
            yield from (Told(n, entry.at, "move", text) for text in told)
        elif isinstance(entry, SayEntry):
            if entry.player not in muted:
                yield Told(n, entry.at, "say", entry.text, entry.name, entry.player)
        else:
            yield Told(n, entry.at, "event", tell_entry(room, entry, own))


def _gather_setup(room: Room) -> Iterator[int]:
    """Find the lines that tell of draws before the first turn; the first sums them all up."""
    table = room.table
    if table is None:
        return
    for line, step in zip(find_stands(room), table.past(), strict=True):
        if room.game.number(step.before) > 0:
            return
        if line > 0 and isinstance(step, Drew):
            yield line


def _tell_moves(
    room: Room, seat: Seat | None, after: int, words: Words
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Tell the steps completed after a line, each from what the seat saw of it."""
    table = room.table
    if table is None:
        return
    lines = find_stands(room)
    assert len(lines) == table.steps, f"{len(lines)} steps stand, not {table.steps}"
    first = bisect_right(lines, after)
    for line, (before, seen, then) in zip(lines[first:], table.story(seat, first), strict=True):
        if room.game.recount is not None:
            told = room.game.recount(before, seen, then, words)
        else:
            told = tuple(tell_event(room.game, event, words) for event in seen)
        yield line, tuple(text[:1].upper() + text[1:] for text in told)


def tell_event(game: AnyGame, event: Seen, words: Words) -> str:
    """Put one event into words, where the game tells no story."""
    if event.action is None:
        assert event.seat is not None, event
        return words("event.hidden", seat=event.seat + 1)
    said = game.describe(event.action, words)
    if event.seat is None:
        return words("event.open", what=said)
    return words("event.seat", seat=event.seat + 1, what=said)


def _tell_guest(room: Room, entry: SitEntry, words: Words) -> dict[str, str]:
    """Tell who sits down; a bot that still sits there goes by the name that tells it apart."""
    if entry.bot is None:
        return {"name": entry.name, "who": "person"}
    place = room.places[entry.seat]
    if place.player is None and place.bot == entry.bot:
        return {"name": name_people(room.places, words)[entry.seat], "who": "bot"}
    return {"name": name_bot(entry.name, words), "who": "bot"}


def tell_entry(room: Room, entry: Entry, words: Words) -> str:
    """Put what is not a move into words."""
    seat = getattr(entry, "seat", None)
    params: dict[str, Any] = {}
    if seat is not None:
        params = {"seat": seat + 1, "name": room.places[seat].name}
    match entry:
        case SitEntry():
            params |= _tell_guest(room, entry, words)
        case AnswerEntry():
            params["answer"] = "yes" if entry.agrees else "no"
        case TakeOverEntry() | CloseEntry():
            params["why"] = entry.why
        case _:
            pass
    return words(f"page.log.{name_entry(entry)}", **params)
