"""The learned player of Sakura: from a view to the share of victory that each choice promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import numpy as np

from pleasance.core.budget import Thinking
from pleasance.games.sakura.bots.network.lookahead import make_desk, prepare, try_worlds
from pleasance.games.sakura.bots.network.storage import Loader, load_networks
from pleasance.games.sakura.kernel.codes import CODE_FORWARD
from pleasance.games.sakura.kernel.packing import pack_box, pack_view
from pleasance.games.sakura.rules.actions import Choice
from pleasance.games.sakura.rules.view import View

QUICK = Thinking(simulations=48)
"""How long the networks think without being told: about a millisecond."""

_CHUNK = 16
"""Worlds between two looks at the clock."""


def judge_quickly(
    view: View, rng: Random, *, load: Loader = load_networks
) -> Mapping[Choice, float]:
    """Tell the share of victory after each choice, from few worlds."""
    return judge_long(view, rng, QUICK, load=load)


def judge_long(
    view: View, rng: Random, thinking: Thinking, *, load: Loader = load_networks
) -> Mapping[Choice, float]:
    """Tell the share of victory after each choice, from as many worlds as there is time for.

    A simulation is one world in which every choice is tried.
    """
    assert view.seat is not None, "spectators do not choose"
    box, flat, desk = pack_box(view.box), pack_view(view), make_desk()
    value, policy = load(view.box)
    luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
    count = prepare(box, flat, view.seat, value, policy, desk)
    if count and desk.codes[0] >= CODE_FORWARD:
        # Where only directions are left, everything is known: one world is all there are.
        thinking = Thinking(simulations=1)
    done = 0
    for worlds in _list_chunks(thinking):
        try_worlds(box, flat, view.seat, count, worlds, luck, value, desk)
        done += worlds
    return dict(zip(view.legal, (desk.worths[:count] / done).tolist(), strict=True))


def _list_chunks(thinking: Thinking) -> Iterator[int]:
    """Tell how many worlds to try next, until the limit is reached."""
    if thinking.simulations is None:
        yield from (_CHUNK for _ in thinking.spend())
        return
    for done in range(0, thinking.simulations, _CHUNK):
        yield min(_CHUNK, thinking.simulations - done)
