"""Made-up positions: gardens drawn as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pleasance.core.bits import mask_of
from pleasance.core.game import Choose, Draw, Seat
from pleasance.games.sanssouci import GAME
from pleasance.games.sanssouci.rules.actions import SPACES, Action, parse
from pleasance.games.sanssouci.rules.components import CARDS, card_name
from pleasance.games.sanssouci.rules.garden import DOWN_TO, EVERYWHERE, Cell, parse_cell
from pleasance.games.sanssouci.rules.state import (
    BARE,
    NO_BOARD,
    NO_TILE,
    NOWHERE,
    Garden,
    Phase,
    State,
)

_CARDS = {card_name(card): card for card in CARDS}


def garden(
    picture: str,
    nobles: str = "",
    *,
    ledger: tuple[int, ...] = BARE.ledger,
    rewards_side: int = NO_BOARD,
) -> Garden:
    """Read a garden: `#` built, `@` gardener, `&` boar on a free cell, `.` free.

    Rows left out at the bottom are free. *nobles* lists where nobles have walked to, as `e4`; the
    others stand on the terrace.
    """
    rows = picture.split()
    assert {len(row) for row in rows} == {9}, picture
    marks = "".join(rows).ljust(54, ".")
    assert len(marks) == 54, picture
    ahead = EVERYWHERE
    for name in nobles.split():
        ahead &= ~DOWN_TO[parse_cell(name)]
    built = mask_of(cell for cell, mark in enumerate(marks) if mark in "#@")
    gardeners = mask_of(cell for cell, mark in enumerate(marks) if mark == "@")
    boar = Cell(marks.index("&")) if "&" in marks else NOWHERE
    return Garden(built, gardeners, ahead, boar, ledger, NO_BOARD, rewards_side // 2, rewards_side)


EMPTY = "#########\n"

MARKET = "a b c d e f g h a b"
"""2l 2r 3l 3r 4l 4r 5l 5r 6l 6r; no tile shows a vine."""

FULL = "#########\n" * 6


def at_the_start(seats: int = 2, *options: str, seed: int = 1) -> State:
    """Play the set-up draws (and sides A) of a game; the first take is due."""
    game = GAME.configure(options, None)
    rng = Random(seed)
    state = game.start(seats)
    while state.phase < Phase.TAKE:
        turn = game.turn(state)
        if isinstance(turn, Draw):
            outcomes, weights = zip(*game.chances(state), strict=True)
            state = game.reveal(state, rng.choices(outcomes, weights)[0])
        else:
            assert isinstance(turn, Choose)
            state = game.play(state, [game.legal(state, seat)[0] for seat in turn.seats])
    return state


def with_garden(state: State, own: Garden) -> State:
    """Give the actor another garden."""
    gardens = list(state.gardens)
    gardens[state.actor] = own
    return state._replace(gardens=tuple(gardens))


def to_walk(own: Garden) -> State:
    """Make a position where the actor, with this garden, may let a noble walk."""
    return with_garden(at_the_start(), own)._replace(phase=Phase.WALK)


def to_take(own: Garden, hand: str, market: str, *options: str) -> State:
    """Make a position where the actor holds *hand* (`36 e`) and the main board shows *market*.

    *market* lists ten motif letters from 2l to 6r; `.` is an empty space.
    """
    state = with_garden(at_the_start(2, *options), own)
    hands = list(state.hands)
    hands[state.actor] = mask_of(_CARDS[name] for name in hand.split())
    tiles = tuple(NO_TILE if mark == "." else "abcdefghi".index(mark) for mark in market.split())
    assert len(tiles) == len(SPACES), market
    decks = list(state.decks)
    decks[state.actor] = state.box.components.deck & ~hands[state.actor]
    return state._replace(hands=tuple(hands), decks=tuple(decks), market=tiles)


def choose(state: State, *tokens: str) -> State:
    """Play choices one after the other."""
    for token in tokens:
        action = parse(token)
        assert isinstance(action, Action), token
        state = GAME.play(state, [action])
    return state


def legal(state: State, seat: Seat | None = None) -> str:
    """List what the actor may choose, as text."""
    return names(GAME.legal(state, state.actor if seat is None else seat))


def names(actions: Sequence[object]) -> str:
    """Write actions in a row."""
    return " ".join(map(str, actions))


def points(state: State, seat: Seat | None = None) -> int:
    """Count the actor's points."""
    return GAME.scores(state)[state.actor if seat is None else seat]


def over(*gardens: Garden, missions: Sequence[str] = ("", "")) -> State:
    """End a game with these gardens and missions (`ab` for labyrinth and statue)."""
    state = at_the_start(len(gardens))
    held = tuple(mask_of("abcdefghi".index(letter) for letter in each) for each in missions)
    return state._replace(phase=Phase.OVER, gardens=gardens, missions=held)
