"""Points of a rate limit bucket in Redis, leased to this process, so that most requests need no call to Redis.

The bucket is that of `core/rate_limits.py`: `count` points in `seconds` for each caller, shared by all processes. A
process draws points from it in slices and spends them locally:

- The first draw takes what the request needs. Each draw while the local bucket is fresh takes twice as much as the
  one before, up to a chunk (a twentieth of the bucket). A frequent caller costs one Redis call a chunk; a rare one
  leaves no points in a local bucket.
- A local bucket is fresh for the time in which the bucket refills a chunk, five seconds at most. Older points can't
  be spent: the next draw returns them first.
- Points that are given back (`give`) go to the local bucket; what would make it larger than a chunk goes to Redis at
  once.
- A local bucket can be negative, if more was used than was taken. The debt is never dropped: without a local bucket
  it is booked in Redis.

All processes together spend at most the bucket and one chunk each, because a chunk may have been leased before the
bucket filled up again. Conversely, a caller loses at most the points of leases that were not used again: a dropped
local bucket (`_MOST`) counts as spent. If Redis is unreachable, each process uses a bucket of its own.
"""

import asyncio
import time
from collections import OrderedDict
from math import ceil

from core.rate_limits import Limit, Limiter, RateStatus

_PARTS = 20  # slices of a bucket
_FIRST = 64  # the first local bucket, as a part of a chunk
_FRESH = 5.0  # seconds at most
_MOST = 20_000  # callers whose local buckets a process keeps


class _LocalBucket:
    __slots__ = ("at", "drawing", "free", "points", "size", "until")

    def __init__(self) -> None:
        self.points = 0  # that may be spent until `until`; below zero: a debt
        self.size = 0  # of the last draw, in points
        self.until = 0.0
        self.free = 0  # left in Redis when it was last asked
        self.at = 0.0  # when Redis was last asked
        self.drawing = asyncio.Lock()


class Budget:
    """One limit for many callers. All methods take the caller's key; points are whole."""

    def __init__(self, limiter: Limiter, limit: Limit) -> None:
        self._limiter = limiter
        self.limit = limit
        self.chunk = max(1, limit.count // _PARTS)
        self._seconds = min(_FRESH, self.chunk * limit.seconds / limit.count)
        self._rate = limit.count / limit.seconds
        # This is no LRUCache, because the debt of a dropped local bucket must be booked in Redis.
        self._local_buckets: OrderedDict[str, _LocalBucket] = OrderedDict()

    def spend(self, key: str, points: int) -> bool:
        """Spends the points if the local bucket has them, without Redis. Returns False, and changes nothing, if not."""
        local = self._local_buckets.get(key)
        if local is None or local.points < points or local.until <= time.monotonic():
            return False
        self._local_buckets.move_to_end(key)
        local.points -= points
        return True

    async def take(self, key: str, points: int) -> RateStatus:
        """Spends the points if local and bucket have them. Never succeeds for more than the whole bucket."""
        local = self._local_buckets.get(key) or await self._begin(key)
        if self.spend(key, points):
            return self._status(local, True)
        self._local_buckets.move_to_end(key)
        async with local.drawing:  # one draw at a time: requests that wait spend from its result
            now = time.monotonic()
            fresh = local.until > now
            if fresh and local.points >= points:
                local.points -= points
                return self._status(local, True)
            return await self._draw(key, local, points, fresh)

    async def _draw(self, key: str, local: _LocalBucket, points: int, fresh: bool) -> RateStatus:
        # Expired points are returned, fresh ones counted. Both leave the local bucket, so they are not spent twice.
        back, local.points = (0, local.points) if fresh else (local.points, 0)
        carried, local.points = local.points, 0
        need = points - carried
        more = min(self.chunk, max(2 * local.size, self.chunk // _FIRST)) if fresh else 0
        try:
            drawn = await self._limiter.draw(self.limit, key, need, max(need, more), back)
        except BaseException:
            # The points to return are lost. A debt is kept, whether Redis has booked it or not.
            local.points += carried + min(back, 0)
            self._keep(key, local)
            raise
        now = time.monotonic()
        local.free, local.at = drawn.remaining, now
        local.points += carried
        self._keep(key, local)
        if not drawn.taken:
            return self._status(local, False, drawn.reset, drawn.retry_after)
        local.size = max(more, min(need, self.chunk))
        local.points += drawn.taken - points
        local.until = now + self._seconds
        await self._trim(key, local)
        return self._status(local, True)

    async def give(self, key: str, points: int) -> None:
        """Returns points that were taken and not used. A negative number is use beyond them, which becomes a debt."""
        if not points:
            return
        if (local := self._local_buckets.get(key)) is None:
            await self._limiter.draw(self.limit, key, 0, 0, points)
            return
        local.points += points
        if local.points > self.chunk:
            async with local.drawing:  # the answers of two concurrent draws could be read in the wrong order
                await self._trim(key, local)

    async def _trim(self, key: str, local: _LocalBucket) -> None:
        """Returns to Redis the points of the local bucket beyond a chunk."""
        if (over := local.points - self.chunk) > 0:
            local.points -= over
            drawn = await self._limiter.draw(self.limit, key, 0, 0, over)
            local.free, local.at = drawn.remaining, time.monotonic()

    def remaining(self, key: str) -> int:
        """Returns the points left, as this process knows them; use by other processes shows after the next draw."""
        local = self._local_buckets.get(key)
        return self.limit.count if local is None else self._remaining(local)

    def _remaining(self, local: _LocalBucket) -> int:
        refilled = int((time.monotonic() - local.at) * self._rate) if local.at else self.limit.count
        return max(0, min(self.limit.count, local.free + refilled + local.points))

    def _status(
        self, local: _LocalBucket, allowed: bool, reset: float | None = None, retry_after: float = 0.0
    ) -> RateStatus:
        remaining = self._remaining(local)
        if reset is None:
            reset = ceil((self.limit.count - remaining) / self._rate)
        return RateStatus(allowed, self.limit.count, remaining, reset, retry_after)

    async def _begin(self, key: str) -> _LocalBucket:
        """Makes a local bucket for a key that has none, and drops the oldest if there are too many."""
        local = self._local_buckets[key] = _LocalBucket()
        while len(self._local_buckets) > _MOST:
            oldest, evicted = self._local_buckets.popitem(last=False)
            if (owed := min(evicted.points, 0)) < 0:
                evicted.points = 0
                try:
                    await self._limiter.draw(self.limit, oldest, 0, 0, owed)
                except BaseException:
                    evicted.points += owed
                    self._keep(oldest, evicted)
                    raise
        return self._keep(key, local)

    def _keep(self, key: str, local: _LocalBucket) -> _LocalBucket:
        """Returns the current local of the key. Another may have replaced `local` during a call to Redis."""
        current = self._local_buckets.setdefault(key, local)
        if current is not local:
            current.points += min(local.points, 0)
            local.points = max(local.points, 0)
        return current
