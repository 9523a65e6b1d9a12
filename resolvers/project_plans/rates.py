"""Says how fast the messages of a project leave, and what limits that."""

from collections.abc import Mapping
from typing import Any

from shapes.project_plans import PlanLimit

_FAST = 100_000  # messages per minute: a tariff of more is no limit, the provider is slower


def rate_of(speed: Mapping[str, Any], senders: int, tariff: Any) -> tuple[float | None, PlanLimit]:
    """Returns the most messages per minute, and what limits them."""
    limits: list[tuple[float, PlanLimit]] = [(float(tariff["messages_per_minute"]), PlanLimit.tariff)]
    if own := speed.get("perMinute"):
        limits.append((float(own), PlanLimit.speed))
    if each := speed.get("perAccountPerMinute"):
        # If none is connected now, the plan is that of all of them.
        limits.append((float(each) * max(tariff["senders"] or senders, 1), PlanLimit.senders))
    if jitter := speed.get("jitterSeconds"):
        limits.append((120 / float(jitter), PlanLimit.jitter))
    lowest, limit = min(limits, key=lambda limit: limit[0])
    if limit is PlanLimit.tariff and lowest >= _FAST:
        return None, PlanLimit.route
    return lowest, limit
