"""Play, learn and research two garden games: Sanssouci and Sakura."""

__version__ = "0.1.0"
