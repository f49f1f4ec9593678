"""Training of the bots of Pond."""
