"""Matchmaking: pairs players' seeks by rating and has a rated table opened for each pairing."""
