"""The rules of a round once more, as simply as possible: to be compared with the real ones.

Everything is done step by step on lists, the way one would move the pieces by hand; nothing is
shared with the rules but the texts of the house deck.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from pleasance.core.data import load_house
from pleasance.games.sakura.tests.scene import PACKAGE

HOUSE = tomllib.loads(load_house(PACKAGE))


class Board:
    """A path with pieces on it."""

    def __init__(self, emperor: int, painters: list[int], tokens: list[int], scored: int) -> None:
        self.emperor, self.painters, self.tokens, self.scored = emperor, painters, tokens, scored
        self.group = "2-4" if len(painters) < 5 else "5-6"
        self.sakura = HOUSE["path"][self.group]["sakura"]

    def step_painter(self, who: int, steps: int) -> None:
        """Lift a painter from space to space, forward or back."""
        direction = 1 if steps > 0 else -1
        place = self.painters[who]
        left = abs(steps)
        while left > 0:
            place += direction
            if place < 1:
                place = 0
                break
            if place == self.emperor:
                self.disgrace(who)
                return
            if place not in self.painters:
                left -= 1
        self.painters[who] = place

    def disgrace(self, who: int) -> None:
        """Send a painter back from the Emperor."""
        self.tokens[who] = max(0, self.tokens[who] - 1)
        self.painters[who] = -1
        place, left = self.emperor, 3
        while left > 0 and place > 0:
            place -= 1
            left -= place not in self.painters
        self.painters[who] = place

    def garden(self, text: str, way: int) -> bool:
        """Carry out a garden action; tell whether the Emperor stopped for a scoring."""
        who, steps = text[0], int(text[1:].replace("±", "")) * way
        standing = sorted(place for place in self.painters)
        if who == "C" and standing[-1] > 0:
            self.step_painter(self.painters.index(standing[-1]), steps)
        if who == "F" and standing[0] != standing[1]:
            self.step_painter(self.painters.index(standing[0]), steps)
        if who == "E":
            for _ in range(abs(steps)):
                self.emperor = max(1, self.emperor + (1 if steps > 0 else -1))
                if self.emperor in self.painters:
                    self.disgrace(self.painters.index(self.emperor))
                if self.emperor in self.sakura[self.scored :]:
                    return True
        return False

    def paint(self, who: int, text: str, way: int) -> None:
        """Carry out a painter action."""
        ahead = sorted(place for place in self.painters if place > self.painters[who])
        if text == "LEAP" and ahead:
            place = ahead[0]
            while place in self.painters:
                place += 1
            if place == self.emperor:
                self.disgrace(who)
            else:
                self.painters[who] = place
        elif text == "COUNT":
            self.step_painter(who, len(ahead))
        elif text != "LEAP":
            self.step_painter(who, int(text.replace("±", "")) * way)

    def score(self) -> None:
        """Pay by rank, and close ranks before the last sakura."""
        pay = list(HOUSE["scoring"][self.group])
        if self.scored == 2:
            pay[0] = HOUSE["scoring"]["last"]
        self.scored += 1
        in_gate = self.painters.count(0)
        line = sorted(range(len(self.painters)), key=lambda who: -self.painters[who])
        ranked = [who for who in line if self.painters[who] > 0 or in_gate == 1]
        for who, tokens in zip(ranked, pay, strict=False):
            self.tokens[who] += tokens
        if self.scored < 3 and ranked:
            first = self.painters[ranked[0]]
            for rank, who in enumerate(ranked):
                self.painters[who] = max(0, first - rank)

    def play(self, cards: list[int], ways: Iterator[int], players: int) -> None:
        """Resolve a round; *ways* answers each ± of a player."""
        for card in sorted(cards):
            who = cards.index(card)
            garden, painter = HOUSE["deck"][str(card)].split("/")
            stopped = self.garden(garden, next(ways) if "±" in garden and who < players else 1)
            self.paint(who, painter, next(ways) if "±" in painter and who < players else 1)
            if stopped:
                self.score()
                return
