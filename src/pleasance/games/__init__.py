"""The games: one folder is one game, found by being there.

`PLEASANCE_GAMES` names folders that hold more games, separated as in `PATH`.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame

__path__ += [
    str(Path(folder).absolute())
    for folder in os.environ.get("PLEASANCE_GAMES", "").split(os.pathsep)
    if folder
]


def game_names() -> tuple[str, ...]:
    """List the games there are, by name."""
    return tuple(sorted({module.name for module in iter_modules(__path__) if module.ispkg}))


def find_game(name: str) -> AnyGame:
    """Find a game by its name, with no options and the data that comes with it."""
    if name not in game_names():
        raise BadSetupError("game_unknown", game=name, known=", ".join(game_names()))
    game: AnyGame = import_module(f"{__name__}.{name}").GAME
    assert game.spec.name == name, f"the game in games/{name} is called {game.spec.name}"
    return game
