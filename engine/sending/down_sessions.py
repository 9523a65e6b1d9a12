"""Says which sessions of routes are down in each worker, for the doctor, /metrics and the log: a route with several
goes on with the others.

worker:down:NAME    JSON `{route: [sentence, …]}` of the worker's routes that have sessions, with no sentence if all are
                    bound; for ALIVE_SECONDS. Absent without such routes. NAME is the worker's
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import orjson
import structlog

from core.store import Store
from engine.jobs import every
from runtime.services import Services
from runtime.workers import ALIVE_SECONDS, REPORT_SECONDS

log = structlog.get_logger("engine.sending")

_KEY = "worker:down:{}"
_MOST = 10  # sentences in a line of the log

Reports = Mapping[str, Mapping[str, Sequence[str]]]
"""A sentence for each session that is down, by worker and route."""


class _Logged:
    """Holds how many sessions of each route were down when this worker looked last."""

    def __init__(self) -> None:
        self.numbers: Mapping[str, int] = {}


@every(REPORT_SECONDS)
async def report_down_sessions(services: Services) -> None:
    """Reports the sessions of this worker that are down, and logs changes of their number."""
    reported: dict[str, Sequence[str]] = {
        services.routes.name(route): sessions_down()
        for route in services.routes
        if (sessions_down := getattr(route, "sessions_down", None)) is not None  # a route of sessions has it
    }
    _log_changes(services.single(_Logged, _Logged), reported)
    key = _KEY.format(services.worker)
    if reported:
        await services.store.attempt(
            lambda client: client.set(key, orjson.dumps(reported), ex=ALIVE_SECONDS), None
        )
    else:
        await services.store.attempt(lambda client: client.delete(key), None)


def _log_changes(logged: _Logged, reported: Mapping[str, Sequence[str]]) -> None:
    for route, sentences in reported.items():
        before, number = logged.numbers.get(route, 0), len(sentences)
        if number and number != before:
            log.warning(
                "sessions of a route are down", route=route, number=number, why=" ".join(sentences[:_MOST])
            )
        elif before and not number:
            log.warning("all sessions of a route are bound again", route=route)
    logged.numbers = {route: len(sentences) for route, sentences in reported.items()}


async def down_sessions(store: Store, workers: Sequence[str]) -> Reports:
    """Returns what these workers have reported last. Raises the errors of `core.store.DOWN`."""
    if not workers:
        return {}
    reports = await store.client.mget([_KEY.format(worker) for worker in workers])
    return {worker: orjson.loads(report) for worker, report in zip(workers, reports, strict=True) if report}


def numbers_by_route(reports: Reports) -> Mapping[str, int]:
    """Returns how many sessions of each route that has some are down, in all workers together."""
    numbers: Counter[str] = Counter()
    for by_route in reports.values():
        numbers.update({route: len(sentences) for route, sentences in by_route.items()})
    return numbers
