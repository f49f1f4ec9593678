"""Standings: the ranks of the seats of a finished game, and whether it counts for ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from pleasance.core.game import Seat


class Standing(NamedTuple):
    """The rank and score of one seat."""

    seat: Seat
    player: str | None
    """The player rated for the seat, even if a bot stood in; `None` for a bot's own seat."""

    bot: str | None
    """The bot rated for the seat; one that stands in for a player is not."""

    rank: int
    """1 is best; equals share the better number."""

    score: int | None
    has_left: bool
    """Whether the player resigned, ran out of time or was replaced, and did not come back."""

    @property
    def subject(self) -> str:
        """The key of a rating: a player's id, or `bot:` and the bot's name with its budget."""
        return self.player if self.player is not None else f"bot:{self.bot}"


class Holder(NamedTuple):
    """The holder of a seat; where there is a player, a bot only stands in."""

    player: str | None
    bot: str | None


def rank_seats(
    winners: Collection[Seat], scores: Sequence[int] | None, left: Sequence[Seat], seats: int
) -> tuple[int, ...]:
    """Rank *seats* seats: the winners, then by *scores*, then those that *left*, the first last.

    A resigned game has no scores: all who stayed share the first rank.

    >>> rank_seats(winners=(Seat(1),), scores=(30, 28, 35), left=(Seat(2),), seats=3)
    (2, 1, 3)
    """
    keys = [_key(Seat(seat), winners, scores, left) for seat in range(seats)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def _key(
    seat: Seat, winners: Collection[Seat], scores: Sequence[int] | None, left: Sequence[Seat]
) -> tuple[int, int]:
    """Make the sort key of a seat, the best first."""
    if seat in left:
        return 2, -left.index(seat)
    if scores is None or seat in winners:
        return 0, 0  # the rules say that winners are equals, whatever broke the tie for the others
    return 1, -scores[seat]


def make_standings(
    holders: Sequence[Holder],
    *,
    winners: Collection[Seat],
    scores: Sequence[int] | None,
    left: Sequence[Seat],
) -> tuple[Standing, ...]:
    """Make the standing of each seat; *left* lists the seats that left, in that order."""
    ranks = rank_seats(winners, scores, left, len(holders))
    return tuple(
        Standing(
            seat=Seat(number),
            player=holder.player,
            bot=holder.bot if holder.player is None else None,
            rank=ranks[number],
            score=None if scores is None else scores[number],
            has_left=number in left,
        )
        for number, holder in enumerate(holders)
    )


def counts(standings: Sequence[Standing], chose: Collection[Seat]) -> bool:
    """Return whether a rated game counts: each seat *chose* once, and no subject held two seats."""
    players = [standing.player for standing in standings if standing.player is not None]
    has_begun = all(standing.seat in chose for standing in standings)
    subjects = {standing.subject for standing in standings}
    return has_begun and len(players) == len(set(players)) and len(subjects) > 1
