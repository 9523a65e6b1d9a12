"""Prometheus metrics. `/metrics` answers requests from loopback, and those with POSTERN_METRICS_TOKEN."""

from functools import lru_cache
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

WORKERS = CollectorRegistry(auto_describe=True)
"""Workers count in this registry. They have no port: `runtime.workers` brings their numbers to `/metrics`."""

REQUESTS = Counter("postern_requests", "HTTP requests", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("postern_request_seconds", "Time to answer an HTTP request", ["route"])
OPERATIONS_FAILED = Counter("postern_operations_failed", "Operations that failed", ["operation", "code"])
HANDOVERS = Counter(
    "postern_handovers",
    "Messages handed to a provider, by what became of them",
    ["channel", "driver", "result"],
    registry=WORKERS,
)
DRAIN_SECONDS = Histogram(
    "postern_drain_batch_seconds", "Time to send one batch of messages", ["channel"], registry=WORKERS
)
CLICKS = Counter(
    "postern_clicks", "Clicks on the links of projects' emails, by what was recorded of them", ["result"]
)
SMTP_SUBMISSIONS = Counter(
    "postern_smtp_submissions", "Mails that were submitted by SMTP, by result", ["result"], registry=WORKERS
)
SMTP_REFUSED = Counter(
    "postern_smtp_refused", "Connections and logins of SMTP that were refused", ["reason"], registry=WORKERS
)
ALLOWLIST_ENTRIES = Gauge("postern_allowlist_entries", "Networks in the IP allowlist")

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


@lru_cache(4096)
def _series(method: str, route: str, status: int) -> tuple[Any, Any]:
    """The result is cached, since finding a series costs more than counting in it."""
    return (
        REQUESTS.labels(method if method in _METHODS else "-", route, str(status)),
        REQUEST_SECONDS.labels(route),
    )


def observe(method: str, route: str, status: int, seconds: float) -> None:
    """Counts an answered request. `route` is the route's pattern, so that the number of series is bounded."""
    count, time = _series(method, route, status)
    count.inc()
    time.observe(seconds)
