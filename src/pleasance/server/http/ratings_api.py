"""Endpoints of ratings: leaderboards, profiles and results."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import PathParameter, QueryParameter

from pleasance.core.game import check_seats
from pleasance.games import find_game
from pleasance.server.base.messages import PATTERN_END
from pleasance.server.identity.dependencies import OptionalIdentityDep, error_responses
from pleasance.server.live.site import SiteDep
from pleasance.server.ratings import leaderboards
from pleasance.server.ratings.leaderboards import Leaders, Profile, Results

Limit = Annotated[int, QueryParameter(ge=1, le=100)]
After = Annotated[str | None, QueryParameter(min_length=1, max_length=200)]
Subject = Annotated[str, PathParameter(max_length=60, pattern=r"^[A-Za-z0-9_.:-]+" + PATTERN_END)]


@get("/api/ratings", responses=error_responses())
async def read_leaders(
    site: SiteDep,
    game: Annotated[str, QueryParameter(min_length=1, max_length=40)],
    seats: Annotated[int, QueryParameter(ge=1, le=6)],
    *,
    after: After = None,
    limit: Limit = 50,
) -> Leaders:
    """List the strongest players of a game with a number of seats."""
    check_seats(find_game(game), seats)
    return await site.store.read(
        lambda connection: leaderboards.list_leaders(
            connection, game, seats, after=after, limit=limit
        )
    )


@get("/api/players/{player:str}", responses=error_responses(404))
async def read_player(site: SiteDep, player: Subject) -> Profile:
    """Read the public profile of a player, or of a bot such as `bot:greedy`."""
    return await site.store.read(lambda connection: leaderboards.show_profile(connection, player))


@get("/api/players/{player:str}/results", responses=error_responses(404))
async def read_results(
    site: SiteDep,
    visitor: OptionalIdentityDep,
    player: Subject,
    *,
    after: After = None,
    limit: Limit = 50,
) -> Results:
    """List the results of a player's rated games, the newest first."""
    return await site.store.read(
        lambda connection: leaderboards.list_results(
            connection,
            player,
            visitor=None if visitor is None else visitor.id,
            after=after,
            limit=limit,
        )
    )


ROUTES = [read_leaders, read_player, read_results]
