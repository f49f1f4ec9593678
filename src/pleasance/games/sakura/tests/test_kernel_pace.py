"""The cards of a random game are counted as they are carried out."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from pleasance.compiled.kernel import Kernel
from pleasance.compiled.rng import make_luck
from pleasance.games.sakura import GAME
from pleasance.games.sakura.kernel.layout import NUMBER, PAINTERS

pytestmark = pytest.mark.slow  # the compiler alone takes longer than the fast part may


@pytest.mark.parametrize("seats", GAME.spec.seats)
def test_every_card_counts_but_those_that_a_sakura_cuts_off(seats: int) -> None:
    """K-18: cards that come after the one that brings the Emperor to a sakura are discarded."""
    assert GAME.kernel is not None
    kernel = cast("Kernel", GAME.kernel())
    assert kernel.pace is not None
    cuts = []
    for number in range(30):
        position, luck = kernel.pack(GAME.start(seats)), make_luck(str(number))
        played = position.copy()
        kernel.steps.playout(kernel.box, played, luck.copy())
        cards = kernel.pace.tally(kernel.box, position, luck)
        assert np.array_equal(position, played)
        painters, rounds = int(position[PAINTERS]), int(position[NUMBER])
        cuts.append(painters * rounds - cards)
        assert 0 <= cuts[-1] <= 3 * (painters - 1)
    assert any(cuts)
