"""Positions and boxes as flat arrays for the compiled twin, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from pleasance.compiled.kernel import Flat
from pleasance.core.game import Seat
from pleasance.games.sakura.kernel import layout as at
from pleasance.games.sakura.rules.components import MOST_PAINTERS, Box, Card, Space
from pleasance.games.sakura.rules.rules import TACTICAL
from pleasance.games.sakura.rules.state import DISGRACES, Cards, Ledger, State
from pleasance.games.sakura.rules.state import SAKURA as FIRST_SAKURA
from pleasance.games.sakura.rules.view import View


@lru_cache(maxsize=16)
def pack_box(box: Box) -> Flat:
    """Lay out what the rules look up."""
    flat = np.zeros(at.BOX_SIZE, dtype=np.int64)
    flat[at.IS_TACTICAL] = TACTICAL in box.options
    flat[at.HAND_SIZE] = box.hand
    flat[at.START_TOKENS] = box.tokens
    flat[at.SETBACK] = box.disgrace
    pay = flat[at.PAY : at.FACES].reshape(2, at.SAKURA, MOST_PAINTERS)
    for group, painters in enumerate((4, 6)):
        flat[at.TORII + group] = box.paths[painters].torii
        stops = at.STOPS + group * at.SAKURA
        flat[stops : stops + at.SAKURA] = box.paths[painters].sakura
        for sakura, tokens in enumerate(box.pay[painters]):
            pay[group, sakura, : len(tokens)] = tokens
    for card, (garden, painter) in enumerate(box.faces):
        start = at.FACES + card * at.FACE_SIZE
        free = garden.is_free | painter.is_free << 1
        face = (garden.move, garden.steps, painter.move, painter.steps, free)
        flat[start : start + len(face)] = face
    flat.setflags(write=False)
    return flat


def pack(state: State) -> Flat:
    """Lay out a position."""
    flat = np.zeros(at.SIZE, dtype=np.int64)
    flat[at.EMPEROR] = state.emperor
    flat[at.SCORED] = state.scored
    flat[at.DONE] = state.done
    flat[at.QUEUE] = _pack_draws(state.draws)
    flat[at.DISCARDS] = state.discards
    flat[at.NUMBER] = state.number
    flat[at.SEATS] = len(state.hands)
    flat[at.PAINTERS] = len(state.painters)
    flat[at.DECK] = state.deck
    _fill(flat, at.PLACES, state.painters)
    _fill(flat, at.PLAYED, state.played)
    _fill(flat, at.HANDS, state.hands)
    for painter, ledger in enumerate(state.ledgers):
        flat[at.TOKENS + painter] = sum(ledger)
        flat[at.LOST + painter] = ledger[DISGRACES]
        flat[at.PAID + painter : at.PLAYED : MOST_PAINTERS] = ledger[FIRST_SAKURA:]
    decks = _join_oldest(state.decks)
    flat[at.DECK_COUNT] = len(decks)
    _fill(flat, at.DECKS, decks)
    return flat


def pack_view(view: View) -> Flat:
    """Lay out what a seat knows; the cards it cannot see are left to be dealt."""
    state = State(
        box=view.box,
        number=view.number,
        emperor=view.emperor,
        painters=view.painters,
        ledgers=view.ledgers,
        scored=view.scored,
        hands=tuple(view.hand if seat == view.seat else 0 for seat in range(len(view.origins))),
        deck=0,
        discards=view.discards,
        decks=view.decks,
        played=view.played,
        done=view.done,
        draws=view.draws,
    )
    flat = pack(state)
    joined = max(len(view.decks) - at.MOST_DECKS, 0)
    for seat, origins in enumerate(view.origins):
        if seat != view.seat:
            counts = (sum(origins[: joined + 1]), *origins[joined + 1 :])
            flat[at.HIDDEN + seat] = sum(count << 4 * deck for deck, count in enumerate(counts))
    return flat


def unpack(flat: Flat, box: Box) -> State:
    """Read a position back."""
    numbers = [int(number) for number in flat]
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


def _fill(flat: Flat, start: int, numbers: Sequence[int]) -> None:
    """Write *numbers* from *start* on."""
    flat[start : start + len(numbers)] = numbers


def _join_oldest(decks: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Take the oldest decks as one where there are too many to tell apart."""
    while len(decks) > at.MOST_DECKS:
        decks = (decks[0] | decks[1], *decks[2:])
    return decks


def _pack_draws(draws: tuple[Seat, ...]) -> int:
    """Write down who must still draw, a byte for each run of the same seat."""
    queue = 0
    for place, (seat, run) in enumerate(groupby(draws)):
        queue |= (8 * len(list(run)) + seat) << 8 * place
    return queue


def _unpack_draws(queue: int) -> tuple[Seat, ...]:
    """Read back who must still draw."""
    draws: tuple[Seat, ...] = ()
    while queue:
        draws += (Seat(queue & 7),) * (queue >> 3 & 31)
        queue >>= 8
    return draws


def _unpack_ledger(numbers: list[int], painter: int) -> Ledger:
    """Read a painter's ledger back."""
    lost = numbers[at.LOST + painter]
    paid = numbers[at.PAID + painter : at.PLAYED : MOST_PAINTERS]
    return (numbers[at.TOKENS + painter] - lost - sum(paid), lost, *paid)
