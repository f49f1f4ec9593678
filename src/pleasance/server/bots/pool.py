"""Who thinks for the bots: what a thought is, what every crew can do, which bots it takes."""

from __future__ import annotations

import hashlib
import hmac
import io
import pickle
import zlib
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from msgspec import Struct, structs

from pleasance.core.budget import Thinking
from pleasance.core.errors import BadSetupError
from pleasance.core.game import AnyGame, AnyView
from pleasance.core.levels import LEVELS
from pleasance.games import find_game
from pleasance.players import player_names, takes_budget, with_budget
from pleasance.players.budget import parse_budget

LIMIT = 30.0
"""Seconds after which a bot has thought too long, whatever its budget."""

MOST_SIMULATIONS, MOST_SECONDS = 50_000, 10
"""The largest budgets a table may give a bot; well below the limit on a busy machine."""

_SPEED = 5_000.0
"""Simulations a second, roughly: only the order of waiting bots depends on it."""

_LOCAL = ("pleasance.core.", "pleasance.games.")
"""Where the classes of views live; nothing else is ever unpacked."""


class Thought(Struct, frozen=True):
    """One choice that a bot has to make, with all it may know."""

    table: str
    ply: int
    undone: int
    seat: int
    bot: str
    """Its name, with a budget after a colon where it takes one."""

    game: str
    options: tuple[str, ...]
    data: str | None
    """The text of the component file; `None` for the house set."""

    seed: str
    """The bot's luck: the same seed gives the same choice under a budget of simulations."""

    view: bytes
    """What the seat knows, from `pack_view`."""

    @property
    def key(self) -> str:
        """Name the position and who chooses there: one thought is never asked for twice."""
        return f"{self.table}:{self.seat}:{self.ply}:{self.undone}:{self.bot}"

    def by(self, bot: str) -> Thought:
        """Give the same thought to another bot."""
        return structs.replace(self, bot=bot)

    def by_stand_in(self) -> Thought:
        """Give the same thought to the bot that answers at once."""
        return self.by(find_stand_in(recall_game(self.game)))


class Advice(NamedTuple):
    """What a bot would choose, and which bot that was: a simpler one may have stood in."""

    token: str
    bot: str | None
    """`None` where nobody can tell."""


class Crew(Protocol):
    """Thinks for the bots of all tables."""

    async def start(self) -> None:
        """Get ready, so that the first thought finds somebody awake."""

    async def think(self, thought: Thought) -> str:
        """Give the choice in notation; to cancel the call ends the thinking."""

    async def advise(self, thought: Thought) -> Advice:
        """Give the choice, and tell who has really made it."""

    async def close(self) -> None:
        """Stop thinking; thoughts still asked for are refused."""


def seed_of(secret: bytes, seat: int, ply: int, undone: int) -> str:
    """Make a bot's luck from the secret of a table: nobody foresees it, all servers agree on it."""
    message = f"pleasance:bot:1:{seat}:{ply}:{undone}"
    return hmac.digest(secret, message.encode("ascii"), "sha256").hex()


def pack_view(view: AnyView[Any]) -> bytes:
    """Write a view as bytes that depend on nothing but what it tells.

    A pickle usually notes which parts are one and the same object, and that may differ between
    positions that look alike; without these notes it is longer, and shrinks well.
    """
    packed = io.BytesIO()
    pickler = _Pickler(packed, protocol=5)
    pickler.fast = True
    pickler.dump(view)
    return zlib.compress(packed.getvalue(), level=1)


def unpack_view(packed: bytes) -> AnyView[Any]:
    """Read a view that this program has packed; never call it with what a client sent."""
    view: AnyView[Any] = _Unpickler(io.BytesIO(zlib.decompress(packed))).load()
    return view


class _Pickler(pickle.Pickler):
    """Writes a member of a closed set as its class and value, whatever Python's own way is."""

    def reducer_override(self, value: object) -> Any:
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Knows the classes of views only."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith(_LOCAL) or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a view")
        return super().find_class(module, name)


def make_rng_seed(thought: Thought) -> bytes:
    """Turn the luck of a thought into what a generator is fed with."""
    return hashlib.sha256(f"pleasance:bot:{thought.seed}".encode()).digest()


def find_stand_in(game: AnyGame) -> str:
    """Name the bot that answers at once where another cannot."""
    return "random" if game.heuristics is None else "greedy"


@lru_cache
def recall_game(name: str) -> AnyGame:
    """Find a game by its name; only the first time is it looked for in its folder."""
    return find_game(name)


def is_quick(bot: str) -> bool:
    """Tell whether a bot answers at once."""
    return not takes_budget(_kind(bot))


def expect_seconds(bot: str) -> float:
    """Guess how long a bot will think."""
    kind, _, budget = with_budget(bot).partition(":")
    if not takes_budget(kind):
        return 0.0
    limit = parse_budget(budget)
    return limit.seconds if limit.seconds is not None else (limit.simulations or 0) / _SPEED


def check_bot(bot: str, game: AnyGame) -> None:
    """Refuse a bot that tables do not take: unknown, unfit for *game*, or thinking too long.

    Programs of this machine (`exec:…`) are unknown here, whoever asks for them.
    """
    kind, colon, budget = bot.partition(":")
    if kind not in player_names():
        raise BadSetupError("player_unknown", player=bot, known=", ".join(player_names()))
    _check_fit(kind, game)
    if colon and not takes_budget(kind):
        raise BadSetupError("player_no_budget", player=kind)
    if colon and not _is_modest(parse_budget(budget)):
        raise BadSetupError(
            "bot_budget", budget=budget, most=MOST_SIMULATIONS, seconds=MOST_SECONDS
        )


def _check_fit(kind: str, game: AnyGame) -> None:
    """Refuse a bot for which the game lacks something; does not load anything that is slow."""
    judges = game.heuristics
    needed = {
        "greedy": judges,
        "planner": judges and judges.plan,
        "network": judges and judges.learned,
        "master": judges and judges.search,
        **dict.fromkeys(LEVELS, judges and (judges.levels or None)),
    }
    if kind in needed and needed[kind] is None:
        raise BadSetupError("player_needs_heuristics", player=kind, game=game.spec.name)
    if takes_budget(kind) and game.kernel is None:
        raise BadSetupError("player_needs_kernel", player=kind, game=game.spec.name)


def _is_modest(budget: Thinking) -> bool:
    """Tell whether a budget stays within what tables allow."""
    simulations, seconds = budget
    return (simulations or 0) <= MOST_SIMULATIONS and (seconds or 0.0) <= MOST_SECONDS


def _kind(bot: str) -> str:
    return bot.partition(":")[0]
