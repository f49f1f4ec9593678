"""Plays a whole game: players choose, fair draws decide the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeAlias

from pleasance.core.errors import BadSetupError
from pleasance.core.fair_draws import FairDraws, make_tag
from pleasance.core.game import A, Choose, Draw, Game, O, S, Seat, V, check_seats
from pleasance.core.record import Record
from pleasance.core.steps import Chose, Drew, Step, full_tokens
from pleasance.core.tags import make_tags

Player: TypeAlias = Callable[[V, Random], A]
"""Chooses for the viewing seat from its view alone; the same generator state, the same choice."""


@dataclass(frozen=True, slots=True)
class Playout(Generic[S, A, O]):
    """A game played to its end."""

    steps: tuple[Step[S, A, O], ...]
    state: S
    """The position at the end."""

    record: Record
    """The full record, with the secret of the draws."""


def play_out(
    game: Game[S, A, O, V],
    players: Sequence[Player[V, A]],
    draws: FairDraws,
    *,
    rngs: Sequence[Random],
    names: Sequence[str] = (),
) -> Playout[S, A, O]:
    """Play a game to its end; each seat has its own player and generator of random numbers."""
    seats = len(players)
    check_seats(game, seats)
    if len(draws.nonces) != seats:
        raise BadSetupError("fair_nonces", nonces=len(draws.nonces), seats=seats)
    state = game.start(seats)
    steps: list[Step[S, A, O]] = []
    draw_count = 0
    while True:
        turn = game.turn(state)
        if isinstance(turn, Choose):
            choices = tuple(
                players[seat](game.view(state, seat), rngs[seat]) for seat in turn.seats
            )
            steps.append(Chose(state, turn.seats, choices, game.play(state, choices)))
        elif isinstance(turn, Draw):
            draw_count += 1
            outcome = draws.draw(draw_count, game.chances(state))
            steps.append(Drew(state, turn.to, outcome, game.reveal(state, outcome)))
        else:
            break
        state = steps[-1].after
    tag = str(make_tag(draws, range(1, draw_count + 1), is_revealed=True))
    tags = make_tags(game, seats, players=names, scores=game.scores(state), fair_tag=tag)
    return Playout(tuple(steps), state, Record(tags, full_tokens(game, steps)))


def rng_from_seed(seed: str, seat: Seat, game: int = 1) -> Random:
    """Make the generator of one player, for the first or a later game of a series."""
    label = f"pleasance:player:1:{game}:{seat + 1}:{seed}"
    return Random(hashlib.sha256(label.encode("utf-8", "surrogateescape")).digest())
