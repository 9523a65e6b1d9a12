"""A small cache in this process in front of Redis, and its invalidation in all processes.

An operation about to change a fact publishes that on a Redis channel (`Viewers.invalidate`, before the commit), and
every process drops the fact. While a process is not subscribed to the channel, it caches nothing. A fact that was
being fetched when an invalidation arrived is not cached either: it increments `generation`, and `keep` compares.
"""

import time
from collections.abc import Iterable

from core.store import Store
from core.subscriber import Subscriber

CHANNEL = "viewer:changed"
_SECONDS = 10.0  # for which a fact is cached: a dead connection may hide a change so long
_MOST = 20_000

FACT_SECONDS = 60
"""Seconds for which Redis keeps a fact."""


class LocalCache:
    """The cache. `generation` is the number of invalidations so far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[str, tuple[bytes, float]] = {}
        self._subscribed = False
        self._changed: dict[
            str, float
        ] = {}  # announced facts, and until when Redis may still have the old ones
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

    def is_changed(self, keys: Iterable[str]) -> bool:
        """Returns whether one of these facts was announced as changed lately: a full Redis may keep it as it was."""
        now = time.monotonic()
        return any(self._changed.get(key, 0.0) > now for key in keys)

    def invalidate(self, keys: Iterable[str]) -> None:
        """Drops these facts, and prevents caching of facts that are being fetched now."""
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
        subscriber: Subscriber[bytes] = Subscriber(
            self._store.client,
            self._on_message,
            channels=(CHANNEL.encode(),),
            on_subscribed=self._on_subscribed,
            on_lost=self.invalidate_all,
        )
        await subscriber.run()

    def _on_subscribed(self, _: bytes) -> None:
        self.invalidate_all()  # messages may have been missed
        self._subscribed = True

    def _on_message(self, _: bytes, keys: bytes) -> None:
        changed = keys.decode(errors="replace").split(",")
        now = time.monotonic()
        if len(self._changed) > _MOST:
            self._changed = {key: until for key, until in self._changed.items() if until > now}
        self._changed.update(dict.fromkeys(changed, now + FACT_SECONDS))
        self.invalidate(changed)
