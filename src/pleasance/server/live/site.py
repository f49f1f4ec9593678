"""The site: everything a running server has, in one value that handlers are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

if TYPE_CHECKING:
    from pleasance.server.base.settings import Settings
    from pleasance.server.bots.pool import Crew
    from pleasance.server.live.hub import Hub
    from pleasance.server.store.store import Store


class Site:
    """What handlers need; a plain class, since nobody outside ever sends one."""

    __slots__ = ("clock", "crew", "hub", "settings", "store")

    def __init__(
        self,
        *,
        settings: Settings,
        store: Store,
        crew: Crew,
        hub: Hub,
        clock: Callable[[], float],
    ) -> None:
        self.settings = settings
        self.store = store
        self.crew = crew
        self.hub = hub
        self.clock = clock
        """Tells the time in seconds since 1970; never goes back while the process runs."""


Here: TypeAlias = NamedDependency[SkipValidation[Site]]
"""What a handler says that it wants the site."""
