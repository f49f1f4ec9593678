"""Bots: they think in processes of their own, here or on other machines."""
