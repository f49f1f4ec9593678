"""Carries out the cards of a round once more, to tell in words what they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pleasance.games.sakura.display.wording import name_person, who_is
from pleasance.games.sakura.rules.actions import Heading
from pleasance.games.sakura.rules.components import Card, CardAction, Move, Space
from pleasance.games.sakura.rules.moves import Procession
from pleasance.games.sakura.rules.path import (
    Places,
    find_closest,
    find_furthest,
    line_up,
    list_ahead,
)
from pleasance.games.sakura.rules.scoring import close_ranks, enter_pay, rank_pay
from pleasance.games.sakura.rules.state import Ledger, State
from pleasance.games.sakura.rules.view import View

if TYPE_CHECKING:
    from pleasance.i18n.catalog import Words

Happening: TypeAlias = Literal[
    "emperor", "caught", "walk", "leap", "bump", "stay", "unresolved", "score", "ranks"
]
"""What can happen in a round: the Emperor goes, and perhaps comes upon a painter; a painter goes,
leaps, or bumps into him; nobody moves; and what follows at a sakura."""

_WIDTH = 100
_INDENT = "  "


class Moment(NamedTuple):
    """One thing that happens in a round, and how everybody stands after it."""

    kind: Happening
    text: str
    """What is told of it, as a part of a sentence or, where no card does it, as a whole one."""

    done: int
    """Which action of the cards on the table does it; beyond them where it follows from none."""

    card: Card | None
    """The card that does it; `None` where it follows from no card."""

    painter: int | None
    """Whom it is about; `None` where that is the Emperor, or nobody."""

    emperor: Space
    painters: Places
    ledgers: tuple[Ledger, ...]
    scored: int


class Witness(Procession):
    """Carries out the cards of a round once more and tells what they do."""

    __slots__ = ("card", "disgraced", "done", "played", "surprised", "view", "words")

    def __init__(self, view: View, played: tuple[Card, ...], words: Words) -> None:
        super().__init__(make_state(view))
        self.view = view
        self.played = played
        self.words = words
        self.done = view.done if view.played == played else 0
        self.card: Card | None = None
        self.disgraced: list[tuple[int, bool]] = []
        """Who bumped into the Emperor in the last action, and whether it cost a token."""
        self.surprised = self.settle()
        """How all stood when the last disgrace began."""

    def disgrace(self, painter: int) -> None:
        """Note the disgrace, besides carrying it out (K-9)."""
        had = sum(self.ledgers[painter])
        self.surprised = self.settle()
        super().disgrace(painter)
        self.disgraced.append((painter, sum(self.ledgers[painter]) < had))

    def tell(self, heading: Heading | None) -> Iterator[str]:
        """Tell what the cards do until a direction is needed or the round ends (K-6, K-7)."""
        for card, moments in groupby(self.watch(heading), key=attrgetter("card")):
            parts = [moment.text for moment in moments]
            if card is None:
                yield from parts
            else:
                who = self._who(self.played.index(card))
                yield from in_lines(self.words("story.card", **who, card=card), parts)

    def watch(self, heading: Heading | None) -> Iterator[Moment]:
        """Carry out the cards, moment by moment, until a direction is needed or the round ends."""
        cards = sorted(self.played)
        for place in range(self.done // 2, len(cards)):
            self.card = cards[place]
            owner = self.played.index(self.card)
            for action in self.view.box.faces[self.card][self.done % 2 :]:
                is_free = action.is_free and owner < len(self.view.origins)
                if is_free and heading is None:
                    return
                way = action.toward(heading) if is_free and heading is not None else action
                heading = None if is_free else heading
                yield from self._watch_action(owner, way, is_sent=is_free)
                self.done += 1
            if self.emperor == self.sakura:
                yield from self._watch_scoring(cards[place + 1 :])
                return

    def _moment(self, kind: Happening, painter: int | None, text: str) -> Moment:
        """Tell of a moment, and how all stand now."""
        return Moment(kind, text, self.done, self.card, painter, *self.settle(), self.view.scored)

    def _watch_action(self, owner: int, action: CardAction, *, is_sent: bool) -> Iterator[Moment]:
        """Carry out one action and tell what it did."""
        self.disgraced = []
        if action.move is Move.EMPEROR:
            yield from self._watch_emperor(owner, action, is_sent=is_sent)
            return
        painter = self._find_mover(owner, action.move)
        if painter is None:
            yield self._moment("stay", None, self.words(f"story.no_{action.move.name.lower()}"))
            return
        start = self.painters[painter]
        ahead = list_ahead(self.painters, start)
        next_ahead = self.painters.index(min(ahead)) if ahead else painter
        if action.move is Move.COUNT:
            action = CardAction(Move.COUNT, len(ahead))
        self.carry_out(owner, action)
        if self.disgraced:
            yield self._moment("bump", painter, self._tell_bump(action.move))
        elif action.move is Move.LEAP and ahead:
            yield self._moment("leap", painter, self._tell_leap(painter, next_ahead, start))
        else:
            kind: Happening = "stay" if start == self.painters[painter] else "walk"
            yield self._moment(kind, painter, self._tell_walk(painter, action, start))

    def _watch_emperor(self, owner: int, action: CardAction, *, is_sent: bool) -> Iterator[Moment]:
        """Move the Emperor and tell where he went, and upon whom he came."""
        start = self.emperor
        self.carry_out(owner, action)
        if self.emperor == start:
            yield self._moment("stay", None, self.words("story.emperor_stays", end=start))
            return
        way = Heading(1 if action.steps > 0 else -1).name.lower()
        who = self._who(owner) if is_sent else {"who": "none", "painter": ""}
        text = self.words("story.emperor", **who, way=way, start=start, end=self.emperor)
        came = self._moment("emperor", None, text)
        if self.disgraced:
            _, painters, ledgers = self.surprised
            came = came._replace(painters=painters, ledgers=ledgers)
        yield came
        for painter, is_paid in self.disgraced:
            lost, end = ("one" if is_paid else "none"), self.painters[painter]
            text = self.words("story.caught", **self._who(painter), lost=lost, end=end)
            yield self._moment("caught", painter, text)

    def _find_mover(self, owner: int, move: Move) -> int | None:
        """Find whom an action moves, if anybody."""
        if move is Move.CLOSEST:
            return find_closest(self.painters)
        return find_furthest(self.painters) if move is Move.FURTHEST else owner

    def _tell_bump(self, move: Move) -> str:
        """Tell how a painter came to the Emperor's space, and where it is now (K-9)."""
        ((painter, is_paid),) = self.disgraced
        return self.words(
            "story.bump",
            **self._who(painter),
            role=move.name.lower(),
            lost="one" if is_paid else "none",
            end=self.painters[painter],
        )

    def _tell_leap(self, painter: int, other: int, start: Space) -> str:
        """Tell in front of whom a painter went (K-17)."""
        return self.words(
            "story.leap",
            **self._who(painter),
            whom=who_is(self.view, other),
            other=name_person(self.view, other, self.words),
            start=self._place(start),
            end=self._place(self.painters[painter]),
        )

    def _tell_walk(self, painter: int, action: CardAction, start: Space) -> str:
        """Tell where a painter went, or that it stayed."""
        who, role, end = self._who(painter), action.move.name.lower(), self.painters[painter]
        if start == end:
            return self.words("story.stays", **who, role=role, end=end)
        return self.words(
            "story.walk",
            **who,
            role=role,
            way=Heading(1 if action.steps > 0 else -1).name.lower(),
            steps=abs(action.steps),
            start=self._place(start),
            end=self._place(end),
        )

    def _watch_scoring(self, unresolved: list[Card]) -> Iterator[Moment]:
        """Tell what follows when the Emperor has stopped under a sakura (K-18 to K-20)."""
        view, words, self.card = self.view, self.words, None
        if unresolved:
            cards = ", ".join(map(str, unresolved))
            text = words("story.unresolved", count=len(unresolved), cards=cards)
            yield self._moment("unresolved", None, text)
        places = tuple(self.painters)
        paid = rank_pay(places, view.box.pay[len(places)][view.scored])
        self.ledgers = enter_pay(self.ledgers, paid, view.scored)
        gains = [
            words("story.gain", **self._who(painter), tokens=paid[painter])
            for painter in line_up(places)
            if paid[painter]
        ]
        told = ", ".join(gains) or words("story.no_gain")
        text = words("story.scored", sakura=view.scored + 1, gains=told)
        scored = self._moment("score", None, text)._replace(scored=view.scored + 1)
        yield scored
        if scored.scored < len(view.box.paths[len(places)].sakura):
            self.painters = [*close_ranks(places)]
            for text in self._tell_ranks(places, tuple(self.painters)):
                yield self._moment("ranks", None, text)._replace(scored=scored.scored)

    def _tell_ranks(self, before: Places, after: Places) -> Iterator[str]:
        """Tell who goes where when the painters close ranks (K-20)."""
        moves = [
            self.words(
                "story.move",
                **self._who(painter),
                start=self._place(before[painter]),
                end=self._place(after[painter]),
            )
            for painter in line_up(before)
            if before[painter] != after[painter]
        ]
        if moves:
            yield self.words("story.ranks", moves=", ".join(moves))

    def _who(self, painter: int) -> dict[str, str]:
        """Name a painter for a message, and tell it whether this is the one who looks."""
        return {
            "who": who_is(self.view, painter),
            "painter": name_person(self.view, painter, self.words),
        }

    def _place(self, space: Space) -> str:
        """Name a place shortly."""
        return self.words("story.place", space=space)


def in_lines(head: str, parts: Sequence[str]) -> list[str]:
    """Write *parts* after *head*, in one line, or in several where that would be too long.

    >>> in_lines("Card 2", ["the Emperor goes forward", "blue goes back"])
    ['Card 2: the Emperor goes forward; blue goes back.']
    """
    line = f"{head}: {'; '.join(parts)}."
    if len(line) <= _WIDTH:
        return [line]
    lines = [f"{_INDENT}{part};" for part in parts]
    lines[-1] = f"{lines[-1][:-1]}."
    first = f"{head}: {lines[0].lstrip()}"
    return [first, *lines[1:]] if len(first) <= _WIDTH else [f"{head}:", *lines]


def make_state(view: View) -> State:
    """Make a state of what everybody sees; nobody holds a card in it."""
    return State(
        box=view.box,
        number=view.number,
        emperor=view.emperor,
        painters=view.painters,
        ledgers=view.ledgers,
        scored=view.scored,
        hands=(0,) * len(view.origins),
        deck=0,
        discards=view.discards,
        decks=view.decks,
        played=view.played,
        done=view.done,
        draws=view.draws,
    )
