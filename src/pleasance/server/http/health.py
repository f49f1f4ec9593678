"""Health checks: liveness and readiness."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE
from msgspec import Struct

from pleasance.server.base.logs import get_logger
from pleasance.server.live.site import Site, SiteDep
from pleasance.server.store.migrate import HEAD_REVISION, read_revision

_DATABASE_TIMEOUT_S = 3.0


class Phase(Enum):
    """The phase of a server."""

    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"


class Health(Struct, frozen=True):
    """The health of a server: `live`, `ready`, `starting`, `stopping` or `ailing`."""

    status: str
    checks: dict[str, bool]
    """The state of each part by its name."""


def set_phase(app: Litestar, phase: Phase) -> None:
    """Set the phase of the server."""
    app.state["phase"] = phase


def get_phase(app: Litestar) -> Phase:
    """Return the phase of the server; an app without a server is ready."""
    phase: Phase = app.state.get("phase", Phase.READY)
    return phase


async def check_database(site: Site) -> dict[str, bool]:
    """Check that the database answers in time, and that its schema is the current one."""
    try:
        async with asyncio.timeout(_DATABASE_TIMEOUT_S):
            version = await site.store.read(read_revision)
    except Exception as error:  # noqa: BLE001  (whatever it is, we are not ready)
        get_logger("health").warning("database_ails", error=error)
        return {"database": False, "schema": False}
    return {"database": True, "schema": version == HEAD_REVISION}


def check_bot_pool(site: Site) -> bool:
    """Check that bot processes run; remote workers are covered by the database check."""
    pids = getattr(site.bot_pool, "pids", None)
    return pids is None or bool(pids)


@get("/health/live", summary="Check liveness", sync_to_thread=False)
def read_live() -> Health:
    """Report that the process is alive."""
    return Health("live", {})


@get(
    "/health/ready",
    summary="Check readiness",
    responses={HTTP_503_SERVICE_UNAVAILABLE: ResponseSpec(Health, description="Not just now")},
)
async def read_ready(request: Request[Any, Any, Any], site: SiteDep) -> Response[Health]:
    """Report whether the server is ready: started, with a database and bot processes."""
    phase = get_phase(request.app)
    if phase is not Phase.READY:
        return Response(Health(phase.value, {}), status_code=HTTP_503_SERVICE_UNAVAILABLE)
    checks = {**await check_database(site), "bots": check_bot_pool(site)}
    is_well = all(checks.values())
    return Response(
        Health("ready" if is_well else "ailing", checks),
        status_code=HTTP_200_OK if is_well else HTTP_503_SERVICE_UNAVAILABLE,
    )


ROUTES = [read_live, read_ready]
"""The routes of this module."""
