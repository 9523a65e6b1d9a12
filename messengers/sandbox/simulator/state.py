"""The storage of a simulation: boxes, live connections and small values, in this process or in Redis.

A *box* is the log of one contact (`telegram:15005551000`): the newest KEEP letters in their order. Ids of letters grow
and have the form of the ids of Redis streams.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, Protocol, cast

import redis.asyncio as redis
from cachetools import TLRUCache
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from core.subscriber import Subscriber

KEEP = 1000  # letters in a box, notes in a list
LIVE_MS = 5_000  # a connection without a heartbeat for this long counts as gone, as after a kill -9
DAY = 86_400
FIRST = "0-0"  # before every letter
_PREFIX = "postern:sandbox:"
_BYTES = 64 * 2**20  # the most bytes of values kept in this process
_LEAST = _BYTES // (100 * KEEP) + 1  # what a shorter value counts as, so that there are not too many of them

Letter = tuple[str, str]  # id, text
Put = Literal["done", "again", "stale"]


class Storage(Protocol):
    """The storage operations. Keys and names hold no spaces. A `key` may have one live connection; a `token` names a
    connection."""

    async def put(
        self, letters: Sequence[tuple[str, str]], *, once: str = "", by: tuple[str, str] = ("", "")
    ) -> Put:
        """Appends all (box, text) or none. `again`: the same `once` was used before; `stale`: the connection `by` (a
        key and a token) is gone and another one has replaced it."""

    async def after(self, box: str, cursor: str, limit: int) -> list[Letter]: ...

    async def newest(self, box: str) -> list[Letter]:
        """Returns all letters, newest first."""

    async def join(self, key: str, token: str) -> list[str]:
        """Registers the token as live. Returns the other tokens that are live."""

    async def beat(self, connections: Sequence[tuple[str, str]]) -> list[str]:
        """Keeps (key, token)s alive. Returns the tokens that another connection has replaced."""

    async def leave(self, key: str, token: str) -> None: ...

    async def live(self, key: str) -> list[str]: ...

    async def keep(self, name: str, value: str | None, seconds: int = DAY) -> None:
        """Stores a value; None deletes it."""

    async def look(self, *names: str) -> list[str | None]: ...

    async def count(self, name: str) -> int: ...

    async def note(self, name: str, text: str) -> None: ...

    async def notes(self, name: str) -> list[str]:
        """Returns the notes, oldest first."""

    async def call(self, text: str) -> None:
        """Publishes `text` to every listener. `put` publishes `box <box>`."""


def order(id: str) -> tuple[int, int]:
    """Returns an id as two numbers, to compare by. A malformed id sorts first: a cursor comes from outside."""
    first, _, second = id.partition("-")
    try:
        numbers = int(first), int(second or 0)
    except ValueError:
        return 0, 0
    return numbers if max(numbers) < 2**64 else (0, 0)  # Redis refuses larger ones


def _letters(entries: Any) -> list[Letter]:
    return [(id, fields["e"]) for id, fields in entries]


def _now() -> int:
    return time.time_ns() // 1_000_000


class Memory:
    """The storage in this process alone, where there is no Redis."""

    def __init__(self, on_call: Callable[[str], None]) -> None:
        self._on_call = on_call
        self._boxes: dict[str, deque[Letter]] = {}
        self._seq = 0
        self._live: dict[str, dict[str, int]] = {}  # key → token → end, ms
        # name → value and seconds
        self._values: TLRUCache[str, tuple[str, int], float] = TLRUCache(
            _BYTES,
            lambda _, entry, now: now + entry[1],
            getsizeof=lambda entry: max(len(entry[0]), _LEAST),
        )
        self._notes: dict[str, deque[str]] = {}

    async def put(
        self, letters: Sequence[tuple[str, str]], *, once: str = "", by: tuple[str, str] = ("", "")
    ) -> Put:
        others = await self.live(by[0])
        if others and by[1] not in others:
            return "stale"
        if once:
            if (await self.look(f"once:{once}"))[0]:
                return "again"
            await self.keep(f"once:{once}", "1")
        for box, text in letters:
            self._seq += 1
            self._boxes.setdefault(box, deque(maxlen=KEEP)).append((f"{_now()}-{self._seq}", text))
            self._on_call(f"box {box}")
        return "done"

    async def after(self, box: str, cursor: str, limit: int) -> list[Letter]:
        since = order(cursor)
        return [letter for letter in self._boxes.get(box, ()) if order(letter[0]) > since][:limit]

    async def newest(self, box: str) -> list[Letter]:
        return list(reversed(self._boxes.get(box, ())))

    async def join(self, key: str, token: str) -> list[str]:
        others = [other for other in await self.live(key) if other != token]
        self._live.setdefault(key, {})[token] = _now() + LIVE_MS
        return others

    async def beat(self, connections: Sequence[tuple[str, str]]) -> list[str]:
        gone = []
        for key, token in connections:
            others = await self.live(key)
            if others and token not in others:
                gone.append(token)
            else:
                self._live.setdefault(key, {})[token] = _now() + LIVE_MS
        return gone

    async def leave(self, key: str, token: str) -> None:
        tokens = self._live.get(key, {})
        tokens.pop(token, None)
        if not tokens:
            self._live.pop(key, None)

    async def live(self, key: str) -> list[str]:
        return [token for token, until in self._live.get(key, {}).items() if until > _now()]

    async def keep(self, name: str, value: str | None, seconds: int = DAY) -> None:
        if value is None:
            self._values.pop(name, None)
        else:
            self._values[name] = value, seconds

    async def look(self, *names: str) -> list[str | None]:
        entries = (self._values.get(name) for name in names)
        return [entry[0] if entry else None for entry in entries]

    async def count(self, name: str) -> int:
        number = int((await self.look(name))[0] or 0) + 1
        await self.keep(name, str(number))
        return number

    async def note(self, name: str, text: str) -> None:
        self._notes.setdefault(name, deque(maxlen=KEEP)).append(text)

    async def notes(self, name: str) -> list[str]:
        return list(self._notes.get(name, ()))

    async def call(self, text: str) -> None:
        self._on_call(text)


_NOW = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000); "
_PUT = (
    _NOW
    + """
local p = ARGV[1]
if ARGV[4] ~= '' then
  local live = p .. 'live:' .. ARGV[4]
  local mine = redis.call('ZSCORE', live, ARGV[5])
  if (not mine or tonumber(mine) < now) and redis.call('ZCOUNT', live, now, '+inf') > 0 then return 'stale' end
end
if ARGV[3] ~= '' and not redis.call('SET', p .. 'once:' .. ARGV[3], '1', 'NX', 'EX', 86400) then
  return 'again'
end
for i = 7, #ARGV, 2 do
  local box = p .. 'box:' .. ARGV[i]
  redis.call('XADD', box, 'MAXLEN', '~', ARGV[6], '*', 'e', ARGV[i + 1])
  local known = redis.call('EXISTS', p .. 'known:' .. ARGV[i]) == 1
  redis.call('EXPIRE', box, known and 604800 or 600)
  redis.call('PUBLISH', ARGV[2], 'box ' .. ARGV[i])
end
return 'done'
"""
)
# A client that has heard no answer joins again: its own token is no other connection.
_JOIN = (
    _NOW
    + """
redis.call('ZREM', KEYS[1], ARGV[1])
local others = redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('EXPIRE', KEYS[1], 60)
return others
"""
)
# A slow connection goes on; the token of a replaced one is returned.
_BEAT = (
    _NOW
    + """
local gone = {}
for i, key in ipairs(KEYS) do
  local mine = redis.call('ZSCORE', key, ARGV[i + 1])
  if (not mine or tonumber(mine) < now) and redis.call('ZCOUNT', key, now, '+inf') > 0 then
    gone[#gone + 1] = i
  else
    redis.call('ZADD', key, now + ARGV[1], ARGV[i + 1])
    redis.call('EXPIRE', key, 60)
  end
end
return gone
"""
)
_LIVE = _NOW + "return redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')"


class Shared:
    """The storage in Redis, for all processes that have its address. Raises the errors in DOWN."""

    def __init__(self, url: str) -> None:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            decode_responses=True,
            socket_connect_timeout=1.0,
            socket_timeout=2.0,
            retry=Retry(NoBackoff(), 1),
            max_connections=32,
            timeout=2.0,
        )
        self.client = redis.Redis.from_pool(pool)
        # Pub/sub channels are not separated by database number.
        self._channel = f"{_PREFIX}call:{pool.connection_kwargs.get('db', 0)}"
        self._put = self.client.register_script(_PUT)
        self._join = self.client.register_script(_JOIN)
        self._beat = self.client.register_script(_BEAT)
        self._live = self.client.register_script(_LIVE)

    async def put(
        self, letters: Sequence[tuple[str, str]], *, once: str = "", by: tuple[str, str] = ("", "")
    ) -> Put:
        flat = [part for letter in letters for part in letter]
        return cast("Put", await self._put(args=[_PREFIX, self._channel, once, *by, KEEP, *flat]))

    async def after(self, box: str, cursor: str, limit: int) -> list[Letter]:
        first, second = order(cursor)
        return _letters(
            await self.client.xrange(f"{_PREFIX}box:{box}", min=f"({first}-{second}", count=limit)
        )

    async def newest(self, box: str) -> list[Letter]:
        return _letters(await self.client.xrevrange(f"{_PREFIX}box:{box}", count=KEEP))

    async def join(self, key: str, token: str) -> list[str]:
        return cast("list[str]", await self._join(keys=[f"{_PREFIX}live:{key}"], args=[token, LIVE_MS]))

    async def beat(self, connections: Sequence[tuple[str, str]]) -> list[str]:
        tokens = [token for _, token in connections]
        gone = await self._beat(
            keys=[f"{_PREFIX}live:{key}" for key, _ in connections], args=[LIVE_MS, *tokens]
        )
        return [tokens[index - 1] for index in gone]

    async def leave(self, key: str, token: str) -> None:
        await self.client.zrem(f"{_PREFIX}live:{key}", token)

    async def live(self, key: str) -> list[str]:
        return cast("list[str]", await self._live(keys=[f"{_PREFIX}live:{key}"]))

    async def keep(self, name: str, value: str | None, seconds: int = DAY) -> None:
        if value is None:
            await self.client.delete(_PREFIX + name)
        else:
            await self.client.set(_PREFIX + name, value, ex=seconds)

    async def look(self, *names: str) -> list[str | None]:
        return cast("list[str | None]", await self.client.mget([_PREFIX + name for name in names]))

    async def count(self, name: str) -> int:
        number = await self.client.incr(_PREFIX + name)
        await self.client.expire(_PREFIX + name, DAY)
        return int(number)

    async def note(self, name: str, text: str) -> None:
        async with self.client.pipeline(transaction=True) as pipe:
            pipe.rpush(_PREFIX + name, text)
            pipe.ltrim(_PREFIX + name, -KEEP, -1)
            pipe.expire(_PREFIX + name, DAY)
            await pipe.execute()

    async def notes(self, name: str) -> list[str]:
        return await cast("Awaitable[list[str]]", self.client.lrange(_PREFIX + name, 0, -1))

    async def call(self, text: str) -> None:
        await self.client.publish(self._channel, text)

    async def listen(
        self, on_call: Callable[[str], None], ready: Callable[[], None], lost: Callable[[], None]
    ) -> None:
        """Passes published texts to `on_call` until it is cancelled. `ready` is called when the subscription is
        active, and `lost` when Redis is away."""
        subscriber: Subscriber[str] = Subscriber(
            self.client,
            lambda _, text: on_call(text),
            channels=(self._channel,),
            on_subscribed=lambda _: ready(),
            on_lost=lost,
        )
        await subscriber.run()

    async def close(self) -> None:
        await self.client.aclose()
        await self.client.connection_pool.disconnect()
