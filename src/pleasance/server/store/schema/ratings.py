"""The tables of ratings, results and matchmaking."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table, Text

from pleasance.server.store.meta import metadata

ratings = Table(
    "ratings",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("seats", Integer, primary_key=True, autoincrement=False),
    Column("subject", String(60), primary_key=True),  # a player's id, or bot:<name>
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("ordinal", Float, nullable=False),  # mu - 3 sigma: the order of leaderboards
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("updated_at", Float, nullable=False),
    Index("ratings_by_ordinal", "game", "seats", "ordinal"),
    Index("ratings_by_subject", "subject"),
)
"""The rating of each player and bot, by game and number of seats."""

results = Table(
    "results",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("subject", String(60), nullable=False),
    Column("rank", Integer, nullable=False),
    Column("score", Integer),
    Column("has_left", Boolean, nullable=False),
    Column("mu_before", Float),  # all four are empty until the game is rated
    Column("sigma_before", Float),
    Column("mu_after", Float),
    Column("sigma_after", Float),
    Column("at", Float, nullable=False),
    Index("results_by_subject", "subject", "at", "table_id"),
)
"""The result of each seat of a rated game, and its rating before and after."""

pending_results = Table(
    "pending_results",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("at", Float, nullable=False),
)
"""Rated games whose results have not been applied to the ratings yet; nearly always empty."""

seeks = Table(
    "seeks",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("owner", String(40), nullable=False),  # of a bot; a person is its own
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON, in the order of the game
    Column("clock", Text),  # JSON
    Column("mu", Float, nullable=False),  # the rating when the player joined
    Column("joined_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("offer_at", Float, nullable=False),  # when bots are offered instead
    Column("has_offer", Boolean, nullable=False),
    Column("accepts_bots", Boolean, nullable=False),
    Column("match_id", String(40)),
    Column("nonce", String(128)),  # the player's part of the draws, once matched
    Column("is_ready", Boolean, nullable=False),  # all nonces are in: too late to leave
    Index("seeks_by_match", "match_id", "joined_at"),
)
"""Seeks: players who wait for opponents, one row each."""

matches = Table(
    "matches",
    metadata,
    Column("id", String(40), primary_key=True),  # also the id of the table to be opened
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("request", Text, nullable=False),  # JSON of the MatchRequest, the secret too
    Column("commitment", String(64), nullable=False),  # to the secret, before the nonces
    Column("has_bot", Boolean, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("ready_at", Float),  # when all nonces were in
    Column("leased_until", Float, nullable=False),  # of the server that opens the table
    Column("tries", Integer, nullable=False),
    Column("opened_at", Float),  # when the table was open
    Index("matches_to_open", "opened_at", "leased_until"),
)
"""Pairings, and whether their table is open yet."""
