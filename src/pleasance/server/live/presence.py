"""Who is connected, here and to other servers, and since when somebody is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

ALIVE = "alive:"
HERE = "here:"
ROLL = "roll"
"""Topics: a server lives; a player came to a server or left it; all servers shall tell all."""

_LONG = 86_400.0
SILENT = 35.0
"""Seconds after which a server that says nothing is thought to be dead."""


class Presence:
    """Counts connections: those of this server, and what other servers say of theirs."""

    def __init__(self, clock: Callable[[], float], server: str) -> None:
        self._clock = clock
        self._server = server
        self._here: Counter[str] = Counter()
        self._elsewhere: dict[str, set[str]] = {}
        self._servers: dict[str, float] = {}
        self._gone: dict[str, float] = {}
        self._since = clock()

    def come(self, player: str) -> bool:
        """Note a connection; tell whether it is this player's first one here."""
        self._here[player] += 1
        self._gone.pop(player, None)
        return self._here[player] == 1

    def go(self, player: str) -> bool:
        """Note the end of a connection; tell whether it was this player's last one here."""
        self._here[player] -= 1
        if self._here[player] > 0:
            return False
        del self._here[player]
        if player not in self._elsewhere:
            self._gone[player] = self._clock()
        return True

    def hear(self, topic: str) -> None:
        """Note what another server says."""
        kind, *parts = topic.split(":")
        if kind == "alive":
            self._servers[parts[0]] = self._clock()
        elif kind == "here" and parts[1] != self._server:
            self._servers[parts[1]] = self._clock()
            self._move(parts[0], parts[1], is_here=parts[2] == "1")

    def drop_silent(self) -> None:
        """Think of servers that have long been silent as dead, and of their players as gone."""
        now = self._clock()
        # Who is not noted has been gone for as long as we look, which is long enough.
        self._gone = {player: at for player, at in self._gone.items() if now - at < _LONG}
        for server, heard in tuple(self._servers.items()):
            if now - heard > SILENT:
                del self._servers[server]
                for player, servers in tuple(self._elsewhere.items()):
                    if server in servers:
                        self._move(player, server, is_here=False)

    def is_here(self, player: str | None) -> bool:
        """Tell whether a player is connected, to whichever server."""
        return player is not None and (player in self._here or player in self._elsewhere)

    def gone_for(self, player: str) -> float:
        """Tell for how many seconds nobody has seen a player; at most as long as we look."""
        if self.is_here(player):
            return 0.0
        return self._clock() - self._gone.get(player, self._since)

    def topics(self) -> list[str]:
        """Tell all that other servers should know of this one."""
        here = [self.topic(player, is_here=True) for player in self._here]
        return [f"{ALIVE}{self._server}", *here]

    def topic(self, player: str, *, is_here: bool) -> str:
        """Tell that a player has come to this server or has left it."""
        return f"{HERE}{player}:{self._server}:{int(is_here)}"

    def _move(self, player: str, server: str, *, is_here: bool) -> None:
        servers = self._elsewhere.setdefault(player, set())
        if is_here:
            servers.add(server)
            self._gone.pop(player, None)
            return
        servers.discard(server)
        if not servers:
            del self._elsewhere[player]
            if player not in self._here:
                self._gone[player] = self._clock()
