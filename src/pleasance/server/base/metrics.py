"""Metrics for Prometheus: cheap where it is hot, and nothing in them names a table or a person.

Counting is plain arithmetic, far below a microsecond; the format is made when somebody asks. Each
meter is fed by one thread, so that none needs a lock.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from hmac import compare_digest
from ipaddress import ip_address
from typing import Any

from litestar import MediaType, Request, Response, get
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from pleasance import __version__
from pleasance.server.base import view_codec
from pleasance.server.base.errors import ForbiddenError
from pleasance.server.live.site import Here

_MOST_LABELS = 200
_SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_LONG = (0.01, 0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Gauge:
    """A number that goes up and down."""

    __slots__ = ("says", "value")

    def __init__(self, says: str) -> None:
        self.says = says
        self.value = 0.0

    def add(self, amount: float = 1) -> None:
        """Go up, or down by a negative amount."""
        self.value += amount

    def set(self, value: float) -> None:
        """Tell how much there is now."""
        self.value = value

    def collect(self, name: str) -> Metric:
        """Write the number down."""
        return GaugeMetricFamily(name, self.says, value=self.value)


class Counter:
    """A number that only goes up."""

    __slots__ = ("says", "value")

    def __init__(self, says: str) -> None:
        self.says = says
        self.value = 0

    def add(self, amount: int = 1) -> None:
        """Count."""
        self.value += amount

    def collect(self, name: str) -> Metric:
        """Write the number down."""
        return CounterMetricFamily(name, self.says, value=self.value)


class Kinds:
    """Numbers by kind; beyond 200 kinds all further ones count as `other`."""

    __slots__ = ("is_counter", "label", "says", "values")

    def __init__(self, says: str, label: str, *, is_counter: bool) -> None:
        self.says = says
        self.label = label
        self.is_counter = is_counter
        self.values: dict[str, float] = {}

    def add(self, kind: str, amount: float = 1) -> None:
        """Count one of a *kind*."""
        values = self.values
        if kind not in values and len(values) >= _MOST_LABELS:
            kind = "other"
        values[kind] = values.get(kind, 0) + amount

    def set(self, kind: str, value: float) -> None:
        """Tell how much there is of a *kind* now."""
        if kind in self.values or len(self.values) < _MOST_LABELS:
            self.values[kind] = value

    def collect(self, name: str) -> Metric:
        """Write the numbers down."""
        make = CounterMetricFamily if self.is_counter else GaugeMetricFamily
        family = make(name, self.says, labels=[self.label])
        for kind, value in sorted(self.values.copy().items()):
            family.add_metric([kind], value)
        return family


class Spread:
    """How long something takes, counted in steps."""

    __slots__ = ("bounds", "counts", "says", "total")

    def __init__(self, says: str, bounds: tuple[float, ...]) -> None:
        self.says = says
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def note(self, seconds: float) -> None:
        """Note that it took so many *seconds*."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def collect(self, name: str) -> Metric:
        """Write down how many took at most how long."""
        counts, steps, sofar = tuple(self.counts), [], 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
            sofar += count
            steps.append((bound, float(sofar)))
        return HistogramMetricFamily(name, self.says, buckets=steps, sum_value=self.total)


class Facts:
    """What stays as it is while the server runs."""

    __slots__ = ("says", "values")

    def __init__(self, says: str, **values: str) -> None:
        self.says = says
        self.values = values

    def collect(self, name: str) -> Metric:
        """Write the facts down."""
        return InfoMetricFamily(name, self.says, value=self.values)


IS_COMPILED = not view_codec.__file__.endswith(".py")
"""Whether the modules that are busiest run as mypyc has compiled them; see native/."""

CONNECTIONS = Gauge("Open WebSocket connections.")
WATCHERS = Gauge("Tables followed by connections, each counted once for each connection.")
ROOMS = Gauge("Tables held in memory.")
CHOICES = Counter("Choices taken and on disk.")
APPENDS = Spread("Seconds until new lines of a log were on disk.", _SHORT)
VIEWS = Spread("Seconds from a choice to the last view sent.", _SHORT)
THINKING = Spread("Seconds a bot took to choose, waiting included.", _LONG)
QUEUES = Kinds("How many wait: for the disk, a bot, an opponent.", "queue", is_counter=False)
REFUSALS = Kinds("Requests refused, by the code of the refusal.", "code", is_counter=True)
HOOKS = Kinds("Webhook calls, by how they ended.", "outcome", is_counter=True)

BUILD = Facts("The program.", version=__version__, compiled="yes" if IS_COMPILED else "no")

METERS: Mapping[str, Gauge | Counter | Kinds | Spread | Facts] = {
    "pleasance_connections": CONNECTIONS,
    "pleasance_watchers": WATCHERS,
    "pleasance_rooms": ROOMS,
    "pleasance_choices": CHOICES,
    "pleasance_append_seconds": APPENDS,
    "pleasance_choice_to_views_seconds": VIEWS,
    "pleasance_thinking_seconds": THINKING,
    "pleasance_queue_length": QUEUES,
    "pleasance_refusals": REFUSALS,
    "pleasance_hooks": HOOKS,
    "pleasance_build": BUILD,
}
"""All meters by the name that Prometheus knows them by."""


class _Meters(Collector):
    def collect(self) -> Iterator[Metric]:
        for name, meter in METERS.items():
            yield meter.collect(name)


def make_registry() -> CollectorRegistry:
    """Gather our meters, and what the system tells about this process."""
    registry = CollectorRegistry()
    registry.register(_Meters())
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    return registry


REGISTRY = make_registry()


@get(
    "/metrics",
    media_type=MediaType.TEXT,
    include_in_schema=False,
    sync_to_thread=False,
    opt={"exclude_from_limits": True},
)
def read_metrics(request: Request[Any, Any, Any], site: Here) -> Response[bytes]:
    """Give the metrics to who shows the token, or to this computer where none is set."""
    check_reader(request, site.settings.metrics_token)
    return Response(generate_latest(REGISTRY), headers={"content-type": CONTENT_TYPE_PLAIN_0_0_4})


def check_reader(request: Request[Any, Any, Any], token: str | None) -> None:
    """Refuse the metrics to whoever may not read them."""
    if token is not None:
        shown = request.headers.get("authorization", "")
        if not compare_digest(shown.encode(), f"Bearer {token}".encode()):
            raise ForbiddenError("metrics_token")
    elif not is_local(request):
        raise ForbiddenError("metrics_local")


def is_local(request: Request[Any, Any, Any]) -> bool:
    """Tell whether this computer asks for itself; what a proxy hands on comes from elsewhere."""
    is_proxied = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "via"))
    try:
        return (
            not is_proxied and ip_address(request.client.host if request.client else "").is_loopback
        )
    except ValueError:
        return False


ROUTES = [read_metrics]
"""What app.py mounts."""
