"""Points of a bucket in Redis, leased to this process, so that most requests touch no Redis.

The bucket is `postern/limits.py`'s: `count` points in `seconds` a caller, shared by all processes. A process draws
from it in slices and spends them by itself:

- The first draw takes what the request needs. Whoever comes back while a lease is fresh gets twice as much each time,
  up to a slice (a twentieth of the bucket): who asks a lot touches Redis once a slice, who asks seldom holds nothing.
- A lease is fresh for as long as the bucket takes to refill a slice, five seconds at most. After that its points are
  spent no more: the next draw gives them back first.
- What is given back (`give`) goes to the lease; what would make it larger than a slice goes to Redis at once.
- A lease may owe: what was used and not taken. That is forgotten by nobody: who has no lease any more owes to Redis.

So all processes together never spend more than the bucket and a slice each: a slice may have been leased before the
bucket filled up again. The other way round, a caller misses at most what lies in leases that nobody came back to; a
forgotten lease (`_MOST`) counts as spent. With Redis away each process goes on with a bucket of its own.
"""

import asyncio
import time
from collections import OrderedDict
from math import ceil

from postern.limits import Limit, Limiter, Standing

_PARTS = 20  # slices of a bucket
_FIRST = 64  # the first lease, as a part of a slice
_FRESH = 5.0  # seconds at most
_MOST = 20_000  # callers whose leases a process keeps


class _Lease:
    __slots__ = ("at", "drawing", "free", "points", "size", "until")

    def __init__(self) -> None:
        self.points = 0  # that may be spent until `until`; below zero: owed
        self.size = 0  # of the last draw
        self.until = 0.0
        self.free = 0  # left in Redis when it was last asked
        self.at = 0.0  # when that was
        self.drawing = asyncio.Lock()


class Budget:
    """One limit for many callers. All methods take the caller's key; points are whole."""

    def __init__(self, limiter: Limiter, limit: Limit) -> None:
        self._limiter = limiter
        self.limit = limit
        self.slice = max(1, limit.count // _PARTS)
        self._seconds = min(_FRESH, self.slice * limit.seconds / limit.count)
        self._rate = limit.count / limit.seconds
        self._leases: OrderedDict[str, _Lease] = OrderedDict()

    def spend(self, key: str, points: int) -> bool:
        """`take`, if the lease at hand is enough for it. If not, nothing has happened: Redis must be asked."""
        lease = self._leases.get(key)
        if lease is None or lease.points < points or lease.until <= time.monotonic():
            return False
        self._leases.move_to_end(key)
        lease.points -= points
        return True

    async def take(self, key: str, points: int) -> Standing:
        """Spends them if they are there. More than the whole bucket never is."""
        lease = self._leases.get(key) or await self._begin(key)
        if self.spend(key, points):
            return self._standing(lease, True)
        self._leases.move_to_end(key)
        async with lease.drawing:  # one draw at a time: those who wait spend from what it brings
            now = time.monotonic()
            fresh = lease.until > now
            if fresh and lease.points >= points:
                lease.points -= points
                return self._standing(lease, True)
            return await self._draw(key, lease, points, fresh)

    async def _draw(self, key: str, lease: _Lease, points: int, fresh: bool) -> Standing:
        # Old points go back, fresh ones count: nobody else can spend them while Redis is asked.
        back, lease.points = (0, lease.points) if fresh else (lease.points, 0)
        kept, lease.points = lease.points, 0
        need = points - kept
        more = min(self.slice, max(2 * lease.size, self.slice // _FIRST)) if fresh else 0
        try:
            drawn = await self._limiter.draw(self.limit, key, need, max(need, more), back)
        except BaseException:
            # What was to go back is lost; what was owed is owed still, whether Redis has heard of it or not.
            lease.points += kept + min(back, 0)
            self._keep(key, lease)
            raise
        now = time.monotonic()
        lease.free, lease.at = drawn.remaining, now
        lease.points += kept
        self._keep(key, lease)
        if not drawn.taken:
            return self._standing(lease, False, drawn.reset, drawn.retry_after)
        lease.size = max(more, min(need, self.slice))
        lease.points += drawn.taken - points
        lease.until = now + self._seconds
        await self._trim(key, lease)
        return self._standing(lease, True)

    async def give(self, key: str, points: int) -> None:
        """Back, what was taken and not used; below zero, what was used beyond it, which is then owed."""
        if not points:
            return
        if (lease := self._leases.get(key)) is None:
            await self._limiter.draw(self.limit, key, 0, 0, points)
            return
        lease.points += points
        if lease.points > self.slice:
            async with lease.drawing:  # of two draws at once, the older one's answer might be read last
                await self._trim(key, lease)

    async def _trim(self, key: str, lease: _Lease) -> None:
        """A lease is no larger than a slice."""
        if (over := lease.points - self.slice) > 0:
            lease.points -= over
            drawn = await self._limiter.draw(self.limit, key, 0, 0, over)
            lease.free, lease.at = drawn.remaining, time.monotonic()

    def remaining(self, key: str) -> int:
        """Points left, as far as this process knows; what other processes spend it hears with the next draw."""
        lease = self._leases.get(key)
        return self.limit.count if lease is None else self._remaining(lease)

    def _remaining(self, lease: _Lease) -> int:
        refilled = int((time.monotonic() - lease.at) * self._rate) if lease.at else self.limit.count
        return max(0, min(self.limit.count, lease.free + refilled + lease.points))

    def _standing(
        self, lease: _Lease, allowed: bool, reset: float | None = None, retry_after: float = 0.0
    ) -> Standing:
        remaining = self._remaining(lease)
        if reset is None:
            reset = ceil((self.limit.count - remaining) / self._rate)
        return Standing(allowed, self.limit.count, remaining, reset, retry_after)

    async def _begin(self, key: str) -> _Lease:
        """A lease for who has none. The oldest is forgotten for it."""
        lease = self._leases[key] = _Lease()
        while len(self._leases) > _MOST:
            oldest, forgotten = self._leases.popitem(last=False)
            if (owed := min(forgotten.points, 0)) < 0:
                forgotten.points = 0
                try:
                    await self._limiter.draw(self.limit, oldest, 0, 0, owed)
                except BaseException:
                    forgotten.points += owed
                    self._keep(oldest, forgotten)
                    raise
        return self._keep(key, lease)

    def _keep(self, key: str, lease: _Lease) -> _Lease:
        """The lease of the key. It may have been forgotten, and another have begun, while Redis was asked."""
        current = self._leases.setdefault(key, lease)
        if current is not lease:
            current.points += min(lease.points, 0)
            lease.points = max(lease.points, 0)
        return current
