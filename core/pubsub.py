"""Live updates for GraphQL subscriptions, published through Redis to all processes.

Nothing depends on their delivery: a listener that missed some reads the state again. While Redis is unreachable
nothing is published, and listeners receive `GAP` when it is back. Topics: those of `messenger` and `messengers`, and
those of core/change_events.py.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import orjson
import structlog

from core.json_text import dumps
from core.store import Store
from core.subscriber import Subscriber

log = structlog.get_logger("postern.pubsub")

GAP: dict[str, Any] = {"gap": True}
"""Sent in place of updates that a listener may have missed: the listener must read the state again."""

_PREFIX = "announced:"
_MOST_WAITING = 64  # updates that may wait for one slow listener
_MOST_BYTES = 256 * 1024  # of one update
_CONFIRM_SECONDS = 1.0  # that a new listener waits until Redis confirms its subscription


async def publish(store: Store, topic: str, update: dict[str, Any]) -> None:
    """Publishes an update to all processes. Never raises; takes two seconds at most if Redis does not answer."""
    try:
        body = dumps(update)
    except orjson.JSONEncodeError:
        log.exception("not announced: it is no JSON", topic=topic)
        return
    if len(body) > _MOST_BYTES:
        log.error("not announced: it is too large", topic=topic, bytes=len(body))
        return
    await store.attempt(lambda redis: redis.publish(_PREFIX + topic, body), None)


def messenger(account: UUID) -> str:
    """Returns the topic of a messenger account: its states, and the messages of its chats."""
    return f"messenger:{account}"


def messengers(owner: UUID) -> str:
    """Returns the topic of all of a user's messenger accounts."""
    return f"messengers:{owner}"


async def publish_account(store: Store, account: UUID, owner: UUID | None, update: Mapping[str, Any]) -> None:
    """Publishes an update of a messenger account to those who listen to it or to all of its owner's, if known."""
    await publish(store, messenger(account), dict(update))
    if owner is not None:
        await publish(store, messengers(owner), dict(update))


@asynccontextmanager
async def listening(store: Store, *topics: str) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """Yields the updates of these topics from now on. A listener that is too slow gets one `GAP` in their place.

    The subscription is confirmed when the context is entered. If Redis is unreachable, updates begin with the
    `GAP` that is sent when Redis is back.
    """
    hub = _HUBS.setdefault(store, _Hub(store))
    listener = _Listener()
    try:
        await hub.add(listener, topics)
        yield listener
    finally:
        # A second cancellation must not stop this: the connection must not outlive its last listener.
        leaving = asyncio.create_task(hub.remove(listener, topics))
        _LEAVING.add(leaving)
        leaving.add_done_callback(_LEAVING.discard)
        await asyncio.shield(leaving)


async def close(store: Store) -> None:
    """Ends all subscriptions of this process, at its shutdown."""
    if (hub := _HUBS.get(store)) is not None:
        await hub.close()


class _Listener:
    def __init__(self) -> None:
        self._queue: deque[dict[str, Any]] = deque()
        self._something = asyncio.Event()

    def deliver(self, update: dict[str, Any]) -> None:
        if len(self._queue) >= _MOST_WAITING:
            self._queue.clear()
            update = GAP
        self._queue.append(update)
        self._something.set()

    def clear(self) -> None:
        self._queue.clear()

    def __aiter__(self) -> "_Listener":
        return self

    async def __anext__(self) -> dict[str, Any]:
        """Waits for the next event. A caller whose wait was cancelled can call it again, since this is no generator."""
        while not self._queue:
            self._something.clear()
            await self._something.wait()
        return self._queue.popleft()


class _Hub:
    """The one connection to Redis of all listeners of this process. It is open while there is a listener."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: dict[bytes, set[_Listener]] = {}
        self._subscriber: Subscriber[bytes] = Subscriber(
            store.client, self._on_message, on_subscribed=self._on_gap
        )

    async def add(self, listener: _Listener, topics: tuple[str, ...]) -> None:
        names = [(_PREFIX + topic).encode() for topic in topics]
        for name in names:
            self._listeners.setdefault(name, set()).add(listener)
        self._subscriber.open()
        await self._subscriber.subscribe(*names)
        try:
            async with asyncio.timeout(_CONFIRM_SECONDS):
                await self._subscriber.confirmed(*names)
        except TimeoutError:
            log.warning("redis is away; live updates wait for it")
        else:
            listener.clear()  # messages before the confirmation are not "from now on"

    async def remove(self, listener: _Listener, topics: tuple[str, ...]) -> None:
        gone = []
        for name in ((_PREFIX + topic).encode() for topic in topics):
            self._listeners[name].discard(listener)
            if not self._listeners[name]:
                del self._listeners[name]
                gone.append(name)
        if self._listeners:
            await self._subscriber.unsubscribe(*gone)
        else:
            await self.close()

    async def close(self) -> None:
        if _HUBS.get(self._store) is self:
            del _HUBS[self._store]  # a listener that comes while this hub is closing gets a new hub
        await self._subscriber.close()

    def _on_gap(self, name: bytes) -> None:
        for listener in tuple(self._listeners.get(name, ())):
            listener.deliver(GAP)

    def _on_message(self, name: bytes, body: bytes) -> None:
        try:
            update = orjson.loads(body)
            if not isinstance(update, dict):
                raise TypeError("an announcement is a JSON object")
        except Exception:
            self._on_gap(name)
            raise
        for listener in tuple(self._listeners.get(name, ())):
            listener.deliver(update)


_HUBS: dict[Store, _Hub] = {}
_LEAVING: set[asyncio.Task[None]] = set()
