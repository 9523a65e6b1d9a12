"""Health: the specification's liveness and readiness bodies (§2; NestJS Terminus' shape)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from schema.types.shape import Shape


class Liveness(Shape):
    """The process is up."""

    status: Annotated[str, Field(description="always ok")] = "ok"


class ReadinessStatus(StrEnum):
    """degraded: all is up, something is slow; error: something is down."""

    ok = "ok"
    degraded = "degraded"
    error = "error"


class IndicatorStatus(StrEnum):
    """Whether a dependency answers."""

    up = "up"
    down = "down"


class Indicator(Shape):
    """One dependency."""

    status: IndicatorStatus
    message: Annotated[str | None, Field(description="what is wrong")] = None
    latency_ms: Annotated[float | None, Field(description="how long the probe took")] = None


class Readiness(Shape):
    """The process and what it depends on."""

    status: ReadinessStatus
    info: Annotated[dict[str, Indicator], Field(description="the dependencies that are up, by name")]
    error: Annotated[dict[str, Indicator], Field(description="those that are down")]
    details: Annotated[dict[str, Indicator], Field(description="all of them")]
