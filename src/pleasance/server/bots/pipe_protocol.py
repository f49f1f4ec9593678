"""What a crew and its workers say to each other: one length and one message at a time."""

from __future__ import annotations

from typing import BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from pleasance.server.bots.pool import Thought

HEAD = 4
"""Bytes in front of a message that tell its length."""


class Think(Struct, frozen=True, tag="think"):
    """Ask a worker for a choice."""

    number: int
    thought: Thought


class Drop(Struct, frozen=True, tag="drop"):
    """Tell a worker that nobody wants the answer any more."""

    number: int


class Warm(Struct, frozen=True, tag="warm"):
    """Ask a worker to get a game's compiled rules ready, besides its other work."""

    game: str


Order: TypeAlias = Think | Drop | Warm


class Answer(Struct, frozen=True, tag="answer"):
    """Give a choice in notation."""

    number: int
    token: str


class Failed(Struct, frozen=True, tag="failed"):
    """Tell that a bot failed, and where; what it knew is not told."""

    number: int
    reason: str


class Ready(Struct, frozen=True, tag="ready"):
    """Tell that a game's compiled rules are ready, or why they never will be."""

    game: str
    reason: str | None = None


Report: TypeAlias = Answer | Failed | Ready

_encoder = msgspec.msgpack.Encoder()
_orders = msgspec.msgpack.Decoder(Order)
_reports = msgspec.msgpack.Decoder(Report)


def pack(message: Order | Report) -> bytes:
    """Write a message with its length in front."""
    body = _encoder.encode(message)
    return len(body).to_bytes(HEAD, "big") + body


def read_report(body: bytes) -> Report:
    """Read what a worker reports."""
    report: Report = _reports.decode(body)
    return report


def read_order(pipe: BinaryIO) -> Order | None:
    """Wait for the next order; there is none when the crew has gone."""
    head = pipe.read(HEAD)
    body = pipe.read(int.from_bytes(head, "big"))
    if len(head) < HEAD or len(body) < int.from_bytes(head, "big"):
        return None
    order: Order = _orders.decode(body)
    return order
