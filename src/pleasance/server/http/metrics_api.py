"""The HTTP endpoint of the Prometheus metrics."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address
from typing import Any

from litestar import MediaType, Request, Response, get
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from pleasance.server.base.errors import ForbiddenError
from pleasance.server.base.metrics import REGISTRY
from pleasance.server.live.site import SiteDep


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False, sync_to_thread=False)
def read_metrics(request: Request[Any, Any, Any], site: SiteDep) -> Response[bytes]:
    """Return the metrics to a client with the token, or on this computer if none is set."""
    check_reader(request, site.settings.metrics_token)
    return Response(generate_latest(REGISTRY), headers={"content-type": CONTENT_TYPE_PLAIN_0_0_4})


def check_reader(request: Request[Any, Any, Any], token: str | None) -> None:
    """Refuse a client that may not read the metrics."""
    if token is not None:
        sent = request.headers.get("authorization", "")
        if not compare_digest(sent.encode(), f"Bearer {token}".encode()):
            raise ForbiddenError("metrics_token")
    elif not is_local(request):
        raise ForbiddenError("metrics_local")


def is_local(request: Request[Any, Any, Any]) -> bool:
    """Return whether this computer sent the request; one that a proxy forwards counts as remote."""
    is_proxied = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "via"))
    try:
        return (
            not is_proxied and ip_address(request.client.host if request.client else "").is_loopback
        )
    except ValueError:
        return False


ROUTES = [read_metrics]
"""The endpoints that app.py mounts."""
