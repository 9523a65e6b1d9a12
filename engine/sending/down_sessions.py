"""Says which sessions of routes are down in this worker, for the doctor: a route with several goes on with the others.

worker:down:NAME    JSON `{route: [sentence, …]}`, for ALIVE_SECONDS; absent if none is down. NAME is the worker's
"""

from collections.abc import Mapping, Sequence

import orjson

from channels.port import Channel
from core.store import Store
from engine.jobs import every
from runtime.services import Services
from runtime.workers import ALIVE_SECONDS, REPORT_SECONDS

_KEY = "worker:down:{}"


@every(REPORT_SECONDS)
async def report_down_sessions(services: Services) -> None:
    """Reports the sessions of this worker that are down."""
    down = {
        services.routes.name(route): sentences for route in services.routes if (sentences := _down(route))
    }
    key = _KEY.format(services.worker)
    if down:
        await services.store.attempt(
            lambda client: client.set(key, orjson.dumps(down), ex=ALIVE_SECONDS), None
        )
    else:
        await services.store.attempt(lambda client: client.delete(key), None)


def _down(route: Channel) -> Sequence[str]:
    sessions_down = getattr(route, "sessions_down", None)  # a route of sessions has it
    return sessions_down() if sessions_down is not None else []


async def down_sessions(store: Store, workers: Sequence[str]) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Returns the sentences by worker and route. Raises the errors of `core.store.DOWN`."""
    if not workers:
        return {}
    reports = await store.client.mget([_KEY.format(worker) for worker in workers])
    return {worker: orjson.loads(report) for worker, report in zip(workers, reports, strict=True) if report}
