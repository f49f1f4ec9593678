"""Move requests for tests of bot pools: real positions of real games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pleasance.core.game import AnyGame, Draw, Over, Seat
from pleasance.games import find_game
from pleasance.server.bots.pool import MoveRequest, pack_view


def move_requests(game: str, seats: int, bot: str, *, seed: int = 1) -> Iterator[MoveRequest]:
    """Play a game at random; ask what *bot* would choose wherever there is a choice."""
    fitted = find_game(game)
    for ply, (state, seat) in enumerate(walk(fitted, seats, seed)):
        yield MoveRequest(
            table=f"table{seed}",
            ply=ply,
            revision=0,
            seat=seat,
            bot=bot,
            game=game,
            options=(),
            data=None,
            seed=f"{seed}:{ply}",
            view=pack_view(fitted.view(state, seat)),
        )


def move_request(bot: str, game: str = "sakura", *, seed: int = 1) -> MoveRequest:
    """Build the request for the first real choice of *bot* at a table of three."""
    return next(move_requests(game, 3, bot, seed=seed))


def walk(game: AnyGame, seats: int, seed: int) -> Iterator[tuple[object, Seat]]:
    """Play a game at random; give each position with a seat that has something to choose."""
    rng = Random(seed)
    state = game.start(seats)
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Draw):
            state = game.reveal(state, rng.choice(game.chances(state))[0])
            continue
        for seat in turn.seats:
            if len(game.legal(state, seat)) > 1:
                yield state, seat
        state = game.play(state, [rng.choice(game.legal(state, seat)) for seat in turn.seats])


def list_answers(request: MoveRequest) -> set[str]:
    """List the legal answers: under a time budget the selected one is not known in advance."""
    game = find_game(request.game)
    state, seat = next(walk(game, 3, 1))
    assert (pack_view(game.view(state, seat)), seat) == (request.view, request.seat)
    return {str(choice) for choice in game.legal(state, seat)}
