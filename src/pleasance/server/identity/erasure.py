"""Erasure of personal data (GDPR, right to erasure), without stopping the server."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from pleasance.server.identity.authentication import IdentitySite
from pleasance.server.identity.dependencies import publish_identity_change
from pleasance.server.identity.personal_data import PersonalDataSources
from pleasance.server.identity.players import find_bots
from pleasance.server.store.topics import ERASED_PREFIX


async def erase_player(site: IdentitySite, sources: PersonalDataSources, player: str) -> None:
    """Erase a player and the player's bots, after resigning their running games.

    Large tables are searched outside the writer thread. Until the player row is erased, a failure
    leaves an identity that can send the request again.
    """
    bots = await site.store.read(lambda connection: find_bots(connection, player))
    players = (player, *(bot.id for bot in bots))
    for leave in sources.leave_games:
        for each in players:
            await leave(each)
    await _run_erasure_steps(site, sources, players)

    def erase(connection: Connection) -> None:
        for each in sources.erase(connection, player):
            publish_identity_change(site, connection, each)

    await site.store.write(erase)
    await _run_erasure_steps(site, sources, players)  # for entries written meanwhile

    def publish(connection: Connection) -> None:
        for each in players:
            site.store.publish(connection, f"{ERASED_PREFIX}{each}")

    await site.store.write(publish)


async def _run_erasure_steps(
    site: IdentitySite, sources: PersonalDataSources, players: Sequence[str]
) -> None:
    """Erase players from large tables in small transactions."""
    for step in await site.store.read(lambda connection: sources.plan_erasure(connection, players)):
        await site.store.write(step)
