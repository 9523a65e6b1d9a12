"""Limits the messages that a route has in flight: as many as its provider takes well, between a floor and the DSN's
limit.

The limit starts low and doubles each round trip (slow start). A provider that says "too fast" cuts it by a third, at
most once a round trip; so does a latency that has grown far beyond the least one, because a request that waits in the
provider's queue until it times out has an unknown outcome. After that the limit grows by one a round trip.

Intents are recorded ahead by half of the limit. A provider that answers faster than the database stores a group would
wait for each group then, so its route gets as much ahead as it takes meanwhile, within a bound (decision 0129).
"""

from core.clock import CLOCK

FLOOR = 4
"""Messages in flight that a route may always have, unless its DSN allows fewer."""
START = 16
"""Messages in flight at the start."""
AHEAD = 1.5
"""Intents without a stored outcome, as a multiple of the limit: so many a kill may leave unknown."""
MOST_AHEAD = 50
"""Intents beyond the limit that a route may have, if that is more than half of the limit, at a fast provider."""

LONGEST_STORING = 0.05
"""Seconds: storing a group counts as no longer than this."""

_REDUCTION = 0.7
_SLOW_SECONDS = 0.5  # a latency below this is never called slow
_SLOW_FACTOR = 4.0  # of the least latency
_WINDOW = 30.0  # seconds after which the least latency is measured anew


class AdaptiveLimit:
    """The limit of one route in this process."""

    def __init__(self, most: int, start: int = START) -> None:
        """`most`: the limit that the DSN names. `start`: the limit at first."""
        self.most = most
        self._limit = float(min(self.most, start))
        self._slow_start = True
        self._reduced_at = 0.0  # answers to requests from before this moment do not cut again
        self._mean: float | None = None
        self._least: tuple[float, float] = (float("inf"), float("inf"))  # of the last window and of this one
        self._window_ends = 0.0
        self._storing: float | None = None  # seconds that a group takes, a mean

    @property
    def limit(self) -> int:
        """Returns how many messages may be in flight now; 0 if this process has no share of the route."""
        return min(max(1, int(self._limit)), self.most)

    @property
    def ahead(self) -> int:
        """Returns how many messages may have an intent without a stored outcome."""
        limit = self.limit
        usual = int(limit * AHEAD)
        if not self._mean or not self._storing:
            return usual
        # A call takes `_mean` seconds, so the route takes this many messages while a group is stored.
        return max(usual, limit + min(int(limit * self._storing / self._mean), MOST_AHEAD))

    @property
    def floor(self) -> int:
        """Returns the limit below which nothing cuts."""
        return min(self.most, FLOOR)

    def succeeded(self, started: float, *, busy: bool) -> None:
        """Counts an answer to a request that was `started` then. `busy`: the limit was in full use.

        Times are those of CLOCK.monotonic().
        """
        now = CLOCK.monotonic()
        latency = now - started
        self._measure(latency, now)
        assert self._mean is not None
        least = min(self._least)
        if started > self._reduced_at and self._mean > max(_SLOW_SECONDS, _SLOW_FACTOR * least):
            self._reduce(now)
        elif busy and self._limit < self.most:
            self._limit = min(self._limit + (1.0 if self._slow_start else 1.0 / self._limit), self.most)

    def stored(self, seconds: float) -> None:
        """Counts a group of outcomes and intents that took so long to store.

        A database that stalls gives no route more ahead whose provider takes its time: one that answers after twice
        LONGEST_STORING or later never has more than half of its limit.
        """
        seconds = min(seconds, LONGEST_STORING)
        self._storing = seconds if self._storing is None else self._storing + (seconds - self._storing) / 8

    def throttled(self, started: float) -> None:
        """Counts an answer that says "too fast"."""
        if started > self._reduced_at:
            self._reduce(CLOCK.monotonic())

    def _reduce(self, now: float) -> None:
        self._limit = max(1.0, self.floor, min(self._limit, self.most) * _REDUCTION)
        self._slow_start = False
        self._reduced_at = now
        self._mean = None

    def _measure(self, latency: float, now: float) -> None:
        if now > self._window_ends:
            self._window_ends, self._least = now + _WINDOW, (self._least[1], float("inf"))
        self._least = (self._least[0], min(self._least[1], latency))
        weight = 1 / max(8.0, self._limit)
        self._mean = latency if self._mean is None else self._mean + (latency - self._mean) * weight
