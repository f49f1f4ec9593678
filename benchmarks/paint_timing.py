"""Measure the web app in a real browser: interaction to next paint, frame times, layout shift.

    python benchmarks/paint_timing.py --choices 40

plays Sanssouci with four gardens shown against three quick bots in Chromium, by mouse, and prints
one JSON object: the time from a click to its paint, the frame times during animations and the
layout shift of the page.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.chromium import FLAGS, find_chromium
from browser.gestures import click, sanssouci_by
from browser.player import BrowserPlayer, has_chosen
from pleasance.server.store.store import Store
from support.live_server import open_server

WATCH = """() => {
  const seen = (window.seen = { paints: [], shifts: [], frames: [] });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === "click") seen.paints.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) seen.shifts.push(entry.value);
  }).observe({ type: "layout-shift" });
  let last = performance.now();
  const beat = (now) => {
    if (document.getAnimations().some((each) => each.playState === "running"))
      seen.frames.push(now - last);
    last = now;
    requestAnimationFrame(beat);
  };
  requestAnimationFrame(beat);
}"""


def main() -> None:
    """Play a number of choices and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--choices", type=int, default=40)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        url = f"sqlite:///{home}/pleasance.db"
        Store.open(url).close()
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with open_server(url) as server:
            ada = BrowserPlayer(
                chromium, server.link, "Ada", viewport={"width": 1440, "height": 900}
            )
            seen = _play(ada, wanted.choices)
        chromium.close()
    print(json.dumps(_sum_up(seen), indent=2))  # noqa: T201  (what it is for)


def _play(ada: BrowserPlayer, choices: int) -> dict[str, list[float]]:
    table = ada.open_table("sanssouci", 4, bots=3)
    ada.visit(f"/t/{table}")
    ada.page.wait_for_selector("section.mine")
    ada.page.evaluate(WATCH)
    choose, rng = sanssouci_by(click), Random(1)
    for _ in range(choices):
        now = ada.wait(table, 0)
        if now["info"]["status"] != "running":
            break
        (view,) = now["views"]
        # The board accepts a choice only after the moves of others were animated.
        ada.page.wait_for_selector(".live, .stay:enabled")
        choose(ada.page, rng.choice(view["legal"]))
        ada.wait_until(table, partial(has_chosen, now, 0))
    seen: dict[str, list[float]] = ada.page.evaluate("window.seen")
    return seen


def _sum_up(seen: dict[str, list[float]]) -> dict[str, Any]:
    paints, frames = sorted(seen["paints"]), seen["frames"]
    return {
        "clicks": len(paints),
        "paint_median_ms": median(paints) if paints else 0.0,
        "paint_most_ms": max(paints, default=0.0),
        "frames": len(frames),
        "frame_median_ms": round(median(frames), 2) if frames else 0.0,
        "frame_p95_ms": round(quantiles(frames, n=20)[-1], 2) if len(frames) > 1 else 0.0,
        "shifted": round(sum(seen["shifts"]), 4),
    }


if __name__ == "__main__":
    main()
