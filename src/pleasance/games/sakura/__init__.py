"""Sakura: painters follow the Emperor through his garden, but not too closely."""

from __future__ import annotations

from functools import partial

from pleasance.core.errors import extra_needed
from pleasance.core.game import Game, GameSpec, WireSerializers, check_options
from pleasance.games.sakura.display import scenes, story, text, wire
from pleasance.games.sakura.display.svg import picture
from pleasance.games.sakura.display.wire_types import SakuraBox, SakuraScene, SakuraView
from pleasance.games.sakura.heuristics import HEURISTICS
from pleasance.games.sakura.rules import rules, scoring, view
from pleasance.games.sakura.rules.actions import DRAWS, SPACE, Choice, Dealt, parse
from pleasance.games.sakura.rules.components import SEATS, Box, open_box
from pleasance.games.sakura.rules.state import State

__all__ = ["GAME"]

_SPEC = GameSpec(
    name="sakura",
    rules_version="1",
    seats=SEATS,
    package=__name__,
    options={rules.TACTICAL: range(2, 3)},
)


def game(
    options: tuple[str, ...] = (), components: str | None = None
) -> Game[State, Choice, Dealt, view.View]:
    """Make the game with *options* and the text of a component file, or with the house set."""
    box = open_box(__name__, check_options(_SPEC, options), components)
    return Game(
        spec=_SPEC,
        options=box.options,
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
        number=rules.number,
        scores=scoring.scores,
        winners=scoring.winners,
        decided_by=scoring.decided_by,
        score_items=scoring.score_items,
        view=view.view,
        imagine=view.imagine,
        configure=game,
        render=text.render,
        describe=partial(text.describe, box),
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
        SakuraView,
        SakuraBox,
        wire.view_to_wire,
        wire.private_to_wire,
        partial(wire.box_to_wire, box),
        scenes=scenes.step_to_scenes,
        scene_type=SakuraScene,
        seat_colors=tuple(painter.color for painter in box.painters),
    )


def _make_kernel(box: Box) -> object:
    """Build the kernel; the import is local because it loads the compiler."""
    from pleasance.games.sakura.exports import build_kernel  # noqa: PLC0415  (slow to import)

    return build_kernel(box)


def _train(arguments: list[str]) -> None:
    """Run the training script; the import is local because it loads the compiler."""
    with extra_needed("train"):
        from pleasance.games.sakura.training.train import main  # noqa: PLC0415  (slow to import)

    main(arguments)


GAME = game()
