"""The learned player of Sakura: from a view to the share of victory that each choice promises."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import perf_counter

import numpy as np

from pleasance.core.thinking import Thinking
from pleasance.games.sakura.actions import Choice
from pleasance.games.sakura.kernel_codes import CODE_FORWARD
from pleasance.games.sakura.kernel_lookahead import make_desk, prepare, try_worlds
from pleasance.games.sakura.network import Loader, load_networks
from pleasance.games.sakura.packing import pack_box, pack_view
from pleasance.games.sakura.view import View

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
    clock = perf_counter()
    box, flat, desk = pack_box(view.box), pack_view(view), make_desk()
    value, policy = load(view.box)
    luck = np.array([rng.getrandbits(64) or 1], dtype=np.uint64)
    count = prepare(box, flat, view.seat, value, policy, desk)
    # Where only directions are left, everything is known: one world is all there are.
    most = 1 if count and desk.codes[0] >= CODE_FORWARD else thinking.simulations
    done = 0
    while done == 0 or (done < most if most is not None else _has_time(clock, thinking)):
        worlds = _CHUNK if most is None else min(_CHUNK, most - done)
        try_worlds(box, flat, view.seat, count, worlds, luck, value, desk)
        done += worlds
    return dict(zip(view.legal, (desk.worths[:count] / done).tolist(), strict=True))


def _has_time(clock: float, thinking: Thinking) -> bool:
    """Tell whether there is time left."""
    return thinking.seconds is not None and perf_counter() - clock < thinking.seconds
