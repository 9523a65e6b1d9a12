"""Looks for texts in all of Redis: in each key, and in each value of whatever type."""

from collections.abc import Sequence
from typing import Any

_READ = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", 0, -1),
    b"stream": ("XRANGE", "-", "+"),
}


async def keys_with(client: Any, needles: Sequence[str]) -> list[str]:
    """Returns the keys that have one of the texts, or whose values have it. `client`: of redis.asyncio."""
    hits = []
    async for key in client.scan_iter(count=1000):
        kind = await client.type(key)
        if (type := kind if isinstance(kind, bytes) else kind.encode()) == b"none":
            continue  # it has expired since
        command, *more = _READ[type]
        raw = repr(key) + repr(await client.execute_command(command, key, *more))
        if any(needle in raw for needle in needles):
            hits.append(str(key))
    return hits
