"""Rate limits that are shared by all processes: one GCRA bucket for each key, in Redis, changed by one script.

GCRA (generic cell rate algorithm, ITU-T I.371) is a token bucket that stores a single time: the moment at
which the bucket will be full again. If Redis is unreachable, the same calculation uses this process's memory,
so no caller is locked out and none is unlimited.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from core.errors import RateLimited
from core.store import Store

_SCRIPT = """
local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local every, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = tonumber(redis.call('GET', KEYS[1]) or now)
if full < now then full = now end
local after = full + cost * every
local allowed_at = after - burst * every
if allowed_at > now then
  return {0, math.floor((burst * every - (full - now)) / every), math.ceil(full - now), math.ceil(allowed_at - now)}
end
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.ceil(after - now) + 1000)
return {1, math.floor((burst * every - (after - now)) / every), math.ceil(after - now), 0}
"""

# The same bucket, taken in slices. Points that were not used are refunded first; then as many as are free up to `want`
# are taken, but at least `need`. The refund is applied even if the new request is rejected.
_DRAW = """
local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local every, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local need, want, back = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local full = tonumber(redis.call('GET', KEYS[1]) or now) - back * every
if full < now then full = now end
local free = math.floor(burst - (full - now) / every + 0.001)
local taken = 0
if free >= need then taken = math.min(want, free) end
full = full + taken * every
if full > now then
  redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now) + 1000)
else
  redis.call('DEL', KEYS[1])
end
return {taken, free - taken, math.ceil(full - now), math.ceil(math.max(0, (need - free) * every))}
"""

_MEMORY = 50_000  # keys kept in this process while Redis is away


@dataclass(frozen=True, slots=True)
class Limit:
    """Allows `count` in `seconds`: all at once, and after that one every seconds/count."""

    name: str
    count: int
    seconds: float

    @classmethod
    def parse(cls, name: str, text: str) -> "Limit":
        """Parses `count/seconds`."""
        count, _, seconds = text.partition("/")
        return cls(name, int(count), float(seconds))


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a bucket. Times in seconds."""

    allowed: bool
    limit: int
    remaining: int
    reset: float
    retry_after: float

    def headers(self) -> dict[str, str]:
        """Returns `RateLimit-*` (draft-ietf-httpapi-ratelimit-headers-03), and Retry-After if refused."""
        headers = {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.remaining)),
            "RateLimit-Reset": str(ceil(self.reset)),
        }
        if not self.allowed:
            headers["Retry-After"] = str(max(1, ceil(self.retry_after)))
        return headers


@dataclass(frozen=True, slots=True)
class Drawn:
    """The result of `Limiter.draw`. `taken` is 0 if there was less than `need`; times in seconds."""

    taken: int
    remaining: int
    reset: float
    retry_after: float


class Limiter:
    """Takes points from the buckets of rate limits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._script = store.script(_SCRIPT)
        self._draw = store.script(_DRAW)
        self._memory: OrderedDict[str, float] = OrderedDict()

    async def take(self, limit: Limit, key: str, cost: float = 1) -> Standing:
        """Takes `cost` points of a key if there are so many."""
        every = limit.seconds * 1000 / limit.count
        name = f"limit:{limit.name}:{key}"
        answer = await self._store.attempt(
            lambda _: self._script(keys=[name], args=[every, limit.count, cost]), None
        )
        allowed, remaining, reset, wait = answer or self._here(name, every, limit.count, cost)
        return Standing(bool(allowed), limit.count, int(remaining), reset / 1000, wait / 1000)

    async def enforce(self, limit: Limit, key: str, what: str, cost: float = 1) -> Standing:
        """Takes `cost` points. Raises RateLimited with Retry-After if there are too few; `what` names them."""
        standing = await self.take(limit, key, cost)
        if not standing.allowed:
            seconds = max(1, ceil(standing.retry_after))
            raise RateLimited(
                f"Too many {what}. Try again in {seconds} s.",
                details={"retryAfter": seconds, "limit": limit.count, "seconds": limit.seconds},
                headers=standing.headers(),
            )
        return standing

    async def draw(self, limit: Limit, key: str, need: int, want: int, back: int = 0) -> Drawn:
        """Refunds `back` points and takes up to `want`; takes none if there are fewer than `need`."""
        every = limit.seconds * 1000 / limit.count
        name = f"limit:{limit.name}:{key}"
        answer = await self._store.attempt(
            lambda _: self._draw(keys=[name], args=[every, limit.count, need, want, back]), None
        )
        taken, remaining, reset, wait = answer or self._draw_here(name, every, limit.count, need, want, back)
        return Drawn(int(taken), int(remaining), reset / 1000, wait / 1000)

    def _draw_here(
        self, name: str, every: float, burst: int, need: int, want: int, back: int
    ) -> tuple[int, float, float, float]:
        now = time.monotonic() * 1000
        full = max(self._memory.get(name, now) - back * every, now)
        free = int(burst - (full - now) / every + 0.001)
        taken = min(want, free) if free >= need else 0
        full += taken * every
        self._remember(name, full)
        return taken, free - taken, full - now, max(0.0, (need - free) * every)

    def _here(self, name: str, every: float, burst: int, cost: float) -> tuple[int, float, float, float]:
        now = time.monotonic() * 1000
        full = max(self._memory.get(name, now), now)
        after = full + cost * every
        if after - burst * every > now:
            return 0, (burst * every - (full - now)) // every, full - now, after - burst * every - now
        self._remember(name, after)
        return 1, (burst * every - (after - now)) // every, after - now, 0

    def _remember(self, name: str, full: float) -> None:
        self._memory[name] = full
        self._memory.move_to_end(name)
        while len(self._memory) > _MEMORY:
            self._memory.popitem(last=False)
