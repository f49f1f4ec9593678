"""Compiled `rules/actions`: the first code of each kind of choice and draw."""

from __future__ import annotations

from pleasance.games.sanssouci.kernel.layout import CELLS

CODE_PLACE, CODE_WALK, CODE_STAY, CODE_SIDE, CODE_BOAR = 200, 254, 308, 309, 311
OUTCOME_GARDEN, OUTCOME_MISSION, OUTCOME_REWARDS, OUTCOME_CARD, OUTCOME_TILE = 4, 12, 21, 25, 45
MAX_CHOICES = CELLS + 1
