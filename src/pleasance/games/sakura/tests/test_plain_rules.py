"""The rules agree with a plain retelling of them, written step by step on lists (K-6 to K-22).

The retelling moves the pieces the way one would by hand; it shares nothing with the rules but the
texts of the house deck.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings

from pleasance.core.bits import mask_of
from pleasance.core.data import load_builtin_components
from pleasance.core.game import Choose, Draw
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice, Dealt, Direction, Play, PlayBoth
from pleasance.games.sakura.rules.components import CARDS, Space
from pleasance.games.sakura.rules.state import ALL_CARDS, State
from pleasance.games.sakura.tests.positions import (
    PACKAGE,
    Configuration,
    configurations,
    house,
    ledger,
    seeds,
    tokens,
)

HOUSE = tomllib.loads(load_builtin_components(PACKAGE))


class Board:
    """A path with pieces on it."""

    def __init__(self, emperor: int, painters: list[int], tokens: list[int], scored: int) -> None:
        self.emperor, self.painters, self.tokens, self.scored = emperor, painters, tokens, scored
        self.group = "2-4" if len(painters) < 5 else "5-6"
        self.sakura = HOUSE["path"][self.group]["sakura"]

    def step_painter(self, who: int, steps: int) -> None:
        """Lift a painter from space to space, forward or back."""
        direction = 1 if steps > 0 else -1
        place = self.painters[who]
        left = abs(steps)
        while left > 0:
            place += direction
            if place < 1:
                place = 0
                break
            if place == self.emperor:
                self.disgrace(who)
                return
            if place not in self.painters:
                left -= 1
        self.painters[who] = place

    def disgrace(self, who: int) -> None:
        """Send a painter back from the Emperor."""
        self.tokens[who] = max(0, self.tokens[who] - 1)
        self.painters[who] = -1
        place, left = self.emperor, 3
        while left > 0 and place > 0:
            place -= 1
            left -= place not in self.painters
        self.painters[who] = place

    def garden(self, text: str, way: int) -> bool:
        """Carry out a garden action; return whether the Emperor stopped for a scoring."""
        who, steps = text[0], int(text[1:].replace("±", "")) * way
        standing = sorted(place for place in self.painters)
        if who == "C" and standing[-1] > 0:
            self.step_painter(self.painters.index(standing[-1]), steps)
        if who == "F" and standing[0] != standing[1]:
            self.step_painter(self.painters.index(standing[0]), steps)
        if who == "E":
            for _ in range(abs(steps)):
                self.emperor = max(1, self.emperor + (1 if steps > 0 else -1))
                if self.emperor in self.painters:
                    self.disgrace(self.painters.index(self.emperor))
                if self.emperor in self.sakura[self.scored :]:
                    return True
        return False

    def paint(self, who: int, text: str, way: int) -> None:
        """Carry out a painter action."""
        ahead = sorted(place for place in self.painters if place > self.painters[who])
        if text == "LEAP" and ahead:
            place = ahead[0]
            while place in self.painters:
                place += 1
            if place == self.emperor:
                self.disgrace(who)
            else:
                self.painters[who] = place
        elif text == "COUNT":
            self.step_painter(who, len(ahead))
        elif text != "LEAP":
            self.step_painter(who, int(text.replace("±", "")) * way)

    def score(self) -> None:
        """Pay by rank, and close ranks before the last sakura."""
        pay = list(HOUSE["scoring"][self.group])
        if self.scored == 2:
            pay[0] = HOUSE["scoring"]["last"]
        self.scored += 1
        in_gate = self.painters.count(0)
        line = sorted(range(len(self.painters)), key=lambda who: -self.painters[who])
        ranked = [who for who in line if self.painters[who] > 0 or in_gate == 1]
        for who, paid in zip(ranked, pay, strict=False):
            self.tokens[who] += paid
        if self.scored < 3 and ranked:
            first = self.painters[ranked[0]]
            for rank, who in enumerate(ranked):
                self.painters[who] = max(0, first - rank)

    def play(self, cards: list[int], ways: Iterator[int], players: int) -> None:
        """Resolve a round; *ways* answers each ± of a player."""
        for card in sorted(cards):
            who = cards.index(card)
            garden, painter = HOUSE["deck"][str(card)].split("/")
            stopped = self.garden(garden, next(ways) if "±" in garden and who < players else 1)
            self.paint(who, painter, next(ways) if "±" in painter and who < players else 1)
            if stopped:
                self.score()
                return


class Notes:
    """The choices of a round, as they fell."""

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.court: list[int] = []
        self.ways: list[int] = []

    def add(self, choice: Choice) -> None:
        """Note down a choice."""
        match choice:
            case Play(card):
                self.cards.append(card)
            case PlayBoth(own, court):
                self.cards.append(own)
                self.court.append(court)
            case Direction(heading):
                self.ways.append(heading)


def sides(state: State) -> tuple[int, list[int], list[int], int]:
    return state.emperor, list(state.painters), tokens(state), state.scored


def step(state: State, rng: Random, notes: Notes) -> State:
    """Take a random step and note it down."""
    now = rules.turn(state)
    if isinstance(now, Choose):
        choices = [rng.choice(rules.legal(state, seat)) for seat in now.seats]
        for choice in choices:
            notes.add(choice)
        return rules.play(state, choices)
    outcome: Dealt = rng.choice(rules.chances(state))[0]
    if isinstance(now, Draw) and now.to is None:
        notes.court.append(outcome.card)
    return rules.reveal(state, outcome)


@given(configurations, seeds)
def test_whole_games_go_the_same_way(configuration: Configuration, seed: int) -> None:
    seats, options = configuration
    rng, notes = Random(seed), Notes()
    state = rules.start(house(*options), seats)
    board = Board(*sides(state))
    while state.scored < rules.LAST_SAKURA:
        state = step(state, rng, notes)
        if notes.cards and not state.played:
            board.play(notes.cards + notes.court, iter(notes.ways), seats)
            assert sides(state) == (board.emperor, board.painters, board.tokens, board.scored)
            notes = Notes()


@given(seeds)
@settings(max_examples=300)
def test_rounds_from_made_up_positions_go_the_same_way(seed: int) -> None:
    """Put the pieces anywhere, close together or far apart, with few tokens."""
    rng = Random(seed)
    seats, scored = rng.randint(3, 6), rng.randint(0, 2)
    start = rules.start(house(), seats)
    emperor = rng.randint(1, start.box.paths[seats].sakura[scored] - 1)
    near = range(max(1, emperor - rng.choice((6, 9, 40))), emperor)
    places = rng.sample([*near, *[0] * seats], seats)
    cards = rng.sample(CARDS, seats)
    state = start._replace(
        emperor=Space(emperor),
        painters=tuple(map(Space, places)),
        ledgers=tuple(ledger(rng.randint(0, 2)) for _ in range(seats)),
        scored=scored,
        hands=tuple(map(mask_of, zip(cards, strict=True))),
        deck=ALL_CARDS & ~mask_of(cards),
        draws=(),
    )
    board, notes = Board(*sides(state)), Notes()
    state = step(state, rng, notes)
    while state.played:
        state = step(state, rng, notes)
    board.play(notes.cards, iter(notes.ways), seats)
    assert sides(state) == (board.emperor, board.painters, board.tokens, board.scored)
