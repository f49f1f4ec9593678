"""Sanssouci: build a garden for the palace and let the nobles walk in it."""

from __future__ import annotations

from functools import partial

from pleasance.core.errors import extra_needed
from pleasance.core.game import Game, GameSpec, WireSerializers, check_options
from pleasance.games.sanssouci.display import story, text, wire
from pleasance.games.sanssouci.display.svg import picture
from pleasance.games.sanssouci.display.wire_types import SanssouciBox, SanssouciView
from pleasance.games.sanssouci.heuristics import HEURISTICS
from pleasance.games.sanssouci.rules import rules, scoring, setup, view
from pleasance.games.sanssouci.rules.actions import DRAWS, SPACE, Action, Outcome, parse
from pleasance.games.sanssouci.rules.state import Box, State, open_box

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
    options: tuple[str, ...] = (), components: str | None = None
) -> Game[State, Action, Outcome, view.View]:
    """Make the game with *options* and the text of a component file, or with the house set."""
    options = check_options(_SPEC, options)
    box = open_box(__name__, options, components)
    return Game(
        spec=_SPEC,
        options=options,
        data=box.components.data,
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
        render=text.render,
        describe=partial(text.describe, box.components),
        preview=text.preview,
        narrate=story.narrate,
        heuristics=HEURISTICS,
        kernel=partial(_make_kernel, box),
        train=_train,
        picture=picture.picture,
        wire=_make_wire(box),
    )


def _make_wire(box: Box) -> WireSerializers[view.View]:
    """Collect the serializers of a game with this box."""
    return WireSerializers(
        SanssouciView,
        SanssouciBox,
        wire.view_to_wire,
        wire.private_to_wire,
        partial(wire.box_to_wire, box),
    )


def _make_kernel(box: Box) -> object:
    """Build the kernel; the import is local because it loads the compiler."""
    from pleasance.games.sanssouci.exports import build_kernel  # noqa: PLC0415  (slow to import)

    return build_kernel(box)


def _train(arguments: list[str]) -> None:
    """Run the training script; the import is local because it loads the compiler."""
    with extra_needed("train"):
        from pleasance.games.sanssouci.training.train import main  # noqa: PLC0415  (slow to import)

    main(arguments)


GAME = game()
