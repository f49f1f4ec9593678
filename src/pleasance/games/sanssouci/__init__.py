"""Sanssouci: build a garden for the palace and let the nobles walk in it."""

from __future__ import annotations

from functools import partial

from pleasance.core.data import load_builtin_components
from pleasance.core.game import Game, GameSpec, Wire, check_options
from pleasance.games.sanssouci import heuristics
from pleasance.games.sanssouci.display import story, text, wire
from pleasance.games.sanssouci.display.svg import picture
from pleasance.games.sanssouci.display.wire_types import SanssouciBox, SanssouciView
from pleasance.games.sanssouci.rules import rules, scoring, setup, view
from pleasance.games.sanssouci.rules.actions import DRAWS, SPACE, Action, Outcome, parse
from pleasance.games.sanssouci.rules.components import read_components
from pleasance.games.sanssouci.rules.state import Box, State

__all__ = ["GAME"]

_SEATS = range(2, 5)
_SPEC = GameSpec(
    name="sanssouci",
    rules_version="1",
    seats=_SEATS,
    package=__name__,
    options={"rewards": _SEATS, "boars": _SEATS},
    themes=("first", "second"),
)


def game(
    options: tuple[str, ...] = (), data: str | None = None
) -> Game[State, Action, Outcome, view.View]:
    """Make the game with *options* and the text of a component file, or the house set."""
    options = check_options(_SPEC, options)
    house = load_builtin_components(__name__)
    components = read_components(house if data is None else data, is_builtin=data in (None, house))
    box = Box(components, has_rewards="rewards" in options, has_boars="boars" in options)
    to_wire = partial(wire.box_to_wire, box)
    return Game(
        spec=_SPEC,
        options=options,
        data=components.data,
        space=SPACE,
        draws=DRAWS,
        parse=parse,
        start=partial(setup.start, box),
        turn=rules.turn,
        legal=rules.legal,
        play=rules.play,
        chances=rules.chances,
        reveal=rules.reveal,
        number=rules.number,
        scores=scoring.scores,
        winners=scoring.winners,
        decided_by=scoring.decided_by,
        score_items=scoring.score_items,
        view=view.view,
        imagine=view.imagine,
        configure=game,
        draw=text.draw,
        describe=partial(text.describe, components),
        preview=text.preview,
        recount=story.narrate,
        heuristics=heuristics.HEURISTICS,
        kernel=partial(_make_kernel, box),
        train=_train,
        picture=picture.picture,
        wire=Wire(SanssouciView, SanssouciBox, wire.view_to_wire, wire.private_to_wire, to_wire),
    )


def _make_kernel(box: Box) -> object:
    """Build the kernel; the import loads the compiler only when it is needed."""
    from pleasance.games.sanssouci.exports import build_kernel  # noqa: PLC0415  (slow to import)

    return build_kernel(box)


def _train(arguments: list[str]) -> None:
    """Run the training script; the import loads the compiler only when it is needed."""
    from pleasance.games.sanssouci.training.train import main  # noqa: PLC0415  (slow to import)

    main(arguments)


GAME = game()
