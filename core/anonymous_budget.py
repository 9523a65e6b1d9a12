"""Points for the work that callers without a login cause before their operation runs: reading a document that this
process does not have, and coercing its variables.

The points count for the caller's network, and work that is not small counts for all such callers together, too, so that
many networks can't keep a process busy either. By default it takes four IPv6 /48, or fifty other networks, to use up
the shared points. Small work counts for the network alone: strangers can't use up the points that a login needs.
"""

from collections.abc import Sequence

from core.budget import Budget
from core.rate_limits import WIDER, Limit, Limiter, RateStatus


class AnonymousBudget:
    """The buckets of networks, and the one of all callers without a login."""

    def __init__(self, limiter: Limiter, network: Limit, everybody: Limit) -> None:
        self.most = min(network.count, everybody.count)
        self.seconds = network.seconds
        self._networks = [
            Budget(limiter, Limit(f"{network.name}-{times}", network.count * times, network.seconds))
            for times in WIDER
        ]
        self._everybody = Budget(limiter, everybody)

    async def take(self, networks: Sequence[str], points: int, *, small: bool) -> RateStatus:
        """Takes the points of all these networks, the narrowest first, or of none."""
        buckets = self._buckets(networks, small)
        for index, (budget, key) in enumerate(buckets):
            status = await budget.take(key, points)
            if not status.allowed:
                for earlier, name in buckets[:index]:
                    await earlier.give(name, points)
                return status
        return status

    async def give(self, networks: Sequence[str], points: int, *, small: bool) -> None:
        """Returns points. A negative number is use beyond the taken points, which becomes a debt."""
        for budget, key in self._buckets(networks, small):
            await budget.give(key, points)

    def _buckets(self, networks: Sequence[str], small: bool) -> list[tuple[Budget, str]]:
        buckets = list(zip(self._networks, networks, strict=False))
        # The bucket that all share comes last, so that a network whose own bucket is empty takes nothing from it.
        return buckets if small else [*buckets, (self._everybody, "all")]
