#!/usr/bin/env python3
"""A bot that talks over standard input and output: one JSON line each way.

    pleasance arena sakura --players "exec:python examples/stdio_bot.py,random" --seats 3

It needs nothing but Python. In Sakura it tries to walk close behind the Emperor, in other games it
leaves all to luck; put your own ideas into `judge`. docs/guide/bots.md describes the protocol.
"""

import json
import random
import sys


def judge(token: str, view: dict, box: dict) -> float:
    """Tell how good a choice looks; `view` is what the seat sees, `box` what never changes."""
    if not isinstance(view, dict) or "emperor" not in view or not token.isdigit():
        return 0.0
    card = next(card for card in box["cards"] if card["card"] == int(token))
    walk = card["painter"]["steps"] if card["painter"]["move"] == "walk" else 0
    gap = view["emperor"] - view["painters"][view["seat"]] - walk
    return -float(gap) if gap > 1 else -100.0  # whoever reaches the Emperor is disgraced


def choose(question: dict, box: dict) -> str:
    """Choose the best looking legal token; luck decides between equals."""
    luck = random.Random(question["luck"])  # the same luck gives the same choice
    marks = {token: judge(token, question["view"], box) for token in question["legal"]}
    best = max(marks.values())
    return luck.choice([token for token, mark in marks.items() if mark == best])


def main() -> None:
    """Answer line by line until the input ends."""
    box: dict = {}
    for line in sys.stdin:
        told = json.loads(line)
        if "protocol" in told:  # the greeting: what is played, and what is in the box
            box = told["box"]
            answer = {"name": "example"}
        else:
            answer = {"choice": choose(told, box)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()  # somebody is waiting


if __name__ == "__main__":
    main()
