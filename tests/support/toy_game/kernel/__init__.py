"""Compiled functions of the toy game."""
