"""What a game is: facts and pure functions, gathered in one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

from pleasance.core.budget import Thinking
from pleasance.core.errors import BadSetupError
from pleasance.core.levels import Level

if TYPE_CHECKING:
    from pathlib import Path

    from pleasance.core.space import ActionSpace
    from pleasance.i18n.catalog import Words

Seat = NewType("Seat", int)
"""A place at the table: from 0 in code, from 1 in texts."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Some seats choose: one in the open, or several at the same time and in secret."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance decides; *to* is the only seat that sees the outcome, `None` means everybody."""

    to: Seat | None


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""


Turn: TypeAlias = Choose | Draw | Over

S = TypeVar("S")
"""State: the whole truth."""
A = TypeVar("A")
"""Action: what a seat can choose."""
O = TypeVar("O")  # noqa: E741  (the letter stands for outcome)
"""Outcome: what a draw can bring."""
A_co = TypeVar("A_co", covariant=True)


class AnyView(Protocol[A_co]):
    """What every view tells, whatever the game."""

    @property
    def seat(self) -> Seat | None:
        """Name the seat that looks; `None` is a spectator."""

    @property
    def seats(self) -> int:
        """Tell how many play."""

    @property
    def turn(self) -> Turn:
        """Tell what happens next."""

    @property
    def legal(self) -> tuple[A_co, ...]:
        """List what the looking seat may choose now."""


V = TypeVar("V", bound=AnyView[Any])
"""View: what one seat knows."""


class Cause(NamedTuple):
    """One reason why a score is what it is."""

    code: str
    """Names the message `cause.<code>` of the game's catalogue."""

    points: int
    """What it brought; negative where it cost."""

    params: Mapping[str, str | int] = {}
    """What the message needs to know besides *points*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """The facts about a game that need no position."""

    name: str
    rules_version: str
    seats: range
    """How many may play."""

    package: str
    """Where the game lives: its RULES.md and its messages lie there."""

    options: Mapping[str, range] = field(default_factory=dict)
    """Expansions and variants, each with the numbers of seats that may play it."""

    themes: tuple[str, ...] = ()
    """The editions whose words and colors the component data knows; the first is the usual one."""


class DataSet(NamedTuple):
    """The component data that a game is played with."""

    name: str
    sha256: str
    is_house: bool
    """Whether it is the set that comes with the program."""


class Seen(NamedTuple):
    """One token as somebody saw it."""

    seat: Seat | None
    """Who chose or drew; `None` for a draw that everybody sees."""

    action: Any
    """The choice or outcome; `None` where it is hidden."""


class Heuristics(NamedTuple, Generic[A, V]):
    """Quick judgements for simple players."""

    weigh: Callable[[V, Random], Mapping[A, float]]
    """Tell what each legal choice of the looking seat is worth at once, higher is better."""
    plan: Callable[[V, Random], Mapping[A, float]] | None = None
    """Tell what each legal choice promises for the rest of the game."""
    trial: Callable[[Any, int, str], float] | None = None
    """Play so many games by other weights of the plan, with luck from a text: how well they did."""
    weights: Callable[[], Any] | None = None
    """Load the weights of the plan, an array."""
    learned: Callable[[V, Random], Mapping[A, float]] | None = None
    """Tell what each legal choice is worth by a trained network alone."""
    search: Callable[[V, Random, Thinking], Mapping[A, float]] | None = None
    """Tell the same by the network and a search over imagined worlds, thinking so long."""
    levels: tuple[Level, ...] = ()
    """How players of each level choose among these worths, the weakest first."""
    ratings: Mapping[int, Mapping[str, tuple[float, float]]] | None = None
    """How strong kinds of bots were found among so many seats: ratings, and how sure they are."""
    rearm: Callable[[Path], Heuristics[A, V]] | None = None
    """Make the same judgements with networks from elsewhere, as training leaves them."""


class Wire(NamedTuple, Generic[V]):
    """How a game goes over the network: frozen dataclasses that any encoder can write as JSON."""

    view: type
    """What `show` makes."""
    box: type
    """What `unpack` makes."""
    show: Callable[[V], object]
    """Tell all that a view knows, and nothing else, in the notation of the choices."""
    own: Callable[[V], Mapping[str, object]]
    """Tell those fields of it that are the seat's alone; the others a spectator sees alike."""
    unpack: Callable[[int], object]
    """Tell the facts of the box for so many seats: they never change during a game."""
    stage: Callable[[V, tuple[Seen, ...], V, Words], tuple[object, ...]] | None = None
    """Show one step moment by moment, from the view before it, what was seen and the view after."""
    scene: type | None = None
    """What `stage` makes, one for each moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, O, V]):
    """A game with its options and component data, ready to be played.

    All functions are pure. Functions that need luck take the generator as an argument.
    """

    spec: GameSpec
    options: tuple[str, ...]
    """The expansions and variants in play, in the order of `spec.options`."""
    data: DataSet

    space: ActionSpace[A]
    """All choices there are."""

    draws: ActionSpace[O]
    """All outcomes of draws there are."""

    parse: Callable[[str], A | O]
    """Read the notation of a choice or an outcome; the inverse of `str`."""

    start: Callable[[int], S]
    """Begin a game for so many seats."""

    turn: Callable[[S], Turn]
    """Tell what happens next."""

    legal: Callable[[S, Seat], tuple[A, ...]]
    """List what a seat may choose, in the order of the space; empty where it does not choose."""

    play: Callable[[S, Sequence[A]], S]
    """Carry out one choice for each seat of the turn, in the order of its seats."""

    chances: Callable[[S], tuple[tuple[O, int], ...]]
    """List what a draw can bring, in the order of the draws, each with its whole-number weight."""

    reveal: Callable[[S, O], S]
    """Carry out the outcome of a draw."""

    number: Callable[[S], int]
    """Number the turn or round for the record; 0 during set-up."""

    scores: Callable[[S], tuple[int, ...]]
    """Count each seat's points; final once the game is over."""

    winners: Callable[[S], tuple[Seat, ...]]
    """Name who leads, or has won once the game is over."""

    decided_by: Callable[[S], str]
    """Name what separates the winners from the rest: `points`, a tie-break, or `shared`."""

    causes: Callable[[S], tuple[tuple[Cause, ...], ...]]
    """Explain each seat's score; the points of its causes add up to it."""

    view: Callable[[S, Seat | None], V]
    """Build up what a seat knows; `None` is a spectator."""

    imagine: Callable[[V, Random], S]
    """Deal the hidden rest at random, as the draws would have."""

    configure: Callable[[tuple[str, ...], str | None], Game[S, A, O, V]]
    """Make the same game with other options and the text of another component file."""

    draw: Callable[[V, Words, int], str]
    """Draw a view in plain text, so many columns wide if it can be done."""

    describe: Callable[[A | O | Cause, Words], str]
    """Put a choice, an outcome or a cause of a score into words."""

    preview: Callable[[V, A, Words], str]
    """Say what a legal choice of the looking seat would do at once."""

    recount: Callable[[V, tuple[Seen, ...], V, Words], tuple[str, ...]] | None = None
    """Narrate the step between two views of one seat; without it each step is described alone."""

    heuristics: Heuristics[A, V] | None = None

    kernel: Callable[[], object] | None = None
    """Make the compiled twin of the rules, a `pleasance.compiled.kernel.Kernel`; slow at first."""

    picture: Callable[[V, Words], str] | None = None
    """Draw a view as an SVG document that stands alone."""

    wire: Wire[V] | None = None
    """Without it a client gets the drawing in plain text."""
    train: Callable[[list[str]], None] | None = None
    """Train the networks of the game, told by command-line arguments; slow to import."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game whose types are known only to itself; made where games are found by name."""


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
