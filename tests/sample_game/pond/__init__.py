"""Pond: a tiny game of fishing."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from pleasance.core.game import Game, GameSpec, check_options

from .display import text
from .heuristics import HEURISTICS
from .rules import rules, scoring, view
from .rules.actions import DRAWS, SPACE, Action, Outcome, parse
from .rules.components import read_box
from .rules.state import State
from .training import train

Pond: TypeAlias = Game[State, Action, Outcome, view.View]

SPEC = GameSpec(
    name="pond",
    rules_version="1",
    seats=range(2, 4),
    package=__name__,
    options={"frogs": range(3, 4)},
)


def game(options: tuple[str, ...] = (), components: str | None = None) -> Pond:
    """Make the game with *options* and the text of a component file."""
    options = check_options(SPEC, options)
    box = read_box(options, components, __name__)
    return Game(
        spec=SPEC,
        options=options,
        data=box.data,
        space=SPACE,
        draws=DRAWS,
        parse=parse,
        start=partial(rules.start, box),
        turn=rules.turn,
        legal=rules.legal,
        play=rules.play,
        chances=rules.chances,
        reveal=rules.reveal,
        number=lambda state: state.round,
        scores=scoring.scores,
        winners=scoring.winners,
        decided_by=scoring.decided_by,
        score_items=scoring.score_items,
        view=view.view,
        imagine=view.imagine,
        configure=game,
        render=text.render,
        describe=text.describe,
        preview=text.preview,
        heuristics=HEURISTICS,
        train=train.main,
    )


GAME = game()
