"""A small cache in this process in front of Redis, and its invalidation in all processes.

An operation about to change a fact publishes that on a Redis channel (`Viewers.invalidate`, before the commit), and
every process drops the fact. While a process is not subscribed to the channel, it caches nothing. A fact that was
being fetched when an invalidation arrived is not cached either: it increments `generation`, and `keep` compares.
"""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import structlog

from core.store import DOWN, Store

log = structlog.get_logger("postern.local_cache")

CHANNEL = "viewer:changed"
_SECONDS = (
    10.0  # for which a fact is cached; bounds what a dead connection can hide from us until it is noticed
)
_MOST = 20_000
_PING_SECONDS = 3.0


class LocalCache:
    """The cache. `generation` is the number of invalidations so far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[str, tuple[bytes, float]] = {}
        self._subscribed = False
        self.generation = 0

    def get(self, key: str) -> bytes | None:
        """Returns the cached fact, or None."""
        entry = self._entries.get(key)
        return entry[0] if entry is not None and entry[1] > time.monotonic() else None

    def keep(self, generation: int, entries: Iterable[tuple[str, bytes]]) -> None:
        """Caches facts, unless one may have changed. `generation` is from before they were fetched."""
        if not self._subscribed or generation != self.generation:
            return
        if len(self._entries) > _MOST:
            self._entries.clear()
        until = time.monotonic() + _SECONDS
        for key, value in entries:
            self._entries[key] = (value, until)

    def invalidate(self, keys: Iterable[str]) -> None:
        """Drops these facts, and prevents caching of what is being fetched now."""
        self.generation += 1
        for key in keys:
            self._entries.pop(key, None)

    def invalidate_all(self) -> None:
        """Drops everything, and caches nothing until the channel is subscribed."""
        self._subscribed = False
        self.generation += 1
        self._entries.clear()

    async def listen(self) -> None:
        """Listens to the channel for as long as the process serves."""
        while True:
            with suppress(*DOWN):
                await self._subscribe()
            self.invalidate_all()
            await asyncio.sleep(0.5)

    async def _subscribe(self) -> None:
        async with self._store.client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            answered = time.monotonic()
            while time.monotonic() - answered < 2 * _PING_SECONDS:
                message: Any = await channel.get_message(timeout=_PING_SECONDS)
                if message is None:
                    await channel.ping()
                    continue
                answered = time.monotonic()
                if message["type"] == "subscribe":
                    self.invalidate_all()  # the client reconnects by itself, and may have missed messages
                    self._subscribed = True
                elif message["type"] == "message":
                    self.invalidate(message["data"].decode().split(","))
