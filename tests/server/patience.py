"""How long tests wait."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds after which a test no longer waits for what should have come at once."""
