"""The caps of countries: how many SMS of an owner go to one country in an hour and a day.

A cap is a bucket of core/rate_limits.py for each owner and country: all of it at once, and then as it fills again. It
keeps its key when a cap is changed, so that a user gets no full one by changing a rule; when an administrator raises a
cap, the epoch in the key gives each user whom it concerns a new one.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Final
from uuid import UUID

from cachetools import TTLCache

from core.errors import RateLimited
from core.ids import uuid7
from core.rate_limits import Bucket, Drawn
from core.tasks import end, ignore_result
from engine.sms.country_rules import Counted, Rules
from runtime.services import Services
from shapes.country_rules import CountryCap

_SECONDS: Final = {CountryCap.hour: 3600, CountryCap.day: 86_400}
_REMEMBERED = 10_000
# The event has the row's fields. Workers and processes that find the same keep one of them.
_RECORD: Final = """
WITH reached AS (
  INSERT INTO country_limits (id, owner_id, country, hour, cap, until)
  VALUES ($1, $2, $3, date_trunc('hour', now(), 'UTC'), $4, now() + $5)
  ON CONFLICT (owner_id, country, hour) DO NOTHING RETURNING *
)
INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
SELECT r.owner_id, 'country.limited', 'countryLimit', r.id, NULL, NULL, jsonb_build_object(
  'ownerUuid', r.owner_id, 'country', r.country, 'cap', r.cap, 'until', postern_utc(r.until),
  'createdAt', postern_utc(r.created_at))
FROM reached AS r WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = r.owner_id AND f.recording)
"""


@dataclass(frozen=True, slots=True)
class Caps:
    """The buckets of one owner and country, by cap."""

    owner_id: UUID
    country: str
    buckets: dict[CountryCap, Bucket]

    @classmethod
    def of(cls, owner_id: UUID, rules: Rules, country: str) -> "Caps":
        """Returns the caps that the rules name; of both rules the smaller ones."""
        rule = rules.effective
        counts = {CountryCap.hour: rule.per_hour, CountryCap.day: rule.per_day}
        return cls(
            owner_id,
            country,
            {
                cap: Bucket(
                    f"limit:country-{cap.value}:{owner_id}:{rules.epoch}:{country}",
                    _SECONDS[cap] * 1000 / count,
                    count,
                )
                for cap, count in counts.items()
                if count is not None
            },
        )

    @property
    def burst(self) -> int:
        """Returns the most that can be sent at once."""
        return int(min(bucket.burst for bucket in self.buckets.values()))

    @property
    def every(self) -> float:
        """Returns the seconds from one message to the next, when everything that can be sent at once has been."""
        return max(bucket.every for bucket in self.buckets.values()) / 1000


@dataclass(frozen=True, slots=True)
class Taken:
    """Messages that were counted."""

    services: Services
    caps: Caps
    count: int = 1

    async def give_back(self) -> None:
        """Counts them no more: they were certainly not sent."""
        if self.count > 0:
            await _draw(self.services, self.caps, 0, back=self.count)


async def take(
    services: Services, owner_id: UUID, counted: Counted | None, *, waits: bool = True
) -> Taken | None:
    """Counts one message. Returns None if it has no cap.

    `waits`: until it is recorded that a cap is reached. A caller with a transaction does not, since it has a connection
    already, and this record is to stay if the transaction is rolled back.

    Raises RateLimited if a cap of its country is reached.
    """
    if counted is None:
        return None
    caps = Caps.of(owner_id, counted.rules, counted.country)
    drawn = await _draw(services, caps, 1)
    if drawn.taken:
        return Taken(services, caps)
    cap = await record_reached(services, caps, drawn.retry_after, waits=waits)
    raise refused(caps, cap, drawn.retry_after, drawn.reset)


def refused(caps: Caps, cap: CountryCap, retry_after: float, reset: float) -> RateLimited:
    """Returns the error of a message beyond the cap of its country."""
    count, seconds = int(caps.buckets[cap].burst), max(1, ceil(retry_after))
    return RateLimited(
        f"Too many SMS to {caps.country}: {count} in {'an' if cap is CountryCap.hour else 'a'} {cap.value} are"
        f" allowed. Try again in {seconds} s.",
        details={"retryAfter": seconds, "limit": count, "seconds": _SECONDS[cap], "country": caps.country},
        headers={
            "RateLimit-Limit": str(count),
            "RateLimit-Remaining": "0",
            "RateLimit-Reset": str(ceil(reset)),
            "Retry-After": str(seconds),
        },
    )


async def give_back(taken: Iterable[Taken | None]) -> None:
    """Counts messages no more that were certainly not sent."""
    for each in taken:
        if each is not None:
            await each.give_back()


async def take_some(services: Services, caps: Caps, count: int) -> tuple[Taken, float]:
    """Counts as many of `count` messages as the caps have room for, and gives the seconds until there is more room."""
    drawn = await _draw(services, caps, count)
    return Taken(services, caps, drawn.taken), drawn.retry_after


async def left(services: Services, caps: Caps, cap: CountryCap) -> int:
    """Returns how many messages a cap leaves now."""
    bucket = caps.buckets[cap]
    drawn = await services.limiter.draw_from([bucket], need=0, want=0, awaited=0, capped=True)
    return max(drawn.remaining, 0)


async def _draw(services: Services, caps: Caps, count: int, back: int = 0) -> Drawn:
    need = min(count, 1)
    return await services.limiter.draw_from(
        [*caps.buckets.values()],
        need=need,
        want=count,
        awaited=count,
        back=back,
        capped=True,
    )


class _Recorded:
    """Remembers the caps that this process has recorded lately, so that a flood writes one row an hour."""

    def __init__(self) -> None:
        self.keys: TTLCache[tuple[UUID, str, int], bool] = TTLCache(_REMEMBERED, _SECONDS[CountryCap.hour])
        self.tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Ends the recording."""
        await end(self.tasks)


async def record_reached(services: Services, caps: Caps, seconds: float, *, waits: bool = True) -> CountryCap:
    """Records that a cap is reached, once for each owner, country and hour. Returns which one. `waits`: see `take`."""
    recorded = services.single(_Recorded, _Recorded, _Recorded.close)
    key = (caps.owner_id, caps.country, int(services.db.now().timestamp()) // _SECONDS[CountryCap.hour])
    cap = await _reached(services, caps)
    if key not in recorded.keys:
        recorded.keys[key] = True

        async def record() -> None:
            try:
                await services.db.fetch(
                    _RECORD, uuid7(), caps.owner_id, caps.country, cap.value, timedelta(seconds=seconds)
                )
            except BaseException:
                recorded.keys.pop(key, None)
                raise

        if waits:
            await record()
        else:
            task = ignore_result(asyncio.get_running_loop().create_task(record()))
            recorded.tasks.add(task)
            task.add_done_callback(recorded.tasks.discard)
    return cap


async def _reached(services: Services, caps: Caps) -> CountryCap:
    """Returns the cap that has less room: the hour's, if that is one of those that are reached."""
    if CountryCap.hour in caps.buckets and (
        len(caps.buckets) == 1 or await left(services, caps, CountryCap.hour) < 1
    ):
        return CountryCap.hour
    return CountryCap.day
