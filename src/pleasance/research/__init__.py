"""Measure and study the games."""
