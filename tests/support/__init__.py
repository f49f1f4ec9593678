"""Helpers for tests of the server: chaos, clients over HTTP and WebSocket, databases, processes."""

from __future__ import annotations

NONCE = "5a" * 16

TIMEOUT_S = 60.0
"""Limit for whatever should happen at once."""

LIMITS_FACTOR = 100_000.0
"""Factor of all rate limits in tests that are not about limits."""
