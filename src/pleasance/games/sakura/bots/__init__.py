"""Bots of Sakura."""
