"""Packs positions, views and boxes into flat arrays for compiled code, and unpacks positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from pleasance.compiled.arrays import zeros
from pleasance.core.game import Seat
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.kernel.arrays import Constants, Position
from pleasance.games.sakura.rules.components import MAX_PAINTERS, Box, Card, Space
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.state import DISGRACES, Cards, Ledger, State
from pleasance.games.sakura.rules.state import SAKURA as FIRST_SAKURA
from pleasance.games.sakura.rules.view import View, state_from_view


@lru_cache(maxsize=16)
def pack_constants(box: Box) -> Constants:
    """Lay out what the rules look up."""
    constants = zeros("int64", at.CONSTANTS_SIZE)
    constants[at.IS_TACTICAL] = TACTICAL in box.options
    constants[at.HAND_SIZE] = box.hand
    constants[at.START_TOKENS] = box.tokens
    constants[at.SETBACK] = box.disgrace
    for group, painters in enumerate((4, 6)):
        constants[at.TORII + group] = box.paths[painters].torii
        stops = at.SAKURA_SPACES + group * at.SAKURA
        constants[stops : stops + at.SAKURA] = box.paths[painters].sakura
        for sakura, tokens in enumerate(box.pay[painters]):
            pay = at.PAY + (group * at.SAKURA + sakura) * MAX_PAINTERS
            constants[pay : pay + len(tokens)] = tokens
    for card, (garden, painter) in enumerate(box.faces):
        start = at.FACES + card * at.FACE_SIZE
        free = garden.is_free | painter.is_free << 1
        face = (garden.move, garden.steps, painter.move, painter.steps, free)
        constants[start : start + len(face)] = face
    return constants


def pack(state: State) -> Position:
    """Lay out a position."""
    position = zeros("int64", at.SIZE)
    position[at.EMPEROR] = state.emperor
    position[at.SCORED] = state.scored
    position[at.DONE] = state.done
    position[at.QUEUE] = _pack_draws(state.draws)
    position[at.DISCARDS] = state.discards
    position[at.NUMBER] = state.number
    position[at.SEATS] = len(state.hands)
    position[at.PAINTERS] = len(state.painters)
    position[at.DECK] = state.deck
    _fill(position, at.PLACES, state.painters)
    _fill(position, at.PLAYED, state.played)
    _fill(position, at.HANDS, state.hands)
    for painter, ledger in enumerate(state.ledgers):
        position[at.TOKENS + painter] = sum(ledger)
        position[at.LOST + painter] = ledger[DISGRACES]
        for sakura, paid in enumerate(ledger[FIRST_SAKURA:]):
            position[at.PAID + sakura * MAX_PAINTERS + painter] = paid
    decks = _join_oldest(state.decks)
    position[at.DECK_COUNT] = len(decks)
    _fill(position, at.DECKS, decks)
    return position


def pack_view(view: View) -> Position:
    """Lay out what a seat knows; the cards it cannot see are left to be dealt."""
    hands = tuple(view.hand if seat == view.seat else 0 for seat in range(len(view.origins)))
    position = pack(state_from_view(view, hands, 0))
    joined = max(len(view.decks) - at.MAX_DECKS, 0)
    for seat, origins in enumerate(view.origins):
        if seat != view.seat:
            counts = (sum(origins[: joined + 1]), *origins[joined + 1 :])
            position[at.HIDDEN + seat] = sum(count << 4 * deck for deck, count in enumerate(counts))
    return position


def unpack(position: Position, box: Box) -> State:
    """Read a position back."""
    numbers = [int(number) for number in position]
    painters = range(numbers[at.PAINTERS])
    seats = numbers[at.SEATS]
    return State(
        box=box,
        number=numbers[at.NUMBER],
        emperor=Space(numbers[at.EMPEROR]),
        painters=tuple(Space(numbers[at.PLACES + painter]) for painter in painters),
        ledgers=tuple(_unpack_ledger(numbers, painter) for painter in painters),
        scored=numbers[at.SCORED],
        hands=tuple(numbers[at.HANDS : at.HANDS + seats]),
        deck=numbers[at.DECK],
        discards=numbers[at.DISCARDS],
        decks=tuple(numbers[at.DECKS : at.DECKS + numbers[at.DECK_COUNT]]),
        played=tuple(Card(card) for card in numbers[at.PLAYED : at.QUEUE] if card),
        done=numbers[at.DONE],
        draws=_unpack_draws(numbers[at.QUEUE]),
    )


def _fill(position: Position, start: int, numbers: Sequence[int]) -> None:
    """Write *numbers* from *start* on."""
    position[start : start + len(numbers)] = numbers


def _join_oldest(decks: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Merge the oldest decks where there are more than `MAX_DECKS`."""
    while len(decks) > at.MAX_DECKS:
        decks = (decks[0] | decks[1], *decks[2:])
    return decks


def _pack_draws(draws: tuple[Seat, ...]) -> int:
    """Pack the queue of draws, a byte for each run of the same seat."""
    queue = 0
    for place, (seat, run) in enumerate(groupby(draws)):
        queue |= (8 * len(list(run)) + seat) << 8 * place
    return queue


def _unpack_draws(queue: int) -> tuple[Seat, ...]:
    """Unpack the queue of draws."""
    draws: tuple[Seat, ...] = ()
    while queue:
        draws += (Seat(queue & 7),) * (queue >> 3 & 31)
        queue >>= 8
    return draws


def _unpack_ledger(numbers: list[int], painter: int) -> Ledger:
    """Read a painter's ledger back."""
    lost = numbers[at.LOST + painter]
    paid = numbers[at.PAID + painter : at.PLAYED : MAX_PAINTERS]
    return (numbers[at.TOKENS + painter] - lost - sum(paid), lost, *paid)
