"""The streams of this process, one a route, which all that send share."""

import asyncio
from collections.abc import Sequence

from channels.port import Channel
from core.store import DOWN
from core.tasks import end
from engine.jobs import every
from engine.sending.limits import Limits
from engine.sending.pass_on import NO_SHARE_SECONDS
from engine.sending.stream import RouteStream
from runtime.services import Services
from runtime.workers import living


class Streams:
    """One a process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.limits = Limits(services)
        self.stopping = services.stopping
        self._streams: dict[Channel, RouteStream] = {}
        self._retiring: set[asyncio.Task[None]] = set()
        self._workers: list[str] = []  # that were alive at the last look
        self.limits.receivers.share = self._part
        self.limits.receivers.freed = self._receiver_freed

    def of(self, route: Channel) -> RouteStream:
        """Returns the stream of a route; the first call makes it."""
        stream = self._streams.get(route)
        if stream is None:
            services = self._services
            stream = self._streams[route] = RouteStream(
                services.db,
                route,
                services.routes.label(route),
                self.limits,
                services.change_events,
                most=self._share(route),
            )
        return stream

    def share(self, workers: Sequence[str]) -> None:
        """Shares the routes that have a `total` among the workers that are alive."""
        self._workers = sorted({*workers, self._services.worker})
        for route, stream in [*self._streams.items()]:  # a delivery that is stopped may make another
            stream.share(self._share(route))

    def _share(self, route: Channel) -> int:
        total = self._services.routes.total(route)
        return route.batch if total is None else min(route.batch, self._part(total))

    def _part(self, total: int) -> int:
        """Returns this worker's part of a number that is for all workers together."""
        if not self._workers:  # until it is known who else there is
            return 1
        workers = self._workers
        return share_of(total, len(workers), workers.index(self._services.worker))

    def _receiver_freed(self) -> None:
        for stream in self._streams.values():
            stream.receiver_freed()

    def without_share(self, route: Channel) -> float:
        """Returns the seconds after which to look again if this worker has no share of the route; else 0."""
        return 0.0 if self._share(route) else NO_SHARE_SECONDS

    def retire(self, route: Channel) -> None:
        """Closes a route that was removed, when no message that has begun its way there is left."""
        task = asyncio.get_running_loop().create_task(self._close_when_done(route))
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _close_when_done(self, route: Channel) -> None:
        stream = self._streams.get(route)
        while stream is not None and stream.writer is not None and not stream.writer.done():
            await asyncio.wait([stream.writer])
        self._streams.pop(route, None)
        await route.close()

    async def close(self) -> None:
        """Ends all streams."""
        await end(self._retiring)
        for stream in [*self._streams.values()]:  # a delivery that is stopped meanwhile may make another
            await stream.close()


def share_of(total: int, workers: int, index: int) -> int:
    """Returns the share of the worker at `index` of a total: all shares together are the total."""
    return total // workers + (index < total % workers)


def streams_of(services: Services) -> Streams:
    """Returns the streams of this process."""
    return services.single(Streams, lambda: Streams(services), Streams.close)


@every(NO_SHARE_SECONDS)
async def share_routes(services: Services) -> None:
    """Looks which workers are alive, and shares the limits that are for all of them together.

    While Redis is away each worker keeps its share: one message at once, if it has not seen the others yet.
    """
    limited = streams_of(services).limits.receivers.limits_in_flight
    if not limited and not any(services.routes.total(route) for route in services.routes):
        return
    try:
        workers = [worker.name for worker in await living(services.store)]
    except DOWN:
        return
    streams_of(services).share(workers)
