"""A game as a reel: every moment of it as one seat saw it, and how each came about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from pleasance.core.game import AnyGame, Seat, Seen
from pleasance.core.steps import AnyStep, see_step
from pleasance.i18n.catalog import Words
from pleasance.server.base.view_codec import encode_view
from pleasance.server.page.log_in_words import tell_event

LONGEST = 100
"""How many frames are shown at once."""

Raw: TypeAlias = msgspec.Raw


class SeenToken(Struct, frozen=True):
    """Who chose or drew what, in notation; `null` where it is hidden, or everybody's."""

    seat: int | None
    token: str | None


class Frame(Struct, frozen=True):
    """One moment of a game, and the step that led to it."""

    step: int
    """After how many steps this is."""

    tokens: tuple[SeenToken, ...]
    lines: tuple[str, ...]
    """What the step made happen, in words."""

    scenes: Raw
    """The same moment by moment, as the game's board shows it."""

    position: Raw
    legal: tuple[str, ...]
    scores: tuple[int, ...]


class Reel(Struct, frozen=True):
    """A part of a game."""

    steps: int
    """How many steps the whole has by now."""

    undone: int
    """How often something was taken back: frames from before are worth nothing then."""

    frames: tuple[Frame, ...]


def show_frames(
    game: AnyGame, steps: Sequence[AnyStep], seat: Seat | None, words: Words
) -> Callable[[range], tuple[Frame, ...]]:
    """Make what shows the frames of a game to one seat; number 0 is the start."""
    stage = None if game.wire is None else game.wire.stage

    def show(number: int) -> Frame:
        step = steps[max(0, number - 1)]
        state, seen = (step.after, see_step(step, seat)) if number else (step.before, ())
        before, after = game.view(step.before, seat), game.view(state, seat)
        scenes = stage(before, seen, after, words) if stage is not None and number else ()
        return Frame(
            step=number,
            tokens=tuple(map(_show_seen, seen)),
            lines=tuple(_tell(game, before, seen, after)(words)) if number else (),
            scenes=Raw(msgspec.json.encode(scenes)),
            position=Raw(encode_view(game, after, language=words.language)),
            legal=tuple(map(str, after.legal)),
            scores=tuple(game.scores(state)),
        )

    last = len(steps) if steps else -1
    return lambda wanted: tuple(show(number) for number in wanted if number <= last)


def _show_seen(seen: Seen) -> SeenToken:
    return SeenToken(seen.seat, None if seen.action is None else str(seen.action))


def _tell(
    game: AnyGame, before: object, seen: tuple[Seen, ...], after: object
) -> Callable[[Words], Iterator[str]]:
    def tell(words: Words) -> Iterator[str]:
        told = (
            (tell_event(game, event, words) for event in seen)
            if game.recount is None
            else game.recount(before, seen, after, words)
        )
        yield from (text[:1].upper() + text[1:] for text in told)

    return tell
