"""How much a random game holds, for benchmarks: its turns."""

from __future__ import annotations

from pleasance.compiled.jit import jit
from pleasance.compiled.kernel import Flat
from pleasance.compiled.rng import Luck
from pleasance.games.sanssouci.kernel.codes import playout
from pleasance.games.sanssouci.kernel.layout import TURNS


@jit
def count_turns(box: Flat, state: Flat, luck: Luck) -> int:
    """Play to the end as `playout` does, and count the turns."""
    before: int = state[TURNS]
    playout(box, state, luck)
    after: int = state[TURNS]
    return after - before
