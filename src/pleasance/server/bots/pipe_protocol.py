"""Serializer for the pipes between a bot pool and its processes: length-prefixed messages."""

from __future__ import annotations

from typing import BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from pleasance.server.bots.pool import MoveRequest

LENGTH_BYTES = 4
"""The size of the length in front of each message."""


class SelectAction(Struct, frozen=True, tag="select_action"):
    """Ask a process to select an action."""

    number: int
    request: MoveRequest


class Cancel(Struct, frozen=True, tag="cancel"):
    """Ask a process to stop a request whose result is no longer wanted."""

    number: int


PipeCommand: TypeAlias = SelectAction | Cancel


class Selected(Struct, frozen=True, tag="selected"):
    """Report the token of the selected action."""

    number: int
    token: str


class RequestFailed(Struct, frozen=True, tag="failed"):
    """Report that a bot failed, and where; never what it knew."""

    number: int
    reason: str


PipeReply: TypeAlias = Selected | RequestFailed

_encoder = msgspec.msgpack.Encoder()
_commands = msgspec.msgpack.Decoder(PipeCommand)
_replies = msgspec.msgpack.Decoder(PipeReply)


def encode_frame(message: PipeCommand | PipeReply) -> bytes:
    """Encode a message with its length in front."""
    body = _encoder.encode(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def decode_reply(body: bytes) -> PipeReply:
    """Decode a reply of a bot process."""
    reply: PipeReply = _replies.decode(body)
    return reply


def read_command(pipe: BinaryIO) -> PipeCommand | None:
    """Block until the next command; `None` when the pool has closed the pipe."""
    head = pipe.read(LENGTH_BYTES)
    body = pipe.read(int.from_bytes(head, "big"))
    if len(head) < LENGTH_BYTES or len(body) < int.from_bytes(head, "big"):
        return None
    command: PipeCommand = _commands.decode(body)
    return command
