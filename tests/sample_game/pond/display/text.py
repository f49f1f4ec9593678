"""Text of the game: the picture of a view, and descriptions of actions."""

from __future__ import annotations

from pleasance.core.catalog import Messages, ScoreItem

from ..rules.actions import Action, Answer, Caught, Frog, Outcome, Rose, Say, Show
from ..rules.view import View


def render(view: View, words: Messages, width: int) -> str:  # noqa: ARG001  (no line is long)
    """Draw the pond: the water, and each seat's fish."""
    lines = [words("water", water=view.water.name.lower(), round=view.round)]
    for seat, (size, hand) in enumerate(zip(view.sizes, view.hands, strict=True), start=1):
        fish = "?" * size if hand is None else "".join(str(w) * n for w, n in enumerate(hand, 1))
        lines.append(words("seat_fish", seat=seat, fish=fish or "-"))
    return "\n".join(lines)


def describe(move: Action | Outcome | ScoreItem, words: Messages) -> str:
    """Describe a choice, an outcome or a score item in words."""
    match move:
        case ScoreItem():
            return words.score_item(move)
        case Show(weight):
            return words("action.show", weight=weight)
        case Say(answer):
            return words("action.say", answer=answer.name.lower())
        case Caught(weight):
            return words("outcome.fish", weight=weight)
        case Rose(water):
            return words("outcome.water", water=water.name.lower())
        case Frog(appetite):
            return words("outcome.frog", appetite=appetite)


def preview(view: View, action: Action, words: Messages) -> str:
    """Say what keeping the fish would bring; other choices speak for themselves."""
    is_kept = action == Say(Answer.KEEP)
    return words("preview.keep", points=view.bite) if is_kept else ""
