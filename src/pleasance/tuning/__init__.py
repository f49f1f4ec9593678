"""Calibrates levels and tunes the planner weights of any game."""
