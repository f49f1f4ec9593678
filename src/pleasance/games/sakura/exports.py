"""The compiled twin as one value, made when somebody asks for it."""

from __future__ import annotations

from functools import partial

from pleasance.compiled.kernel import Guide, Kernel, Pace, Steps
from pleasance.games.sakura.bots.planner import rollout
from pleasance.games.sakura.kernel import codes, playout, setup, throughput
from pleasance.games.sakura.kernel.layout import SIZE
from pleasance.games.sakura.kernel.packing import pack, pack_box, pack_view, unpack
from pleasance.games.sakura.rules.components import Box

STEPS = Steps(
    turn=codes.turn,
    legal=codes.legal,
    play=codes.play,
    chances=codes.chances,
    reveal=codes.reveal,
    draw=codes.draw,
    deal=setup.deal,
    playout=playout.playout,
    playouts=playout.playouts,
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
        pace=Pace("cards", throughput.count_cards),
    )
