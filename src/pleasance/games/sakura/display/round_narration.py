"""Narrates a round in words by carrying out its cards once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias

from pleasance.core.catalog import Messages
from pleasance.games.sakura.display.wording import name_person, who_is
from pleasance.games.sakura.rules.actions import Heading
from pleasance.games.sakura.rules.components import Card, CardAction, Move, Space
from pleasance.games.sakura.rules.moves import CardResolver
from pleasance.games.sakura.rules.path import (
    Places,
    find_closest,
    find_furthest,
    line_up,
    list_ahead,
)
from pleasance.games.sakura.rules.scoring import close_ranks, enter_pay, rank_pay
from pleasance.games.sakura.rules.state import Ledger
from pleasance.games.sakura.rules.view import View, state_from_view

MomentKind: TypeAlias = Literal[
    "emperor", "caught", "walk", "leap", "bump", "stay", "unresolved", "score", "ranks"
]
"""The events of a round: the Emperor goes, and perhaps comes upon a painter; a painter goes,
leaps, or bumps into him; no piece moves; and what follows at a sakura."""

_WIDTH = 100
_INDENT = "  "


class Moment(NamedTuple):
    """One event of a round, and the positions after it."""

    kind: MomentKind
    text: str
    """Its words: a part of a sentence or, if no card caused it, a whole one."""

    done: int
    """The number of the action that caused it; beyond the cards on the table if none did."""

    card: Card | None
    """The card that caused it; `None` if no card did."""

    painter: int | None
    """Its painter; `None` where it is about the Emperor, or no piece."""

    emperor: Space
    painters: Places
    ledgers: tuple[Ledger, ...]
    scored: int


class RoundNarrator(CardResolver):
    """Carries out the cards of a round once more and lists what they do."""

    __slots__ = ("before_disgrace", "card", "disgraced", "done", "played", "view", "words")

    def __init__(self, view: View, played: tuple[Card, ...], words: Messages) -> None:
        super().__init__(state_from_view(view, (0,) * len(view.origins), 0))
        self.view = view
        self.played = played
        self.words = words
        self.done = view.done if view.played == played else 0
        self.card: Card | None = None
        self.disgraced: list[tuple[int, bool]] = []
        """The painters disgraced in the last action, and whether it cost each a token."""
        self.before_disgrace = self.standings()
        """The positions when the last disgrace began."""

    def disgrace(self, painter: int) -> None:
        """Note the disgrace, besides carrying it out (K-9)."""
        had = sum(self.ledgers[painter])
        self.before_disgrace = self.standings()
        super().disgrace(painter)
        self.disgraced.append((painter, sum(self.ledgers[painter]) < had))

    def narrate(self, heading: Heading | None) -> Iterator[str]:
        """Narrate what the cards do until a direction is needed or the round ends (K-6, K-7)."""
        for card, moments in groupby(self.list_moments(heading), key=attrgetter("card")):
            parts = [moment.text for moment in moments]
            if card is None:
                yield from parts
            else:
                who = self._who(self.played.index(card))
                yield from in_lines(self.words("story.card", **who, card=card), parts)

    def list_moments(self, heading: Heading | None) -> Iterator[Moment]:
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
                yield from self._moments_of_action(owner, way, is_sent=is_free)
                self.done += 1
            if self.emperor == self.sakura:
                yield from self._moments_of_scoring(cards[place + 1 :])
                return

    def _moment(self, kind: MomentKind, painter: int | None, text: str) -> Moment:
        """Make a moment with the present positions."""
        return Moment(
            kind, text, self.done, self.card, painter, *self.standings(), self.view.scored
        )

    def _moments_of_action(
        self, owner: int, action: CardAction, *, is_sent: bool
    ) -> Iterator[Moment]:
        """Carry out one action and describe what it did."""
        self.disgraced = []
        if action.move is Move.EMPEROR:
            yield from self._moments_of_emperor(owner, action, is_sent=is_sent)
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
            yield self._moment("bump", painter, self._describe_bump(action.move))
        elif action.move is Move.LEAP and ahead:
            yield self._moment("leap", painter, self._describe_leap(painter, next_ahead, start))
        else:
            kind: MomentKind = "stay" if start == self.painters[painter] else "walk"
            yield self._moment(kind, painter, self._describe_walk(painter, action, start))

    def _moments_of_emperor(
        self, owner: int, action: CardAction, *, is_sent: bool
    ) -> Iterator[Moment]:
        """Move the Emperor and describe his way and the painters he met."""
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
            _, painters, ledgers = self.before_disgrace
            came = came._replace(painters=painters, ledgers=ledgers)
        yield came
        for painter, is_paid in self.disgraced:
            lost, end = ("one" if is_paid else "none"), self.painters[painter]
            text = self.words("story.caught", **self._who(painter), lost=lost, end=end)
            yield self._moment("caught", painter, text)

    def _find_mover(self, owner: int, move: Move) -> int | None:
        """Find the painter that an action moves, if any."""
        if move is Move.CLOSEST:
            return find_closest(self.painters)
        return find_furthest(self.painters) if move is Move.FURTHEST else owner

    def _describe_bump(self, move: Move) -> str:
        """Describe how a painter came to the Emperor's space, and where it is now (K-9)."""
        ((painter, is_paid),) = self.disgraced
        return self.words(
            "story.bump",
            **self._who(painter),
            role=move.name.lower(),
            lost="one" if is_paid else "none",
            end=self.painters[painter],
        )

    def _describe_leap(self, painter: int, other: int, start: Space) -> str:
        """Describe a leap in front of another painter (K-17)."""
        return self.words(
            "story.leap",
            **self._who(painter),
            whom=who_is(self.view, other),
            other=name_person(self.view, other, self.words),
            start=self._place(start),
            end=self._place(self.painters[painter]),
        )

    def _describe_walk(self, painter: int, action: CardAction, start: Space) -> str:
        """Describe where a painter went, or that it stayed."""
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

    def _moments_of_scoring(self, unresolved: list[Card]) -> Iterator[Moment]:
        """List what follows when the Emperor has stopped under a sakura (K-18 to K-20)."""
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
        paid_out = ", ".join(gains) or words("story.no_gain")
        text = words("story.scored", sakura=view.scored + 1, gains=paid_out)
        scored = self._moment("score", None, text)._replace(scored=view.scored + 1)
        yield scored
        if scored.scored < len(view.box.paths[len(places)].sakura):
            self.painters = [*close_ranks(places)]
            for text in self._describe_ranks(places, tuple(self.painters)):
                yield self._moment("ranks", None, text)._replace(scored=scored.scored)

    def _describe_ranks(self, before: Places, after: Places) -> Iterator[str]:
        """Describe the moves when the painters close ranks (K-20)."""
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
        """Name a painter for a message, and whether it is the viewer's."""
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
