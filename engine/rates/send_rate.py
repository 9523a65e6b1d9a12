"""Limits the rate of a project by several buckets, which are asked at once and shared by all processes.

A bucket is GCRA (see core/rate_limits.py) with a burst of two hundredths of its minute, so that over any minute
no more than 102 % goes out, and a Redis that is wiped gives away no more than that burst. With Redis away the
same arithmetic goes on in this process's memory: each process then goes at the full rate.

A bucket keeps its key when its rate changes. It owes at most one burst of the new rate then, so a raised rate is not
waited for at the old one, and a change gives nothing away.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.rate_limits import Bucket
from runtime.services import Services


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit of messages per minute."""

    key: str
    per_minute: float

    @property
    def every(self) -> float:
        """Milliseconds from one message to the next."""
        return 60_000 / self.per_minute

    @property
    def burst(self) -> float:
        return max(1.0, self.per_minute // 50)

    @property
    def bucket(self) -> Bucket:
        return Bucket(f"pace:{self.key}", self.every, self.burst)


class SendRate:
    def __init__(self, services: Services) -> None:
        self._limiter = services.limiter

    async def take(self, rates: Sequence[Rate], want: int) -> tuple[int, float]:
        """Returns how many of `want` may go now, and the seconds after which to ask for the others."""
        if not rates or want <= 0:
            return want, 0.0
        buckets = [rate.bucket for rate in rates]
        drawn = await self._limiter.draw_from(buckets, need=1, want=want, awaited=want, capped=True)
        return drawn.taken, drawn.retry_after

    async def give_back(self, rates: Sequence[Rate], count: int) -> None:
        """Refunds messages that were not sent."""
        if rates and count > 0:
            buckets = [rate.bucket for rate in rates]
            await self._limiter.draw_from(buckets, need=0, want=0, awaited=0, back=count, capped=True)
