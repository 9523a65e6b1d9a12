"""What is announced to whoever listens now: live updates for GraphQL subscriptions, through Redis.

Nothing depends on them: who was away asks for the state. With Redis away nothing is announced, and listeners
hear of the gap when it is back. Topics: `messenger:<account id>`, `messengers:<owner's id>` (all of a user's), and those
of postern/news.py.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import orjson
import structlog

from postern.store import DOWN, Store
from postern.tasks import end

log = structlog.get_logger("postern.announcements")

GAP: dict[str, Any] = {"gap": True}
"""Told in place of what a listener may have missed: ask for the state."""

_PREFIX = "announced:"
_KEPT = 64  # announcements that wait for one slow listener
_MOST_BYTES = 256 * 1024  # of one announcement
_PING_SECONDS = 3.0
_CONFIRM_SECONDS = 1.0  # that a listener waits for Redis to say that it listens
_PAUSE = 0.5  # seconds before Redis is tried again


async def announce(store: Store, topic: str, what: dict[str, Any]) -> None:
    """To all processes. Never fails; takes two seconds at most where Redis hangs."""
    try:
        body = orjson.dumps(what, default=str)
    except orjson.JSONEncodeError:
        log.exception("not announced: it is no JSON", topic=topic)
        return
    if len(body) > _MOST_BYTES:
        log.error("not announced: it is too large", topic=topic, bytes=len(body))
        return
    await store.attempt(lambda redis: redis.publish(_PREFIX + topic, body), None)


@asynccontextmanager
async def listening(store: Store, *topics: str) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """What is announced from now on. Bounded: a slow listener loses the oldest, and is told `GAP` for them.

    It listens when this is entered, or, with Redis away, from the `GAP` on that tells that it is back.
    """
    hub = _HUBS.setdefault(store, _Hub(store))
    listener = _Listener()
    try:
        await hub.add(listener, topics)
        yield listener
    finally:
        # Whoever is cancelled again leaves all the same: the connection must not outlive its last listener.
        leaving = asyncio.create_task(hub.remove(listener, topics))
        _LEAVING.add(leaving)
        leaving.add_done_callback(_LEAVING.discard)
        await asyncio.shield(leaving)


async def close(store: Store) -> None:
    """The process ends: nobody listens any more."""
    if (hub := _HUBS.get(store)) is not None:
        await hub.close()


class _Listener:
    def __init__(self) -> None:
        self._heard: deque[dict[str, Any]] = deque()
        self._something = asyncio.Event()

    def tell(self, what: dict[str, Any]) -> None:
        if len(self._heard) >= _KEPT:
            self._heard.clear()
            what = GAP
        self._heard.append(what)
        self._something.set()

    def forget(self) -> None:
        self._heard.clear()

    def __aiter__(self) -> "_Listener":
        return self

    async def __anext__(self) -> dict[str, Any]:
        """No generator: who waits for it may be cancelled, and ask again."""
        while not self._heard:
            self._something.clear()
            await self._something.wait()
        return self._heard.popleft()


class _Hub:
    """One connection to Redis for all listeners of this process, for as long as there is one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: dict[bytes, set[_Listener]] = {}
        self._channel: Any = None
        self._hearing: asyncio.Task[None] | None = None
        self._confirmed: set[bytes] = set()  # channels that Redis has said it listens on
        self._news = asyncio.Condition()

    async def add(self, listener: _Listener, topics: tuple[str, ...]) -> None:
        names = [(_PREFIX + topic).encode() for topic in topics]
        for name in names:
            self._listeners.setdefault(name, set()).add(listener)
        if self._hearing is None:
            self._hearing = asyncio.create_task(self._hear_always())
        elif self._channel is not None and (new := set(names) - self._confirmed):
            await self._say(self._channel.subscribe, new)
        try:
            async with asyncio.timeout(_CONFIRM_SECONDS), self._news:
                await self._news.wait_for(lambda: self._confirmed.issuperset(names))
        except TimeoutError:
            log.warning("redis is away; live updates wait for it")
        else:
            listener.forget()  # "from now on"

    async def remove(self, listener: _Listener, topics: tuple[str, ...]) -> None:
        gone = []
        for name in ((_PREFIX + topic).encode() for topic in topics):
            self._listeners[name].discard(listener)
            if not self._listeners[name]:
                del self._listeners[name]
                self._confirmed.discard(name)
                gone.append(name)
        if not self._listeners:
            await self.close()
        elif gone and self._channel is not None:
            await self._say(self._channel.unsubscribe, gone)

    async def close(self) -> None:
        if _HUBS.get(self._store) is self:
            del _HUBS[self._store]  # the next listener makes another, while this one is still ending
        if self._hearing is not None:
            await end([self._hearing])

    async def _say(self, call: Callable[..., Awaitable[Any]], names: Iterable[bytes]) -> None:
        """It may come to nothing: the connection that follows is made for all names."""
        # redis-py's words for a connection that is being closed while it is written to.
        with suppress(*DOWN, AttributeError):
            await call(*names)

    async def _hear_always(self) -> None:
        while True:
            try:
                with suppress(*DOWN):
                    await self._hear()
            except Exception:  # a bug: those who listen must not wait for ever
                log.exception("live updates broke off; they begin anew")
            self._channel = None
            self._confirmed.clear()
            await asyncio.sleep(_PAUSE)

    async def _hear(self) -> None:
        """One life of the connection: it ends with an error, or when nothing has come for too long."""
        async with self._store.client.pubsub() as channel:
            await channel.subscribe(*(names := {*self._listeners}))
            self._channel = channel
            if late := self._listeners.keys() - names:  # they came while it connected
                await channel.subscribe(*late)
            if left := names - self._listeners.keys():
                await channel.unsubscribe(*left)
            silent, complained = 0, False
            while silent < 2:
                message: Any = await channel.get_message(timeout=_PING_SECONDS)
                if message is None:
                    silent += 1
                    await channel.ping()
                    continue
                silent = 0
                try:
                    await self._take(message)
                except Exception:  # not one of ours, or a bug: the others are still heard
                    if not complained:  # once a connection, however many there are
                        log.exception("an announcement can't be read", channel=str(message["channel"]))
                    complained = True
                    for listener in tuple(self._listeners.get(message["channel"], ())):
                        listener.tell(GAP)

    async def _take(self, message: dict[str, Any]) -> None:
        name, listeners = message["channel"], self._listeners.get(message["channel"], ())
        match message["type"]:
            case "subscribe":
                # Also after the client has connected anew by itself: what was said meanwhile is lost.
                for listener in tuple(listeners):
                    listener.tell(GAP)
                async with self._news:
                    self._confirmed.add(name)
                    self._news.notify_all()
            case "message":
                what = orjson.loads(message["data"])
                if not isinstance(what, dict):
                    raise TypeError("an announcement is a JSON object")
                for listener in tuple(listeners):
                    listener.tell(what)


_HUBS: dict[Store, _Hub] = {}
_LEAVING: set[asyncio.Task[None]] = set()
