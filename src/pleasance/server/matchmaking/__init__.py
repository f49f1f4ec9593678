"""Matchmaking: seeks wait in a queue, pairing opens rated tables."""
