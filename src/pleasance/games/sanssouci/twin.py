"""The compiled twin as one value, made when somebody asks for it."""

from __future__ import annotations

from functools import partial

from pleasance.compiled.kernel import Guide, Kernel, Pace, Steps
from pleasance.games.sanssouci import kernel_codes, kernel_guide, kernel_pace, kernel_setup
from pleasance.games.sanssouci.layout import SIZE
from pleasance.games.sanssouci.packing import pack, pack_box, pack_view, unpack
from pleasance.games.sanssouci.state import Box

STEPS = Steps(
    turn=kernel_codes.turn,
    legal=kernel_codes.legal,
    play=kernel_codes.play,
    chances=kernel_codes.chances,
    reveal=kernel_setup.reveal,
    draw=kernel_setup.draw,
    deal=kernel_setup.deal,
    playout=kernel_codes.playout,
    playouts=kernel_codes.playouts,
    scores=kernel_codes.scores,
    shares=kernel_codes.shares,
)

GUIDE = Guide(
    rank=kernel_guide.rank,
    playout=kernel_guide.playout,
    foresee=kernel_guide.foresee,
    make_desk=kernel_guide.make_desk,
)


def make_kernel(box: Box) -> Kernel:
    """Make the compiled twin of one configuration."""
    return Kernel(
        box=pack_box(box),
        size=SIZE,
        most_choices=kernel_codes.MOST_CHOICES,
        steps=STEPS,
        pack=pack,
        unpack=partial(unpack, box=box),
        pack_view=pack_view,
        guide=GUIDE,
        pace=Pace("turns", kernel_pace.count_turns),
    )
