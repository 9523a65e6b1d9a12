"""The last requests that the IP allowlist refused, or would refuse, in Redis for administrators.

Anybody can send such requests, at any rate. So a request only appends to a bounded queue in memory, which `run` writes
to Redis once a second; refusals that do not fit are in the log alone. Redis stores the last MOST of all processes, for
STORED_SECONDS, because addresses are personal data.

    allowlist:refused   sorted set by time (Unix, seconds): JSON of a `Refusal` and a random number
"""

import asyncio
import re
import secrets
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson
import structlog

from core.logs import redact, without_addresses
from core.store import Store

KEY = "allowlist:refused"
MOST = 1000
STORED_SECONDS = 7 * 86_400
_FLUSH_SECONDS = 1.0
_LONGEST_METHOD = 20  # characters
_LONGEST_PATH = 200
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
# Probably a token, such as that of an unsubscribe link: longer than a UUID, or long with letters and digits.
_TOKEN = re.compile(r".{41,}|(?=.*\d)(?=.*[A-Za-z])[\w.~-]{20,}")

log = structlog.get_logger("postern.allowlist")


class Refusal(NamedTuple):
    """A request that is not allowed."""

    at: float  # Unix time in seconds
    address: str
    method: str
    path: str
    reason: str  # AllowlistReason
    blocked: bool


class Refusals:
    """Records refused requests. `record` is called by the middleware and must not wait."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: deque[Refusal] = deque(maxlen=MOST)
        self._flushing = asyncio.Lock()

    def record(self, address: str, method: str, path: str, reason: str, *, blocked: bool) -> None:
        """Queues a request. `address` and `path` are printable and of bounded length already."""
        self._queue.append(Refusal(time.time(), address, method[:_LONGEST_METHOD], path, reason, blocked))

    async def run(self) -> None:
        """Writes queued refusals to Redis until it is cancelled."""
        while True:
            await asyncio.sleep(_FLUSH_SECONDS)
            try:
                await self.flush()
            except Exception:  # the next ones are recorded nevertheless
                log.exception("refused requests could not be recorded")

    async def flush(self) -> None:
        """Writes queued refusals to Redis. While Redis is unreachable it stays queued."""
        async with self._flushing:
            if not self._queue:
                return
            batch = [*self._queue]
            scores = {_encode(refusal): refusal.at for refusal in batch}

            async def write(client: Any) -> bool:
                async with client.pipeline(transaction=False) as pipe:
                    pipe.zadd(KEY, scores)
                    pipe.zremrangebyrank(KEY, 0, -MOST - 1)
                    pipe.zremrangebyscore(KEY, "-inf", time.time() - STORED_SECONDS)
                    pipe.expire(KEY, STORED_SECONDS)
                    await pipe.execute()
                return True

            if await self._store.attempt(write, otherwise=False):
                written = set(map(id, batch))
                while self._queue and id(self._queue[0]) in written:
                    self._queue.popleft()

    async def read(self) -> Sequence[Refusal]:
        """Returns the stored requests, the newest first. Raises the errors of `core.store.DOWN`."""
        await self.flush()
        oldest = time.time() - STORED_SECONDS
        rows: Any = await self._store.client.zrevrangebyscore(KEY, "+inf", oldest, start=0, num=MOST)
        return [refusal for row in rows if (refusal := _decode(row)) is not None]


def _encode(refusal: Refusal) -> bytes:
    """Returns the member of the sorted set: members are unique, so two equal requests need different ones."""
    # Nothing erases addresses from here.
    path = "/".join(map(_shorten, without_addresses(redact(refusal.path)).split("/")))[:_LONGEST_PATH]
    return orjson.dumps([*refusal._replace(path=path), secrets.randbits(32)])


def _shorten(segment: str) -> str:
    """Returns a part of a path without the end of a probable token."""
    is_token = _TOKEN.fullmatch(segment) and not _UUID.fullmatch(segment)
    return f"{segment[:8]}..." if is_token else segment


def _decode(row: bytes) -> Refusal | None:
    """Returns a stored request; None if another version of Postern has stored it in another form."""
    try:
        at, address, method, path, reason, blocked, _ = orjson.loads(row)
        return Refusal(float(at), address, method, path, reason, bool(blocked))
    except (TypeError, ValueError):
        return None
