"""The streams of this process, one a route, which all that send share."""

from channels.port import Channel
from engine.sending.limits import Limits
from engine.sending.stream import RouteStream
from runtime.services import Services


class Streams:
    """One a process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.limits = Limits(services)
        self.stopping = services.stopping
        self._streams: dict[Channel, RouteStream] = {}

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
                most=route.batch,
            )
        return stream

    async def close(self) -> None:
        """Ends all streams."""
        for stream in self._streams.values():
            await stream.close()


def streams_of(services: Services) -> Streams:
    """Returns the streams of this process."""
    return services.single(Streams, lambda: Streams(services), Streams.close)
