"""Ratings of players and bots: updated after each rated game, shown on leaderboards."""
