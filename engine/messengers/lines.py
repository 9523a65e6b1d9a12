"""What processes tell each other about live accounts through Redis: where it lies, how it is sealed, who listens.

    messengers:wake             channel: an account's id; whoever may hold it looks at its row
    messengers:to:HOLDER        channel: a call's id; the holder's process takes the call
    messengers:call:ID          a sealed call, until somebody takes it or its time is over
    messengers:for:ASKER        channel: a call's id; its answer lies there
    messengers:answer:ID        a sealed answer, for a minute

The channels carry ids alone. A call lies in a key that is taken once (GETDEL), so that it runs once, one whose asker
has given up does not run any more, and an asker can tell a call that nobody has taken from one that somebody may have
done. An answer is only read: one that was lost on its way is there still. AES-GCM under a key of ours keeps codes and passwords from whoever reads Redis, and calls of
whoever writes there from being believed.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import orjson
import redis.asyncio as redis
import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from postern.services import Services
from postern.store import DOWN, watched
from postern.tasks import end

log = structlog.get_logger("postern.messengers")

WAKE: Final = "messengers:wake"
MOST_BYTES: Final = 96 * 2**20  # of one call or answer: 64 MiB of media as base64, and room

LARGE: Final = 2**20  # what is larger is sealed and opened beside the loop, on which holds are renewed

GRACE_MS: Final = 5000
"""A call lies there for so long beyond its time, so that its asker can tell that nobody has taken it. Nobody does."""

_NONCE = 12
_PING_SECONDS = 3.0
_PAUSE = 0.5


def to(holder: object) -> str:
    return f"messengers:to:{holder}"


def back(asker: object) -> str:
    return f"messengers:for:{asker}"


def call_key(id: str) -> str:
    return f"messengers:call:{id}"


def answer_key(id: str) -> str:
    return f"messengers:answer:{id}"


class Seal:
    """`place` binds what is sealed to a call's id and its addressee.

    `closed` and `opened` do the same, and what is large keeps nobody waiting.
    """

    def __init__(self, *keys: bytes) -> None:
        """`keys`: at least 32 bytes each. The first seals; all of them open, so that processes whose newest keys
        differ during a rotation understand each other.
        """
        self._ciphers = [AESGCM(key[:32]) for key in keys]

    def close(self, what: Mapping[str, Any], place: str) -> bytes:
        nonce = os.urandom(_NONCE)
        said = orjson.dumps(what, option=orjson.OPT_UTC_Z)
        return nonce + self._ciphers[0].encrypt(nonce, said, place.encode())

    def open(self, sealed: bytes, place: str) -> dict[str, Any] | None:
        """None: not sealed by us, or for another place."""
        for cipher in self._ciphers:
            with suppress(InvalidTag, ValueError):
                plain = cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], place.encode())
                opened: dict[str, Any] = orjson.loads(plain)
                return opened
        return None

    async def closed(self, what: Mapping[str, Any], place: str) -> bytes:
        if _weight(what) < LARGE:
            return self.close(what, place)
        return await asyncio.to_thread(self.close, what, place)

    async def opened(self, sealed: bytes, place: str) -> dict[str, Any] | None:
        if len(sealed) < LARGE:
            return self.open(sealed, place)
        return await asyncio.to_thread(self.open, sealed, place)


def _weight(what: Any) -> int:
    """Characters of all texts in it."""
    if isinstance(what, Mapping):
        return sum(map(_weight, what.values()))
    if isinstance(what, (list, tuple)):
        return sum(map(_weight, what))
    return len(what) if isinstance(what, str) else 0


def patient(services: Services) -> "redis.Redis":
    """A client that waits for media to pass. Whoever makes it closes it."""
    url = services.settings.redis_url
    assert url is not None
    pool = redis.BlockingConnectionPool.from_url(
        url.get_secret_value(),
        socket_connect_timeout=0.5,
        socket_timeout=10.0,
        retry=Retry(NoBackoff(), 1),
        max_connections=20,
        timeout=5.0,
        health_check_interval=0,
        **watched(url.get_secret_value()),
    )
    return redis.Redis.from_pool(pool)


class Line:
    """Hears channels, for as long as it is open, and again whenever Redis is back. `heard` must not wait."""

    def __init__(self, client: "redis.Redis", channels: Mapping[str, Callable[[bytes], None]]) -> None:
        self._client = client
        self._heard = {name.encode(): heard for name, heard in channels.items()}
        self._confirmed: set[bytes] = set()
        self._task: asyncio.Task[None] | None = None
        self.hearing = asyncio.Event()

    def open(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._always())

    async def close(self) -> None:
        if self._task is not None:
            await end((self._task,))
            self._task = None

    async def _always(self) -> None:
        while True:
            try:
                await self._hear()
            except DOWN as error:
                log.debug("redis is away; calls to messenger accounts wait for it", error=str(error)[:200])
            self.hearing.clear()
            self._confirmed.clear()
            await asyncio.sleep(_PAUSE)

    async def _hear(self) -> None:
        """One life of the connection: it ends with an error, or when nothing has come for too long."""
        async with self._client.pubsub() as channel:
            await channel.subscribe(*self._heard)
            answered = time.monotonic()
            while time.monotonic() - answered < 2.5 * _PING_SECONDS:
                message: Any = await channel.get_message(timeout=_PING_SECONDS)
                if message is None:
                    await channel.ping()
                    continue
                answered = time.monotonic()
                if message["type"] == "subscribe":
                    self._confirmed.add(message["channel"])
                    if self._confirmed == set(self._heard):
                        self.hearing.set()
                elif message["type"] == "message":
                    self._heard[message["channel"]](message["data"])


async def quietly(what: Awaitable[Any], seconds: float = 2.0) -> Any:
    """Its answer, or None while Redis is away."""
    with suppress(*DOWN):
        async with asyncio.timeout(seconds):
            return await what
    return None
