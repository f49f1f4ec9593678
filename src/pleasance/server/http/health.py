"""Health: whether the process lives, and whether it should be sent anybody."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE
from msgspec import Struct

from pleasance.server.base.logs import get_log
from pleasance.server.live.site import Here, Site
from pleasance.server.store.migrate import HEAD, find_version

_PATIENCE = 3.0
"""Seconds that the database may take to answer."""


class Phase(Enum):
    """How far a server is."""

    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"


class Health(Struct, frozen=True):
    """How the server is: `live`, `ready`, `starting`, `stopping` or `ailing`, and what ails it."""

    status: str
    checks: dict[str, bool]
    """Each part by name, and whether it is well."""


def set_phase(app: Litestar, phase: Phase) -> None:
    """Note how far the server is."""
    app.state["phase"] = phase


def get_phase(app: Litestar) -> Phase:
    """Tell how far the server is; an app that nobody starts or stops is ready."""
    phase: Phase = app.state.get("phase", Phase.READY)
    return phase


async def check_database(site: Site) -> dict[str, bool]:
    """Tell whether the database answers in good time, and is as this version needs it."""
    try:
        async with asyncio.timeout(_PATIENCE):
            version = await site.store.read(find_version)
    except Exception as error:  # noqa: BLE001  (whatever it is, we are not ready)
        get_log("health").warning("database_ails", error=error)
        return {"database": False, "schema": False}
    return {"database": True, "schema": version == HEAD}


def check_crew(site: Site) -> bool:
    """Tell whether somebody thinks for the bots; workers elsewhere are as well as the database."""
    pids = getattr(site.crew, "pids", None)
    return pids is None or bool(pids)


@get("/health/live", summary="Tell whether the process lives", sync_to_thread=False)
def read_live() -> Health:
    """Tell that the process lives."""
    return Health("live", {})


@get(
    "/health/ready",
    summary="Tell whether the server can take players",
    responses={HTTP_503_SERVICE_UNAVAILABLE: ResponseSpec(Health, description="Not just now")},
)
async def read_ready(request: Request[Any, Any, Any], site: Here) -> Response[Health]:
    """Tell whether the server can take players: it runs, the database answers, bots can think."""
    phase = get_phase(request.app)
    if phase is not Phase.READY:
        return Response(Health(phase.value, {}), status_code=HTTP_503_SERVICE_UNAVAILABLE)
    checks = {**await check_database(site), "bots": check_crew(site)}
    is_well = all(checks.values())
    return Response(
        Health("ready" if is_well else "ailing", checks),
        status_code=HTTP_200_OK if is_well else HTTP_503_SERVICE_UNAVAILABLE,
    )


ROUTES = [read_live, read_ready]
"""What app.py mounts."""
