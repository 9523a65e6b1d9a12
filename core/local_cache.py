"""A small cache in this process in front of Redis, and its invalidation in all processes.

An operation that is about to change a fact publishes that on a Redis channel (`Viewers.doubt`, before the commit), and
every process drops the fact. While a process is not subscribed to the channel, it caches nothing. A fact that was
being fetched when an invalidation arrived is not cached either: an invalidation increments `word`, and `keep` compares.
"""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import structlog

from core.store import DOWN, Store

log = structlog.get_logger("postern.nearby")

CHANNEL = "viewer:changed"
_SECONDS = (
    10.0  # for which a fact is cached; bounds what a dead connection can hide from us until it is noticed
)
_MOST = 20_000
_PING_SECONDS = 3.0


class Nearby:
    """The cache. `word` is the number of invalidations so far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._facts: dict[str, tuple[bytes, float]] = {}
        self._hearing = False
        self.word = 0

    def get(self, key: str) -> bytes | None:
        """Returns the cached fact, or None."""
        found = self._facts.get(key)
        return found[0] if found is not None and found[1] > time.monotonic() else None

    def keep(self, word: int, facts: Iterable[tuple[str, bytes]]) -> None:
        """Caches facts, unless one may have changed. `word` is its value from before they were fetched."""
        if not self._hearing or word != self.word:
            return
        if len(self._facts) > _MOST:
            self._facts.clear()
        until = time.monotonic() + _SECONDS
        for key, fact in facts:
            self._facts[key] = (fact, until)

    def forget(self, keys: Iterable[str]) -> None:
        """Drops these facts, and prevents caching of what is being fetched now."""
        self.word += 1
        for key in keys:
            self._facts.pop(key, None)

    def forget_all(self) -> None:
        """Drops everything, and caches nothing until the channel is subscribed."""
        self._hearing = False
        self.word += 1
        self._facts.clear()

    async def listen(self) -> None:
        """Listens to the channel for as long as the process serves."""
        while True:
            with suppress(*DOWN):
                await self._hear()
            self.forget_all()
            await asyncio.sleep(0.5)

    async def _hear(self) -> None:
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
                    self.forget_all()  # the client reconnects by itself, and may have missed messages
                    self._hearing = True
                elif message["type"] == "message":
                    self.forget(message["data"].decode().split(","))
