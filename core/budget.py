"""Points of a rate limit bucket in Redis, leased to this process, so that most requests need no call to Redis.

The bucket is that of `core/rate_limits.py`: `count` points in `seconds` for each caller, shared by all processes. A
process draws points from it in slices and spends them locally:

- The first draw takes what the request needs. Each draw while the lease is fresh takes twice as much as the one
  before, up to a slice (a twentieth of the bucket). A frequent caller costs one Redis call a slice; a rare one
  leaves no points in a lease.
- A lease is fresh for the time in which the bucket refills a slice, five seconds at most. Older points can't be
  spent: the next draw returns them first.
- Points that are given back (`give`) go to the lease; what would make it larger than a slice goes to Redis at once.
- A lease can be negative, if more was used than was taken. The debt is never dropped: without a lease it is booked
  in Redis.

All processes together spend at most the bucket and one slice each, because a slice may have been leased before the
bucket filled up again. Conversely, a caller loses at most the points of leases that were not used again: a dropped
lease (`_MOST`) counts as spent. If Redis is unreachable, each process uses a bucket of its own.
"""

import asyncio
import time
from collections import OrderedDict
from math import ceil

from core.rate_limits import Limit, Limiter, RateStatus

_PARTS = 20  # slices of a bucket
_FIRST = 64  # the first lease, as a part of a slice
_FRESH = 5.0  # seconds at most
_MOST = 20_000  # callers whose leases a process keeps


class _Lease:
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
        self.slice = max(1, limit.count // _PARTS)
        self._seconds = min(_FRESH, self.slice * limit.seconds / limit.count)
        self._rate = limit.count / limit.seconds
        # This is no LRUCache, because the debt of a dropped lease must be booked in Redis.
        self._leases: OrderedDict[str, _Lease] = OrderedDict()

    def spend(self, key: str, points: int) -> bool:
        """Spends the points if the lease has them, without Redis. Returns False, and changes nothing, if not."""
        lease = self._leases.get(key)
        if lease is None or lease.points < points or lease.until <= time.monotonic():
            return False
        self._leases.move_to_end(key)
        lease.points -= points
        return True

    async def take(self, key: str, points: int) -> RateStatus:
        """Spends the points if lease and bucket have them. Never succeeds for more than the whole bucket."""
        lease = self._leases.get(key) or await self._begin(key)
        if self.spend(key, points):
            return self._status(lease, True)
        self._leases.move_to_end(key)
        async with lease.drawing:  # one draw at a time: requests that wait spend from its result
            now = time.monotonic()
            fresh = lease.until > now
            if fresh and lease.points >= points:
                lease.points -= points
                return self._status(lease, True)
            return await self._draw(key, lease, points, fresh)

    async def _draw(self, key: str, lease: _Lease, points: int, fresh: bool) -> RateStatus:
        # Expired points are returned, fresh ones counted. Both leave the lease, so that nobody spends them twice.
        back, lease.points = (0, lease.points) if fresh else (lease.points, 0)
        carried, lease.points = lease.points, 0
        need = points - carried
        more = min(self.slice, max(2 * lease.size, self.slice // _FIRST)) if fresh else 0
        try:
            drawn = await self._limiter.draw(self.limit, key, need, max(need, more), back)
        except BaseException:
            # The points to return are lost. A debt is kept, whether Redis has booked it or not.
            lease.points += carried + min(back, 0)
            self._keep(key, lease)
            raise
        now = time.monotonic()
        lease.free, lease.at = drawn.remaining, now
        lease.points += carried
        self._keep(key, lease)
        if not drawn.taken:
            return self._status(lease, False, drawn.reset, drawn.retry_after)
        lease.size = max(more, min(need, self.slice))
        lease.points += drawn.taken - points
        lease.until = now + self._seconds
        await self._trim(key, lease)
        return self._status(lease, True)

    async def give(self, key: str, points: int) -> None:
        """Returns points that were taken and not used. A negative number is use beyond them, which becomes a debt."""
        if not points:
            return
        if (lease := self._leases.get(key)) is None:
            await self._limiter.draw(self.limit, key, 0, 0, points)
            return
        lease.points += points
        if lease.points > self.slice:
            async with lease.drawing:  # the answers of two concurrent draws could be read in the wrong order
                await self._trim(key, lease)

    async def _trim(self, key: str, lease: _Lease) -> None:
        """Returns to Redis what the lease has beyond a slice."""
        if (over := lease.points - self.slice) > 0:
            lease.points -= over
            drawn = await self._limiter.draw(self.limit, key, 0, 0, over)
            lease.free, lease.at = drawn.remaining, time.monotonic()

    def remaining(self, key: str) -> int:
        """Returns the points left, as this process knows them; use by other processes shows after the next draw."""
        lease = self._leases.get(key)
        return self.limit.count if lease is None else self._remaining(lease)

    def _remaining(self, lease: _Lease) -> int:
        refilled = int((time.monotonic() - lease.at) * self._rate) if lease.at else self.limit.count
        return max(0, min(self.limit.count, lease.free + refilled + lease.points))

    def _status(
        self, lease: _Lease, allowed: bool, reset: float | None = None, retry_after: float = 0.0
    ) -> RateStatus:
        remaining = self._remaining(lease)
        if reset is None:
            reset = ceil((self.limit.count - remaining) / self._rate)
        return RateStatus(allowed, self.limit.count, remaining, reset, retry_after)

    async def _begin(self, key: str) -> _Lease:
        """Makes a lease for a key that has none, and drops the oldest lease if there are too many."""
        lease = self._leases[key] = _Lease()
        while len(self._leases) > _MOST:
            oldest, evicted = self._leases.popitem(last=False)
            if (owed := min(evicted.points, 0)) < 0:
                evicted.points = 0
                try:
                    await self._limiter.draw(self.limit, oldest, 0, 0, owed)
                except BaseException:
                    evicted.points += owed
                    self._keep(oldest, evicted)
                    raise
        return self._keep(key, lease)

    def _keep(self, key: str, lease: _Lease) -> _Lease:
        """Returns the current lease of the key. Another may have replaced `lease` during a call to Redis."""
        current = self._leases.setdefault(key, lease)
        if current is not lease:
            current.points += min(lease.points, 0)
            lease.points = max(lease.points, 0)
        return current
