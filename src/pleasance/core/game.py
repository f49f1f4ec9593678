"""The `Game` value: the facts and pure functions that define a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

from pleasance.core.budget import SearchBudget
from pleasance.core.errors import BadSetupError
from pleasance.core.levels import Level

if TYPE_CHECKING:
    from pathlib import Path

    from pleasance.core.catalog import Messages, ScoreItem
    from pleasance.core.space import ActionSpace

Seat = NewType("Seat", int)
"""The number of a seat: from 0 in code, from 1 in texts."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Some seats choose: one openly, or several simultaneously and in secret."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance decides; *to* is the only seat that sees the outcome, `None` means all."""

    to: Seat | None


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""


Turn: TypeAlias = Choose | Draw | Over

S = TypeVar("S")
"""State: the full position, hidden information included."""
A = TypeVar("A")
"""Action: a choice of a seat."""
O = TypeVar("O")  # noqa: E741  (the letter stands for outcome)
"""Outcome: a result of a draw."""
A_co = TypeVar("A_co", covariant=True)


class AnyView(Protocol[A_co]):
    """The part of a view that all games share."""

    @property
    def seat(self) -> Seat | None:
        """The looking seat; `None` is a spectator."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def turn(self) -> Turn:
        """The current turn."""

    @property
    def legal(self) -> tuple[A_co, ...]:
        """The legal choices of the looking seat."""


V = TypeVar("V", bound=AnyView[Any])
"""View: the information of one seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """The facts about a game that need no position."""

    name: str
    rules_version: str
    seats: range
    """The allowed numbers of seats."""

    package: str
    """The package of the game, with its RULES.md and its messages."""

    options: Mapping[str, range] = field(default_factory=dict)
    """The expansions and variants, each with its allowed numbers of seats."""

    themes: tuple[str, ...] = ()
    """The editions with words and colors of their own; the first is the default."""


class DataSet(NamedTuple):
    """The component data of a game."""

    name: str
    sha256: str
    is_builtin: bool
    """`True` for the set that comes with the program."""


class SeenEvent(NamedTuple):
    """One token as a seat or a spectator saw it."""

    seat: Seat | None
    """The seat that chose or drew; `None` for a draw that all see."""

    action: Any
    """The choice or outcome; `None` if it is hidden."""


class Heuristics(NamedTuple, Generic[A, V]):
    """The evaluation functions of a game for its players; higher values are better."""

    immediate_values: Callable[[V, Random], Mapping[A, float]]
    """Value each legal choice by its immediate gain."""
    planner_values: Callable[[V, Random], Mapping[A, float]] | None = None
    """Value each legal choice by the planner's potential."""
    tuning_score: Callable[[Any, int, str], float] | None = None
    """Score planner weights over a number of games, seeded by a text."""
    planner_weights: Callable[[], Sequence[float]] | None = None
    """Load the planner's weights."""
    network_values: Callable[[V, Random], Mapping[A, float]] | None = None
    """Value each legal choice by the trained network alone."""
    search_values: Callable[[V, Random, SearchBudget], Mapping[A, float]] | None = None
    """Value each legal choice by a search with the network over determinized worlds."""
    levels: tuple[Level, ...] = ()
    """The settings of the levels, the weakest first."""
    ratings: Mapping[int, Mapping[str, tuple[float, float]]] | None = None
    """The measured ratings of bots by number of seats: mean and deviation."""
    with_weights: Callable[[Path], Heuristics[A, V]] | None = None
    """Make the same heuristics with the networks of a training run."""


class WireSerializers(NamedTuple, Generic[V]):
    """The serializers of a game: frozen dataclasses that any encoder writes as JSON."""

    view_type: type
    """The type that `view_to_wire` returns."""
    box_type: type
    """The type that `box_to_wire` returns."""
    view_to_wire: Callable[[V], object]
    """Convert a view, in the notation of the choices."""
    private_fields: Callable[[V], Mapping[str, object]]
    """Return the fields that only the seat sees; a spectator sees the others alike."""
    box_to_wire: Callable[[int], object]
    """Convert the box for a number of seats: the facts that never change during a game."""
    scenes: Callable[[V, tuple[SeenEvent, ...], V, Messages], tuple[object, ...]] | None = None
    """Split one step into scenes: the view before, the events and the view after."""
    scene_type: type | None = None
    """The type of one scene."""
    seat_colors: tuple[str, ...] = ()
    """The color of each seat's pieces, where the box names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, O, V]):
    """A game with its options and component data.

    All functions are pure; those that need random numbers take the generator as an argument.
    """

    spec: GameSpec
    options: tuple[str, ...]
    """The expansions and variants in play, in the order of `spec.options`."""
    data: DataSet

    space: ActionSpace[A]
    """The space of all choices."""

    draws: ActionSpace[O]
    """The space of all outcomes of draws."""

    parse: Callable[[str], A | O]
    """Read the notation of a choice or an outcome; the inverse of `str`."""

    start: Callable[[int], S]
    """Return the first state for a number of seats."""

    turn: Callable[[S], Turn]
    """Return the current turn: a choice, a draw or the end."""

    legal: Callable[[S, Seat], tuple[A, ...]]
    """List the choices of a seat, in the order of the space; empty if it does not choose."""

    play: Callable[[S, Sequence[A]], S]
    """Carry out one choice for each seat of the turn, in the order of its seats."""

    chances: Callable[[S], tuple[tuple[O, int], ...]]
    """List the outcomes of a draw, in the order of the draws, with whole-number weights."""

    reveal: Callable[[S, O], S]
    """Carry out an outcome of a draw."""

    number: Callable[[S], int]
    """Number the turn or round for the record; 0 during set-up."""

    scores: Callable[[S], tuple[int, ...]]
    """Count each seat's points; final once the game is over."""

    winners: Callable[[S], tuple[Seat, ...]]
    """Return the leading seats; the winners once the game is over."""

    decided_by: Callable[[S], str]
    """Name what separates the winners from the others: `points`, a tie-break, or `shared`."""

    score_items: Callable[[S], tuple[tuple[ScoreItem, ...], ...]]
    """Break each seat's score down into items."""

    view: Callable[[S, Seat | None], V]
    """Make the view of a seat; `None` is a spectator."""

    imagine: Callable[[V, Random], S]
    """Determinize a view: deal its hidden information at random, as the draws would."""

    configure: Callable[[tuple[str, ...], str | None], Game[S, A, O, V]]
    """Return the game with other options and the text of another component file."""

    render: Callable[[V, Messages, int], str]
    """Render a view in plain text, if possible at most a number of columns wide."""

    describe: Callable[[A | O | ScoreItem, Messages], str]
    """Describe a choice, an outcome or a score item in words."""

    preview: Callable[[V, A, Messages], str]
    """Describe the immediate effect of a legal choice of the looking seat."""

    narrate: Callable[[V, tuple[SeenEvent, ...], V, Messages], tuple[str, ...]] | None = None
    """Narrate the step between two views of one seat; without it steps are described alone."""

    heuristics: Heuristics[A, V] | None = None

    kernel: Callable[[], object] | None = None
    """Load the compiled rules, a `pleasance.compiled.kernel.Kernel`."""

    picture: Callable[[V, Messages], str] | None = None
    """Draw a view as a standalone SVG document."""

    wire: WireSerializers[V] | None = None
    """The serializers; without them a client gets the drawing in plain text."""
    train: Callable[[list[str]], None] | None = None
    """Train the networks of the game by command-line arguments; slow to import."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game with erased types, as found by name."""


def check_seats(game: AnyGame, seats: int) -> None:
    """Refuse a number of seats that the game or one of its options does not allow."""
    allowed = game.spec.seats
    if seats not in allowed:
        raise BadSetupError("seats", game=game.spec.name, seats=seats, allowed=_show(allowed))
    for option in game.options:
        room = game.spec.options[option]
        if seats not in room:
            raise BadSetupError("option_seats", option=option, seats=seats, allowed=_show(room))


def _show(numbers: range) -> str:
    """Write a range of numbers: `2` or `2-6`."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def check_options(spec: GameSpec, options: tuple[str, ...]) -> tuple[str, ...]:
    """Put *options* in the order of the spec; refuse one that is unknown or named twice."""
    for option in options:
        if option not in spec.options:
            known = ", ".join(spec.options) or "-"
            raise BadSetupError("option_unknown", game=spec.name, option=option, known=known)
        if options.count(option) > 1:
            raise BadSetupError("option_twice", option=option)
    return tuple(option for option in spec.options if option in options)


def configurations(game: AnyGame) -> Iterator[tuple[AnyGame, int]]:
    """List *game* with every set of options and every number of seats that may play it."""
    known = game.spec.options
    for size in range(len(known) + 1):
        for options in combinations(known, size):
            fitted = game.configure(options, None)
            for seats in game.spec.seats:
                if all(seats in known[option] for option in options):
                    yield fitted, seats
