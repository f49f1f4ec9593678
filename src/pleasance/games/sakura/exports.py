"""The exports of compiled code: the kernel of the rules and the rollout policy."""

from __future__ import annotations

from functools import partial

from pleasance.compiled.kernel import Kernel, RolloutPolicy, RulesKernel, ThroughputUnit
from pleasance.games.sakura.bots.planner import rollout
from pleasance.games.sakura.kernel import playout, rules, scoring, view
from pleasance.games.sakura.kernel.actions import MAX_CHOICES
from pleasance.games.sakura.kernel.layout import SIZE
from pleasance.games.sakura.kernel.packing import pack, pack_constants, pack_view, unpack
from pleasance.games.sakura.rules.components import Box

RULES_KERNEL = RulesKernel(
    turn=rules.turn,
    legal=rules.legal,
    play=rules.play,
    chances=rules.chances,
    reveal=rules.reveal,
    draw=playout.draw,
    deal=view.imagine,
    playout=playout.playout,
    playouts=playout.playouts,
    scores=scoring.scores,
    shares=scoring.shares,
)

ROLLOUT_POLICY = RolloutPolicy(
    rank=rollout.rank,
    playout=rollout.playout,
    truncated_rollout=rollout.truncated_rollout,
    make_workspace=rollout.make_workspace,
)


def build_kernel(box: Box) -> Kernel:
    """Build the kernel of one configuration."""
    return Kernel(
        constants=pack_constants(box),
        size=SIZE,
        max_choices=MAX_CHOICES,
        rules=RULES_KERNEL,
        pack=pack,
        unpack=partial(unpack, box=box),
        pack_view=pack_view,
        rollout_policy=ROLLOUT_POLICY,
        throughput_unit=ThroughputUnit("cards", playout.count_cards),
    )
