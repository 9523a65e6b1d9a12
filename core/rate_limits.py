"""Rate limits that are shared by all processes: GCRA buckets in Redis, which one script changes.

GCRA (generic cell rate algorithm, ITU-T I.371) is a token bucket that stores a single time: the moment at
which the bucket will be full again. If Redis is unreachable, the same calculation uses this process's memory,
so no caller is locked out and none is unlimited.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from cachetools import LRUCache

from core.errors import RateLimited
from core.store import Store

# Takes the same number of points from several buckets, or none from any. Points that were not used are refunded first,
# even if nothing is taken. The last number of the answer is the milliseconds until the points that are missing from
# `awaited` will be there; if fewer are needed than awaited, at most the time until one burst is there. `capped`: no
# bucket owes more than its burst, so that its debt of an earlier rate is not waited for at that rate.
_SCRIPT = """
local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local need, want, awaited, back = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local capped = ARGV[5] == '1'
local full, cut, free, taken = {}, {}, math.huge, 0
for i, key in ipairs(KEYS) do
  local every, burst = tonumber(ARGV[2 * i + 4]), tonumber(ARGV[2 * i + 5])
  full[i] = tonumber(redis.call('GET', key) or now)
  if capped and full[i] > now + burst * every then
    full[i], cut[i] = now + burst * every, true
  end
  full[i] = math.max(full[i] - back * every, now)
  free = math.min(free, math.floor(burst - (full[i] - now) / every + 0.001))
end
if free >= need then taken = math.min(want, free) end
local remaining, reset, wait = math.huge, 0, 0
for i, key in ipairs(KEYS) do
  local every, burst = tonumber(ARGV[2 * i + 4]), tonumber(ARGV[2 * i + 5])
  local after = full[i] + taken * every
  if taken ~= 0 or back ~= 0 or cut[i] then
    if after > now then
      redis.call('SET', key, string.format('%.3f', after), 'PX', math.ceil(after - now) + 1000)
    else
      redis.call('DEL', key)
    end
  end
  local left, missing = burst - (after - now) / every, awaited - taken
  if need < awaited then missing = math.min(missing, burst) end
  remaining = math.min(remaining, math.floor(left + 0.001))
  reset = math.max(reset, after - now)
  if missing > 0 then wait = math.max(wait, (missing - left) * every) end
end
return {taken, remaining, math.ceil(reset), math.ceil(wait)}
"""

_MEMORY = 50_000  # keys kept in this process while Redis is away

WIDER = (1, 4, 16)
"""Factors of a limit for an IPv6 /64, /56 and /48: a customer has one of them, but a /48 can be many customers."""


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

    def bucket(self, key: str) -> "Bucket":
        """Returns the bucket of one caller."""
        return Bucket(f"limit:{self.name}:{key}", self.seconds * 1000 / self.count, self.count)


@dataclass(frozen=True, slots=True)
class Bucket:
    """One bucket: `burst` points at once, and another one `every` milliseconds."""

    key: str  # in Redis
    every: float
    burst: float


@dataclass(frozen=True, slots=True)
class RateStatus:
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
    """The points that were taken from buckets: 0 if there were fewer than `need`. Times are in seconds.

    Of several buckets, `remaining` is the least that one has, `reset` and `retry_after` are the longest.
    """

    taken: int
    remaining: int
    reset: float
    retry_after: float


def refused(
    limit: Limit, what: str, retry_after: float, headers: dict[str, str] | None = None
) -> RateLimited:
    """Returns the error of a request beyond a limit; `what` names such requests."""
    seconds = max(1, ceil(retry_after))
    return RateLimited(
        f"Too many {what}. Try again in {seconds} s.",
        details={"retryAfter": seconds, "limit": limit.count, "seconds": limit.seconds},
        headers=headers,
    )


class Limiter:
    """Takes points from the buckets of rate limits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._script = store.script(_SCRIPT)
        self._memory: LRUCache[str, float] = LRUCache(_MEMORY)  # key → when its bucket is full

    async def take(self, limit: Limit, key: str, cost: int = 1) -> RateStatus:
        """Takes `cost` points of a key if there are so many."""
        drawn = await self.draw_from([limit.bucket(key)], need=cost, want=cost, awaited=cost)
        return RateStatus(drawn.taken >= cost, limit.count, drawn.remaining, drawn.reset, drawn.retry_after)

    async def take_each(self, limit: Limit, key: str, count: int) -> list[RateStatus]:
        """Takes a point for each of `count` requests, of which the first ones get it if there are fewer. Returns what
        each would have been told if they had come one after the other.
        """
        drawn = await self.draw_from([limit.bucket(key)], need=1, want=count, awaited=count)
        every = limit.seconds / limit.count
        allowed = [
            RateStatus(True, limit.count, drawn.remaining + later, drawn.reset - later * every, 0.0)
            for later in reversed(range(drawn.taken))
        ]
        beyond = count - drawn.taken
        # `drawn.retry_after` is the time until all of these have a point, or one burst of them.
        wait = drawn.retry_after - (min(beyond, limit.count) - 1) * every
        return allowed + [RateStatus(False, limit.count, drawn.remaining, drawn.reset, wait)] * beyond

    async def enforce(self, limit: Limit, key: str, what: str, cost: int = 1) -> RateStatus:
        """Takes `cost` points. Raises RateLimited with Retry-After if there are too few; `what` names them."""
        status = await self.take(limit, key, cost)
        if not status.allowed:
            raise refused(limit, what, status.retry_after, status.headers())
        return status

    async def draw(self, limit: Limit, key: str, need: int, want: int, back: int = 0) -> Drawn:
        """Refunds `back` points and takes up to `want`; takes none if there are fewer than `need`."""
        return await self.draw_from([limit.bucket(key)], need=need, want=want, awaited=need, back=back)

    async def draw_from(
        self,
        buckets: Sequence[Bucket],
        *,
        need: int,
        want: int,
        awaited: int,
        back: int = 0,
        capped: bool = False,
    ) -> Drawn:
        """Refunds `back` points to each bucket, and takes as many of `want` from each as the emptiest one has.

        Takes none if that is fewer than `need`. `retry_after` is the time until the points that are missing
        from `awaited` will be there; with need < awaited, at most the time until one burst is there. `capped`: for
        buckets whose rate may be changed and that never owe more than one burst.
        """
        keys = [bucket.key for bucket in buckets]
        numbers = [number for bucket in buckets for number in (bucket.every, bucket.burst)]
        answer = await self._store.attempt(
            lambda _: self._script(keys=keys, args=[need, want, awaited, back, int(capped), *numbers]), None
        )
        if answer is None:
            return self._here(buckets, need, want, awaited, back, capped=capped)
        for bucket in buckets if back else ():  # tokens that were taken here, while Redis was away
            if bucket.key in self._memory:
                self._memory[bucket.key] -= back * bucket.every
        taken, remaining, reset, wait = answer
        return Drawn(int(taken), int(remaining), reset / 1000, wait / 1000)

    def _here(
        self, buckets: Sequence[Bucket], need: int, want: int, awaited: int, back: int, *, capped: bool
    ) -> Drawn:
        """Works as the script does, in this process's memory."""
        now = time.monotonic() * 1000
        full = []
        for bucket in buckets:
            at = self._memory.get(bucket.key, now)
            if capped and at > now + bucket.burst * bucket.every:
                at = self._memory[bucket.key] = now + bucket.burst * bucket.every
            full.append(max(at - back * bucket.every, now))
        free = min(
            floor(bucket.burst - (at - now) / bucket.every + 0.001)
            for bucket, at in zip(buckets, full, strict=True)
        )
        taken = min(want, free) if free >= need else 0
        lefts, reset, wait = [], 0.0, 0.0
        for bucket, at in zip(buckets, full, strict=True):
            after, missing = at + taken * bucket.every, float(awaited - taken)
            if taken or back:
                self._memory[bucket.key] = after
            if need < awaited:
                missing = min(missing, bucket.burst)
            left = bucket.burst - (after - now) / bucket.every
            lefts.append(floor(left + 0.001))
            reset = max(reset, after - now)
            if missing > 0:
                wait = max(wait, (missing - left) * bucket.every)
        return Drawn(taken, min(lefts), reset / 1000, wait / 1000)
