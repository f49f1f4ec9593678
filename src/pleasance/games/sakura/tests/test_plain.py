"""The rules and their plain retelling make the same of every round: K-6 to K-22."""

from random import Random

from hypothesis import given, settings

from pleasance.core.bits import mask_of
from pleasance.core.game import Choose, Draw
from pleasance.games.sakura.rules import rules
from pleasance.games.sakura.rules.actions import Choice, Dealt, Direction, Play, PlayBoth
from pleasance.games.sakura.rules.components import CARDS, Space
from pleasance.games.sakura.rules.state import ALL_CARDS, State
from pleasance.games.sakura.tests.plain import Board
from pleasance.games.sakura.tests.scene import house, ledger, tokens
from pleasance.games.sakura.tests.walks import configurations, seeds


class Notes:
    """What was played in a round, as it fell."""

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
def test_whole_games_go_the_same_way(configuration: tuple[int, tuple[str, ...]], seed: int) -> None:
    seats, options = configuration
    rng, notes = Random(seed), Notes()
    state = rules.start(house(*options), seats)
    board = Board(*sides(state))
    while state.scored < rules.LAST:
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
