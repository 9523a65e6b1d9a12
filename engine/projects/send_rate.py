"""How fast a project may go: several buckets, asked at once, across all processes.

A bucket is GCRA (see core/rate_limits.py) with a burst of two hundredths of its minute, so that over any minute
no more than 102 % goes out, and a Redis that is wiped gives away no more than that burst. With Redis away the
same arithmetic goes on in this process's memory: each process then goes at the full rate.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from runtime.services import Services

_SCRIPT = """
local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local want, wait, full = tonumber(ARGV[1]), 0, {}
local most = want
for i, key in ipairs(KEYS) do
  local every, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  full[i] = math.max(tonumber(redis.call('GET', key) or now), now)
  local free = math.floor((now + burst * every - full[i]) / every + 1e-6)
  if free < most then most = math.max(free, 0) end
end
for i, key in ipairs(KEYS) do
  local every, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local after = full[i] + most * every
  if most > 0 then redis.call('SET', key, string.format('%.3f', after), 'PX', math.ceil(after - now) + 60000) end
  local enough = math.min(burst, want - most)
  if most < want then wait = math.max(wait, after + enough * every - burst * every - now) end
end
return {most, math.ceil(wait)}
"""


_GIVE_BACK = """
for i, key in ipairs(KEYS) do
  local full = tonumber(redis.call('GET', key))
  if full then redis.call('SET', key, string.format('%.3f', full - ARGV[1] * ARGV[i + 1]), 'KEEPTTL') end
end
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a minute, under one name."""

    key: str
    per_minute: float

    @property
    def every(self) -> float:
        """Milliseconds from one message to the next."""
        return 60_000 / self.per_minute

    @property
    def burst(self) -> float:
        return max(1.0, self.per_minute // 50)


class SendRate:
    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._script = services.store.script(_SCRIPT)
        self._back = services.store.script(_GIVE_BACK)
        self._memory: dict[str, float] = {}

    async def take(self, rates: Sequence[Rate], want: int) -> tuple[int, float]:
        """How many of `want` may go now, and after how many seconds to ask for the others."""
        if not rates or want <= 0:
            return want, 0.0
        keys = [f"pace:{rate.key}" for rate in rates]
        arguments: list[float] = [want]
        for rate in rates:
            arguments += [rate.every, rate.burst]
        answer = await self._store.attempt(lambda _: self._script(keys=keys, args=arguments), None)
        most, wait = answer or self._here(rates, want)
        return int(most), wait / 1000

    async def give_back(self, rates: Sequence[Rate], count: int) -> None:
        """So many were not sent after all."""
        if rates and count > 0:
            keys = [f"pace:{rate.key}" for rate in rates]
            await self._store.attempt(
                lambda _: self._back(keys=keys, args=[count, *(rate.every for rate in rates)]), None
            )
            for rate in rates:
                if rate.key in self._memory:
                    self._memory[rate.key] -= count * rate.every

    def _here(self, rates: Sequence[Rate], want: int) -> tuple[int, float]:
        now = time.monotonic() * 1000
        if len(self._memory) > 10_000:
            self._memory = {key: full for key, full in self._memory.items() if full > now}
        full = [max(self._memory.get(rate.key, now), now) for rate in rates]
        most, wait = want, 0.0
        for rate, busy in zip(rates, full, strict=True):
            most = min(most, max(0, int((now + rate.burst * rate.every - busy) / rate.every + 1e-6)))
        for rate, busy in zip(rates, full, strict=True):
            after = self._memory[rate.key] = busy + most * rate.every
            if most < want:
                wait = max(wait, after + (min(rate.burst, want - most) - rate.burst) * rate.every - now)
        return most, wait
