"""Bots: move requests are computed in bot processes, on this machine or by workers elsewhere."""
