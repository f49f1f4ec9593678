"""Matches between players: who is stronger, with confidence intervals."""
