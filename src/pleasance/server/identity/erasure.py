"""To be forgotten: all that is kept of a player goes, while the server goes on."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from pleasance.server.identity.authentication import IdentitySite
from pleasance.server.identity.dependencies import announce
from pleasance.server.identity.personal_data import Keepers
from pleasance.server.identity.players import find_bots

FORGOTTEN = "forgotten:"
"""The topic that a player was taken out of all that is kept."""


async def forget_player(site: IdentitySite, keepers: Keepers, player: str) -> None:
    """Forget a player and the player's bots; seats in running games are given up first.

    What is large is looked through outside the one thread that writes. Until the player is gone for
    good, whatever fails leaves somebody who can ask again.
    """
    bots = await site.store.read(lambda connection: find_bots(connection, player))
    gone = (player, *(bot.id for bot in bots))
    for leave in keepers.leave:
        for each in gone:
            await leave(each)
    await _clear(site, keepers, gone)

    def forget(connection: Connection) -> None:
        for each in keepers.forget(connection, player):
            announce(site, connection, each)

    await site.store.write(forget)
    await _clear(site, keepers, gone)  # what was said meanwhile

    def tell(connection: Connection) -> None:
        for each in gone:
            site.store.publish(connection, f"{FORGOTTEN}{each}")

    await site.store.write(tell)


async def _clear(site: IdentitySite, keepers: Keepers, gone: Sequence[str]) -> None:
    """Take players out of what is large, a little at a time."""
    for change in await site.store.read(lambda connection: keepers.search(connection, gone)):
        await site.store.write(change)
