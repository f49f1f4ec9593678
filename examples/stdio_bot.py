#!/usr/bin/env python3
"""A bot over standard input and output: one JSON line each way.

    pleasance arena sakura --players "exec:python examples/stdio_bot.py,random" --seats 3

It needs nothing but Python. In Sakura it tries to walk close behind the Emperor, in other games it
chooses at random; put your own ideas into `evaluate`. docs/guide/bots.md describes the protocol.
"""

import json
import random
import sys


def evaluate(token: str, view: dict, box: dict) -> float:
    """Score a choice; `view` is the seat's view, `box` the facts that never change."""
    if not isinstance(view, dict) or "emperor" not in view or not token.isdigit():
        return 0.0
    card = next(card for card in box["cards"] if card["card"] == int(token))
    walk = card["painter"]["steps"] if card["painter"]["move"] == "walk" else 0
    gap = view["emperor"] - view["painters"][view["seat"]] - walk
    return -float(gap) if gap > 1 else -100.0  # a painter who reaches the Emperor is disgraced


def choose(question: dict, box: dict) -> str:
    """Choose the legal token of the best score; equal ones at random."""
    rng = random.Random(question["seed"])  # the same seed gives the same choice
    scores = {token: evaluate(token, question["view"], box) for token in question["legal"]}
    best = max(scores.values())
    return rng.choice([token for token, score in scores.items() if score == best])


def main() -> None:
    """Answer line by line until the input ends."""
    box: dict = {}
    for line in sys.stdin:
        message = json.loads(line)
        if "protocol" in message:  # the greeting announces the game and its box
            box = message["box"]
            answer = {"name": "example"}
        else:
            answer = {"choice": choose(message, box)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()  # the arena waits for it


if __name__ == "__main__":
    main()
