"""Playback: every moment of a game as one seat saw it, and the step that led to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from pleasance.core.game import AnyGame, Seat, SeenEvent
from pleasance.core.steps import AnyStep, redact_step
from pleasance.i18n.catalog import MessageCatalog, describe_event
from pleasance.server.base.view_codec import encode_view

MAX_FRAMES = 100
"""Frames in one response."""

Raw: TypeAlias = msgspec.Raw


class SeenToken(Struct, frozen=True):
    """The seat and the token of a choice or draw; `null` where hidden or public."""

    seat: int | None
    token: str | None


class Frame(Struct, frozen=True):
    """One moment of a game, and the step that led to it."""

    step: int
    """The number of steps so far."""

    tokens: tuple[SeenToken, ...]
    lines: tuple[str, ...]
    """The narration of the step."""

    scenes: Raw
    """The step in scenes for the animation of the board."""

    position: Raw
    legal: tuple[str, ...]
    scores: tuple[int, ...]


class GameSegment(Struct, frozen=True):
    """A segment of a game."""

    steps: int
    """The number of steps of the whole game so far."""

    revision: int
    """The revision of the record: frames of an older one are invalid."""

    frames: tuple[Frame, ...]


def frame_builder(
    game: AnyGame, steps: Sequence[AnyStep], seat: Seat | None, words: MessageCatalog
) -> Callable[[range], tuple[Frame, ...]]:
    """Make a function that builds frames for one seat; frame 0 is the start."""
    to_scenes = None if game.wire is None else game.wire.scenes

    def show(number: int) -> Frame:
        step = steps[max(0, number - 1)]
        state, seen = (step.after, redact_step(step, seat)) if number else (step.before, ())
        before, after = game.view(step.before, seat), game.view(state, seat)
        scenes = to_scenes(before, seen, after, words) if to_scenes is not None and number else ()
        return Frame(
            step=number,
            tokens=tuple(map(_seen_to_wire, seen)),
            lines=tuple(_tell(game, before, seen, after)(words)) if number else (),
            scenes=Raw(msgspec.json.encode(scenes)),
            position=Raw(encode_view(game, after, language=words.language)),
            legal=tuple(map(str, after.legal)),
            scores=tuple(game.scores(state)),
        )

    last = len(steps) if steps else -1
    return lambda wanted: tuple(show(number) for number in wanted if number <= last)


def _seen_to_wire(seen: SeenEvent) -> SeenToken:
    return SeenToken(seen.seat, None if seen.action is None else str(seen.action))


def _tell(
    game: AnyGame, before: object, seen: tuple[SeenEvent, ...], after: object
) -> Callable[[MessageCatalog], Iterator[str]]:
    def tell(words: MessageCatalog) -> Iterator[str]:
        told = (
            (describe_event(game, event, words) for event in seen)
            if game.narrate is None
            else game.narrate(before, seen, after, words)
        )
        yield from (text[:1].upper() + text[1:] for text in told)

    return tell
