"""Bot pool: the interface that computes bots' moves, its requests, and the codec of their views."""

from __future__ import annotations

import hashlib
import hmac
import io
import pickle
import zlib
from abc import abstractmethod
from enum import Enum
from typing import Any, NamedTuple, Protocol

from msgspec import Struct, structs

from pleasance.core.game import AnyView
from pleasance.players.registry import fallback_player
from pleasance.server.bots.eligibility import cached_game

MOVE_TIMEOUT_S = 30.0
"""A bot that takes longer is replaced by the fallback player, whatever its budget."""

_VIEW_MODULES = ("pleasance.core.", "pleasance.games.")
"""The package that defines the classes of views; nothing else is ever unpickled."""


class MoveRequest(Struct, frozen=True):
    """A request to select one action for a bot, with everything the bot may know."""

    table: str
    ply: int
    revision: int
    seat: int
    bot: str
    """The player name, with a budget after a colon where it takes one."""

    game: str
    options: tuple[str, ...]
    data: str | None
    """The text of the component file; `None` for the standard components."""

    seed: str
    """Seed of the bot's generator: equal seeds give equal moves under a simulation budget."""

    view: bytes
    """The view of the seat, from `pack_view`."""

    @property
    def key(self) -> str:
        """The idempotency key: position, seat and bot. Each key is computed only once."""
        return f"{self.table}:{self.seat}:{self.ply}:{self.revision}:{self.bot}"

    def with_bot(self, bot: str) -> MoveRequest:
        """Copy the request for another bot."""
        return structs.replace(self, bot=bot)

    def with_fallback(self) -> MoveRequest:
        """Copy the request for the bot that answers at once."""
        return self.with_bot(fallback_player(cached_game(self.game)))


class SelectedMove(NamedTuple):
    """The selected action and the bot that selected it, which may be a fallback."""

    token: str
    bot: str | None
    """`None` where the pool does not know."""


class BotPool(Protocol):
    """Computes the moves of the bots of all tables."""

    async def start(self) -> None:
        """Start the processes or subscriptions, so that the first request finds them ready."""

    async def select_action(self, request: MoveRequest) -> str:
        """Return the token of the selected action; cancelling the call cancels the search."""
        return (await self.select_move(request)).token

    @abstractmethod
    async def select_move(self, request: MoveRequest) -> SelectedMove:
        """Return the selected action and the bot that really selected it."""

    async def close(self) -> None:
        """Stop; requests still open are refused."""


def derive_bot_seed(secret: bytes, seat: int, ply: int, revision: int) -> str:
    """Derive a bot's seed from the secret of a table: unpredictable, but equal on all servers."""
    message = f"pleasance:bot:1:{seat}:{ply}:{revision}"
    return hmac.digest(secret, message.encode("ascii"), "sha256").hex()


def pack_view(view: AnyView[Any]) -> bytes:
    """Serialize a view to bytes that depend only on its values.

    A pickle usually records which parts are the same object, and that may differ between positions
    that look alike; `fast` leaves this out, which makes it longer, but it compresses well.
    """
    packed = io.BytesIO()
    pickler = _Pickler(packed, protocol=5)
    pickler.fast = True
    pickler.dump(view)
    return zlib.compress(packed.getvalue(), level=1)


def unpack_view(packed: bytes) -> AnyView[Any]:
    """Deserialize a view from `pack_view`; never call it with data that a client sent."""
    view: AnyView[Any] = _Unpickler(io.BytesIO(zlib.decompress(packed))).load()
    return view


class _Pickler(pickle.Pickler):
    """Writes an enum member as its class and value, on every version of Python."""

    def reducer_override(self, value: object) -> Any:
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Loads only the classes of views."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith(_VIEW_MODULES) or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a view")
        return super().find_class(module, name)


def make_rng_seed(request: MoveRequest) -> bytes:
    """Hash the seed of a request into the seed of its random generator."""
    return hashlib.sha256(f"pleasance:bot:{request.seed}".encode()).digest()
