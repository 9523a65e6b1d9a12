"""Health: the specification's liveness and readiness bodies (§2; NestJS Terminus' shape)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Shape


class Liveness(Shape):
    """Reports that the process is running."""

    status: Annotated[str, Field(description="always `ok`")] = "ok"


class ReadinessStatus(DescribedEnum):
    """degraded: everything is available, but something is slow, busy or restored; error: something is unavailable."""

    ok = "ok", "everything is available"
    degraded = "degraded", "everything is available, but something is slow, busy or restored"
    error = "error", "something is unavailable"


class IndicatorStatus(StrEnum):
    """The availability of a dependency."""

    up = "up"
    down = "down"


class Indicator(Shape):
    """Status of one dependency."""

    status: IndicatorStatus
    message: Annotated[
        str | None,
        Field(
            description="description of the problem; of a dependency that is up: it is busy, or was restored"
        ),
    ] = None
    latency_ms: Annotated[float | None, Field(description="duration of the check, in milliseconds")] = None


class Readiness(Shape):
    """Reports the readiness of the process and of its dependencies."""

    status: ReadinessStatus
    info: Annotated[dict[str, Indicator], Field(description="the available dependencies, by name")]
    error: Annotated[dict[str, Indicator], Field(description="the unavailable dependencies, by name")]
    details: Annotated[dict[str, Indicator], Field(description="all dependencies, by name")]
