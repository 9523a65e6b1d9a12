"""A small cache in this process in front of Redis, and the word that takes facts out of it again.

Whoever is about to change a fact says so on a Redis channel (`Viewers.doubt`, before the commit), and every
process forgets it. While a process doesn't hear that channel, it keeps nothing here. A fact that was being
fetched when the word came is not kept either: the word raises `word`, and `keep` compares.
"""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import structlog

from postern.store import DOWN, Store

log = structlog.get_logger("postern.nearby")

CHANNEL = "viewer:changed"
_SECONDS = 10.0  # bounds what a connection that is dead without saying so can hide from us
_MOST = 20_000
_PING_SECONDS = 3.0


class Nearby:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._facts: dict[str, tuple[bytes, float]] = {}
        self._hearing = False
        self.word = 0

    def get(self, key: str) -> bytes | None:
        found = self._facts.get(key)
        return found[0] if found is not None and found[1] > time.monotonic() else None

    def keep(self, word: int, facts: Iterable[tuple[str, bytes]]) -> None:
        """`word` as it was before these facts were fetched."""
        if not self._hearing or word != self.word:
            return
        if len(self._facts) > _MOST:
            self._facts.clear()
        until = time.monotonic() + _SECONDS
        for key, fact in facts:
            self._facts[key] = (fact, until)

    def forget(self, keys: Iterable[str]) -> None:
        self.word += 1
        for key in keys:
            self._facts.pop(key, None)

    def forget_all(self) -> None:
        self._hearing = False
        self.word += 1
        self._facts.clear()

    async def listen(self) -> None:
        """For as long as the process serves: hears the channel, or keeps nothing."""
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
                    self.forget_all()  # the client reconnects by itself, and what was said meanwhile is lost
                    self._hearing = True
                elif message["type"] == "message":
                    self.forget(message["data"].decode().split(","))
