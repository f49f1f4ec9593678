"""The Chromium of this machine."""

from __future__ import annotations

import shutil

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Find the browser; `None` where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")
