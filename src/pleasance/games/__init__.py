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

_OWN_FOLDERS = [
    str(Path(folder).absolute())
    for folder in os.environ.get("PLEASANCE_GAMES", "").split(os.pathsep)
    if folder
]
__path__ += _OWN_FOLDERS


def game_names() -> tuple[str, ...]:
    """List the games there are, by name."""
    folders: dict[str, str] = {}
    for folder in dict.fromkeys(__path__):
        is_own = folder in _OWN_FOLDERS
        if is_own and not Path(folder).is_dir():
            raise BadSetupError("game_folder_missing", folder=folder)
        for module in iter_modules([folder]):
            if module.ispkg and folders.setdefault(module.name, folder) != folder and is_own:
                raise BadSetupError("game_name_taken", game=module.name, folder=folder)
    return tuple(sorted(folders))


def find_game(name: str) -> AnyGame:
    """Find a game by its name, with no options and the data that comes with it."""
    if name not in game_names():
        raise BadSetupError("game_unknown", game=name, known=", ".join(game_names()))
    module = import_module(f"{__name__}.{name}")
    if not hasattr(module, "GAME"):
        raise BadSetupError("game_value_missing", file=str(module.__file__))
    game: AnyGame = module.GAME
    assert game.spec.name == name, f"the game in games/{name} is called {game.spec.name}"
    return game
