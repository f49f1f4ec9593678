"""The compiled twin as one value, made when somebody asks for it."""

from __future__ import annotations

from functools import partial

from pleasance.compiled.kernel import Guide, Kernel, Pace, Steps
from pleasance.games.sanssouci.bots.planner import rollout
from pleasance.games.sanssouci.kernel import codes, setup, throughput
from pleasance.games.sanssouci.kernel.layout import SIZE
from pleasance.games.sanssouci.kernel.packing import pack, pack_box, pack_view, unpack
from pleasance.games.sanssouci.rules.state import Box

STEPS = Steps(
    turn=codes.turn,
    legal=codes.legal,
    play=codes.play,
    chances=codes.chances,
    reveal=setup.reveal,
    draw=setup.draw,
    deal=setup.deal,
    playout=codes.playout,
    playouts=codes.playouts,
    scores=codes.scores,
    shares=codes.shares,
)

GUIDE = Guide(
    rank=rollout.rank,
    playout=rollout.playout,
    foresee=rollout.foresee,
    make_desk=rollout.make_desk,
)


def make_kernel(box: Box) -> Kernel:
    """Make the compiled twin of one configuration."""
    return Kernel(
        box=pack_box(box),
        size=SIZE,
        most_choices=codes.MOST_CHOICES,
        steps=STEPS,
        pack=pack,
        unpack=partial(unpack, box=box),
        pack_view=pack_view,
        guide=GUIDE,
        pace=Pace("turns", throughput.count_turns),
    )
