"""The rules: start, turn, legal, play, chances, reveal."""

from __future__ import annotations

from collections.abc import Sequence

from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat, Turn
from pleasance.core.tuples import with_item

from .actions import Action, Answer, Caught, Frog, Outcome, Rose, Say, Show, Water
from .components import HAND, WEIGHTS, Box
from .scoring import scores
from .state import Phase, State, add

FREED = 2
"""Points for freeing a fish (P-5)."""

_QUESTIONS = {
    Phase.BITE: (Say(Answer.KEEP), Say(Answer.FREE)),
    Phase.PASS: (Say(Answer.CATCH), Say(Answer.LEAVE)),
}


def start(box: Box, seats: int) -> State:
    """Begin: two fish for each seat are due (P-2)."""
    deal = tuple(Seat(seat) for seat in range(seats) for _ in range(HAND))
    nothing = (0,) * seats
    return State(
        box=box,
        phase=Phase.DRAW,
        round=0,
        hands=((0,) * len(WEIGHTS),) * seats,
        deck=box.fish,
        water=Water.DEEP,
        bite=0,
        owner=Seat(0),
        asked=deal,
        kept=nothing,
        freed=nothing,
        caught=nothing,
        eaten=nothing,
    )


def turn(state: State) -> Turn:
    """Return the next turn."""
    match state.phase:
        case Phase.WATER | Phase.FROG:
            return Draw(None)
        case Phase.SHOW:
            return Choose(tuple(Seat(seat) for seat in range(len(state.hands))))
        case Phase.BITE:
            return Choose((state.owner,))
        case Phase.PASS:
            return Choose(state.asked[:1])
        case Phase.DRAW:
            return Draw(state.asked[0])
        case Phase.END:
            return Over()


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """List what *seat* may choose (P-4 to P-6)."""
    now = turn(state)
    if not isinstance(now, Choose) or seat not in now.seats:
        return ()
    if state.phase is Phase.SHOW:
        hand = zip(WEIGHTS, state.hands[seat], strict=True)
        return tuple(Show(weight) for weight, n in hand if n)
    return _QUESTIONS[state.phase]


def play(state: State, choices: Sequence[Action]) -> State:
    """Carry out what was chosen."""
    now = turn(state)
    if not isinstance(now, Choose) or len(choices) != len(now.seats):
        raise IllegalActionError("pond_not_now")
    for seat, choice in zip(now.seats, choices, strict=True):
        if choice not in legal(state, seat):
            raise IllegalActionError("pond_cannot", token=str(choice))
    if state.phase is Phase.SHOW:
        return _bite(state, [choice.weight for choice in choices if isinstance(choice, Show)])
    (choice,) = choices
    assert isinstance(choice, Say), f"{choice} in {state.phase.name}"
    return _answer(state, choice.answer)


def chances(state: State) -> tuple[tuple[Outcome, int], ...]:
    """Weigh what a draw can bring (P-3, P-7, P-8)."""
    match state.phase:
        case Phase.WATER:
            return ((Rose(Water.DEEP), 1), (Rose(Water.SHALLOW), 2))
        case Phase.FROG:
            return ((Frog(0), 1), (Frog(1), 1))
        case Phase.DRAW:
            return tuple((Caught(w), n) for w, n in zip(WEIGHTS, state.deck, strict=True) if n)
        case _:
            return ()


def reveal(state: State, outcome: Outcome) -> State:
    """Carry out what was drawn."""
    if all(outcome != possible for possible, _ in chances(state)):
        raise IllegalActionError("pond_cannot_come", token=str(outcome))
    match outcome:
        case Rose(water):
            return state._replace(water=water, phase=Phase.SHOW)
        case Frog(appetite):
            taken = min(appetite, scores(state)[state.owner])
            return _refill(state._replace(eaten=_more(state.eaten, state.owner, taken)))
        case Caught(weight):
            seat, *rest = state.asked
            hands = with_item(state.hands, seat, add(state.hands[seat], weight, 1))
            deck = add(state.deck, weight, -1)
            state = state._replace(hands=hands, deck=deck, asked=tuple(rest))
            return state if rest else state._replace(phase=Phase.WATER, round=state.round + 1)


def _more(points: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return with_item(points, seat, points[seat] + change)


def _bite(state: State, shown: list[int]) -> State:
    """Show all fish and find the one that bites (P-4)."""
    hands = tuple(add(hand, w, -1) for hand, w in zip(state.hands, shown, strict=True))
    alone = [weight for weight in shown if shown.count(weight) == 1]
    if not alone:
        return _refill(state._replace(hands=hands, bite=0))
    bite = max(alone) if state.water is Water.DEEP else min(alone)
    owner = Seat(shown.index(bite))
    return state._replace(hands=hands, bite=bite, owner=owner, phase=Phase.BITE)


def _answer(state: State, answer: Answer) -> State:
    """Keep, free, catch or leave the fish (P-5, P-6)."""
    match answer:
        case Answer.KEEP:
            return _frog(state._replace(kept=_more(state.kept, state.owner, state.bite)))
        case Answer.FREE:
            others = tuple(Seat(s) for s in range(len(state.hands)) if s != state.owner)
            freed = _more(state.freed, state.owner, FREED)
            return state._replace(freed=freed, asked=others, phase=Phase.PASS)
        case Answer.CATCH:
            return _frog(state._replace(caught=_more(state.caught, state.asked[0], 1), asked=()))
        case Answer.LEAVE:
            state = state._replace(asked=state.asked[1:])
            return state if state.asked else _frog(state)


def _frog(state: State) -> State:
    """Let a frog come, with the option (P-7)."""
    return state._replace(phase=Phase.FROG) if "frogs" in state.box.options else _refill(state)


def _refill(state: State) -> State:
    """Let everyone draw, or end the game (P-8, P-9)."""
    if state.round == state.box.rounds:
        return state._replace(phase=Phase.END)
    everyone = tuple(Seat(seat) for seat in range(len(state.hands)))
    return state._replace(phase=Phase.DRAW, asked=everyone)
