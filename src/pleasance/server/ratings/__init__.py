"""Ratings: how strong everybody is, leaderboards, and the queue that finds opponents."""
