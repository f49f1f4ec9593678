"""The tables of ratings and of the queue."""

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
    Column("floor", Float, nullable=False),  # mu - 3 sigma, what leaderboards go by
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("updated_at", Float, nullable=False),
    Index("ratings_by_floor", "game", "seats", "floor"),
    Index("ratings_by_subject", "subject"),
)
"""How strong everybody is, for each game and number of seats."""

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
    Column("mu_before", Float),  # the four are empty until the game is settled
    Column("sigma_before", Float),
    Column("mu_after", Float),
    Column("sigma_after", Float),
    Column("at", Float, nullable=False),
    Index("results_by_subject", "subject", "at", "table_id"),
)
"""How each seat of a rated game ended, and what that did to the rating."""

unsettled = Table(
    "unsettled",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("at", Float, nullable=False),
)
"""Rated games whose results have not moved the ratings yet; nearly always empty."""

waiting = Table(
    "waiting",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("owner", String(40), nullable=False),  # whose bot it is; a person is its own
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON, in the order of the game
    Column("clock", Text),  # JSON
    Column("mu", Float, nullable=False),  # the rating when the player came
    Column("joined_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("offer_at", Float, nullable=False),  # when bots are offered if nobody comes
    Column("has_offer", Boolean, nullable=False),
    Column("accepts_bots", Boolean, nullable=False),
    Column("match_id", String(40)),
    Column("nonce", String(128)),  # what the player adds to the draws, once a match is found
    Column("is_ready", Boolean, nullable=False),  # all have added theirs: there is no way back
    Index("waiting_for_match", "match_id", "joined_at"),
)
"""Who waits for opponents; one line a player."""

matches = Table(
    "matches",
    metadata,
    Column("id", String(40), primary_key=True),  # also the id of the table to be opened
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("request", Text, nullable=False),  # JSON of the MatchRequest, the secret too
    Column("commitment", String(64), nullable=False),  # promises the secret before the nonces
    Column("has_bot", Boolean, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("ready_at", Float),  # when all players had added their nonces
    Column("leased_until", Float, nullable=False),  # some server opens the table until then
    Column("tries", Integer, nullable=False),
    Column("opened_at", Float),  # when the table was there
    Index("matches_to_open", "opened_at", "leased_until"),
)
"""Who was brought together, and whether their table is there."""
