"""Dependency injection: the site holds everything a running server has, for all handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeAlias

from litestar.di import NamedDependency
from litestar.params import PathParameter, SkipValidation

from pleasance.server.base.messages import PATTERN_END

if TYPE_CHECKING:
    from pleasance.server.base.settings import ServerSettings
    from pleasance.server.bots.pool import BotPool
    from pleasance.server.live.hub import Hub
    from pleasance.server.store.store import Store


class Site:
    """The services of a server; a plain class, since no client ever sends one."""

    __slots__ = ("bot_pool", "clock", "hub", "settings", "store")

    def __init__(
        self,
        *,
        settings: ServerSettings,
        store: Store,
        bot_pool: BotPool,
        hub: Hub,
        clock: Callable[[], float],
    ) -> None:
        self.settings = settings
        self.store = store
        self.bot_pool = bot_pool
        self.hub = hub
        self.clock = clock
        """Returns the time in seconds since 1970; never goes back while the process runs."""


SiteDep: TypeAlias = NamedDependency[SkipValidation[Site]]
"""The site, as a handler's parameter."""

TablePath: TypeAlias = Annotated[
    str, PathParameter(min_length=8, max_length=40, pattern=r"^[a-z0-9]+" + PATTERN_END)
]
"""The id of a table, as a part of the path."""
