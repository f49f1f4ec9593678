"""Pictures of the path for tests: who stands where, and what a round makes of it.

`ab|..c..E` is a gate with the painters a and b, then the spaces of the path from 1: the painter c
on 3 and the Emperor on 6. Painters are lettered in seat order; with two players c is the court
painter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from pleasance.core.bits import bits, mask_of
from pleasance.core.game import Choose, Draw, Seat
from pleasance.core.steps import AnyStep, Chose, Drew
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice, Dealt, Direction, Heading, Play, PlayBoth
from pleasance.games.sakura.rules.components import Box, Card, Space, open_box
from pleasance.games.sakura.rules.path import GATE
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.state import ALL_CARDS, Cards, Ledger, State

PACKAGE = "pleasance.games.sakura"


@cache
def house(*options: str) -> Box:
    """Open the box that comes with the game."""
    return open_box(PACKAGE, options, None)


def ledger(tokens: int) -> Ledger:
    """Make a ledger of tokens that were all there from the start."""
    return (tokens, 0, 0, 0, 0)


def board(
    picture: str,
    *,
    seats: int = 0,
    cards: Sequence[int] = (),
    tokens: Sequence[int] = (),
    scored: int = 0,
    options: tuple[str, ...] = (),
) -> State:
    """Make the position of a *picture* in which all are about to choose.

    Each seat holds its card of *cards* and some others; the deck has the rest. *seats* is needed
    only to distinguish a court painter from a third player.
    """
    gate, _, path = picture.partition("|")
    letters = sorted(letter for letter in gate + path if letter.islower())
    places = [Space(path.find(letter) + 1) for letter in letters]
    seats = seats or len(places)
    start = rules.start(house(*options), seats)
    hands = deal(seats, cards, start.box.hand)
    return start._replace(
        number=1,
        emperor=Space(path.index("E") + 1),
        painters=tuple(places),
        ledgers=tuple(map(ledger, tokens)) or start.ledgers,
        scored=scored,
        hands=hands,
        deck=ALL_CARDS & ~mask_of(card for hand in hands for card in bits(hand)),
        draws=(),
    )


def deal(seats: int, cards: Sequence[int], size: int) -> tuple[Cards, ...]:
    """Give each seat its card of *cards* and fill the hands up with others."""
    others = bits(ALL_CARDS & ~mask_of(cards))
    hands: list[Cards] = []
    for seat in range(seats):
        own = list(cards[seat : seat + 1])
        hands.append(mask_of([*own, *(next(others) for _ in range(size - len(own)))]))
    return tuple(hands)


def picture(state: State) -> str:
    """Draw a position the way *board* reads it."""
    path = ["."] * state.emperor
    path[state.emperor - 1] = "E"
    gate = ""
    for painter, place in enumerate(state.painters):
        letter = "abcdef"[painter]
        if place == GATE:
            gate += letter
        else:
            path[place - 1] = letter
    return f"{gate}|{''.join(path)}"


def play_round(state: State, cards: Sequence[int], ways: str = "", *, court: int = 0) -> State:
    """Play one card for each seat, *court* from the deck, and the directions in *ways*."""
    choices: list[Choice] = [Play(Card(card)) for card in cards]
    state = rules.play(state, choices)
    if court:
        state = rules.reveal(state, Dealt(Card(court)))
    return go(state, ways)


def go(state: State, ways: str) -> State:
    """Choose the directions in *ways*, one after the other."""
    for way in ways:
        assert isinstance(rules.turn(state), Choose), f"nobody is asked for {way}"
        state = rules.play(state, [Direction(Heading.FORWARD if way == "^" else Heading.BACK)])
    return state


def after(start: str, cards: Sequence[int], ways: str = "", *, court: int = 0) -> str:
    """Draw what a round makes of a picture."""
    state = board(start, cards=cards, seats=len(cards))
    return picture(play_round(state, cards, ways, court=court))


def tokens(state: State) -> list[int]:
    """Count the tokens of all painters."""
    return [sum(ledger) for ledger in state.ledgers]


SEAT_1, SEAT_2 = Seat(0), Seat(1)


Configuration: TypeAlias = tuple[int, tuple[str, ...]]
"""A number of seats, and the options of the game."""

CONFIGURATIONS: list[Configuration] = [
    (2, ()),
    (2, (TACTICAL,)),
    *((seats, ()) for seats in range(3, 7)),
]

configurations = st.sampled_from(CONFIGURATIONS)
seeds = st.integers(0, 10_000)


def step(state: State, rng: Random) -> State | None:
    """Take one random step; `None` after the end."""
    now = rules.turn(state)
    if isinstance(now, Choose):
        return rules.play(state, [rng.choice(rules.legal(state, seat)) for seat in now.seats])
    if isinstance(now, Draw):
        return rules.reveal(state, rng.choice(rules.chances(state))[0])
    return None


def wander(seats: int, options: tuple[str, ...], rng: Random) -> Iterator[State]:
    """Play a random game and show every state of it."""
    state: State | None = rules.start(house(*options), seats)
    while state is not None:
        yield state
        state = step(state, rng)


def cards(*numbers: int) -> list[Play]:
    """Play these cards."""
    return [Play(Card(number)) for number in numbers]


def choose(state: State, *choices: Play | PlayBoth | Direction) -> AnyStep:
    """Let all that must choose do so."""
    now = rules.turn(state)
    assert isinstance(now, Choose)
    return Chose(state, now.seats, choices, rules.play(state, choices))


def random_steps(seats: int, options: tuple[str, ...], rng: Random) -> Iterator[AnyStep]:
    """Play a random game, step by step."""
    state = rules.start(house(*options), seats)
    while isinstance(now := rules.turn(state), Choose | Draw):
        if isinstance(now, Choose):
            taken = choose(state, *(rng.choice(rules.legal(state, seat)) for seat in now.seats))
        else:
            outcome = rng.choice(rules.chances(state))[0]
            taken = Drew(state, now.to, outcome, rules.reveal(state, outcome))
        yield taken
        state = taken.after
