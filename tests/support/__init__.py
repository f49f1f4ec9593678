"""Helpers that several tests share.

- `cli`: the command line in this process.
- `app_client`: an app without a network, and its HTTP clients.
- `hub_harness`: the rooms of a server without HTTP.
- `live_server`, `http_client`, `ws_client`: a server on a port, and its clients.
- `programs`: programs that run to their end.
- `server_process`, `fork_server`, `certificates`: servers and workers as processes, and TLS.
- `postgres`, `rows`: databases and their rows.
- `chaos`: random clients and killed servers, with a check that nothing is lost.
- `hidden_worlds`, `world_transcript`: games that differ only in what is hidden from one seat.
- `transcript`: the example conversation of the protocol page.
"""

from __future__ import annotations

NONCE = "5a" * 16
"""A valid nonce for the draws of a game."""

PASSWORD = "violet anchor seventeen"
"""A password that passes every check."""

TIMEOUT_S = 60.0
"""Limit for anything that should happen at once."""

LIMITS_FACTOR = 100_000.0
"""Factor of all rate limits in tests that are not about limits."""
