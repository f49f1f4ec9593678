"""Errors that refuse a request, each with its HTTP status."""

from __future__ import annotations

from typing import ClassVar

from pleasance.core.errors import PleasanceError


class ServerError(PleasanceError):
    """A refused request; the message comes from the server's catalog."""

    status: ClassVar[int] = 400


class BadRequestError(ServerError):
    """A request that cannot be read."""


class NotFoundError(ServerError):
    """A resource that does not exist, or is not visible to this player."""

    status = 404


class NotAuthenticatedError(ServerError):
    """A request without the session or access token it needs."""

    status = 401


class ForbiddenError(ServerError):
    """A request that this player has no permission for."""

    status = 403


class ConflictError(ServerError):
    """A request that conflicts with the current state."""

    status = 409


class TooManyRequestsError(ServerError):
    """A request over its rate limit."""

    status = 429


class UnavailableError(ServerError):
    """A request that cannot be served now: the disk is full, the database does not answer."""

    status = 503


class AppendConflictError(ServerError):
    """An append refused by optimistic concurrency: another process appended to the log first."""

    status = 409
