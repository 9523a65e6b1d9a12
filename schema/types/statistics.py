"""Statistics, the queue, and how the work on projects goes (contract §3)."""

from enum import StrEnum
from typing import Annotated

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.project_counts import ProjectCounts
from schema.types.sending_projects import ProjectChannel, ProjectStatus
from schema.types.shape import Created, Shape, Timestamp, Uuid


class Interval(StrEnum):
    """How long an interval of statistics is, by the calendar and clock of the time zone."""

    hour = "hour"
    day = "day"
    week = "week"
    month = "month"


class StatisticsKind(StrEnum):
    """Which messages are counted."""

    project = "project"
    direct = "direct"
    all = "all"


class ProcessingStatus(StrEnum):
    """stuck: a running project has work that is due, and nobody does it."""

    ok = "ok"
    stuck = "stuck"


class RouteState(StrEnum):
    """closed: messages go through. open: its provider does not answer, and messages wait. probing: one message is
    being tried.
    """

    closed = "closed"
    open = "open"
    probing = "probing"


_Rate = float | None


class Rates(Shape):
    """Parts of a whole, 0 to 1; null where the whole is nothing."""

    sent: Annotated[_Rate, Field(description="taken by providers (sent, delivered or read), of all")]
    failed: Annotated[_Rate, Field(description="failed, of all")]
    delivered: Annotated[_Rate, Field(description="delivered or read, of those taken by providers")]
    read: Annotated[_Rate, Field(description="read, of those taken by providers")]
    replied: Annotated[_Rate, Field(description="answered, of those taken by providers")]


class CountedProject(Shape):
    """The project that counts are of."""

    id: Uuid
    name: Annotated[str, Field(description="shown to people")]
    channel: Annotated[ProjectChannel, Field(description="how its messages leave")]
    status: Annotated[ProjectStatus, Field(description="where it is")]
    created_at: Created


class VariantStatistics(Shape):
    """The messages of a project that say one of its variants, in numbers."""

    variant: Annotated[int, Field(description="which of the project's `variants`, the first is 0")]
    counts: Annotated[ProjectCounts, Field(description="its messages by state, from the first attempt on")]
    rates: Annotated[Rates, Field(description="shares of them")]


class ProjectStatistics(Shape):
    """A project's messages in numbers."""

    project: Annotated[CountedProject, Field(description="which")]
    counts: Annotated[ProjectCounts, Field(description="its messages by state")]
    rates: Annotated[Rates, Field(description="shares of them")]
    variants: Annotated[
        list[VariantStatistics], Field(description="the same of each variant that was sent, at most 10")
    ]


class TotalStatistics(Shape):
    """All messages of a kind in numbers; those of deleted projects too."""

    projects: Annotated[int, Field(description="how many there are, deleted ones apart; 0 for `direct`")]
    counts: Annotated[
        ProjectCounts,
        Field(description="messages by state; of direct ones none is read, skipped or replied to"),
    ]
    rates: Annotated[Rates, Field(description="shares of them")]


_Numbers = Annotated[dict[str, int], strawberry.field(graphql_type=JSON)]


class DeliveryStatusCounts(Shape):
    """Where the messages are, and why some failed or were skipped."""

    statuses: Annotated[_Numbers, Field(description="messages by each of the nine states")]
    failure_reasons: Annotated[
        _Numbers,
        Field(description="failed and skipped messages by failureCode, the most frequent 200"),
    ]


class FailureReason(Shape):
    """Why messages failed or were skipped, and how many."""

    code: Annotated[str, Field(description="as `failureCode` of a message")]
    count: Annotated[int, Field(description="failed and skipped messages, as they are now")]


class IntervalStatistics(Shape):
    """What happened in an interval."""

    begins: Annotated[
        Timestamp,
        Field(
            validation_alias="from",
            serialization_alias="from",
            description="its first instant; it ends where the next begins",
        ),
        strawberry.field(name="from", description="its first instant; it ends where the next begins"),
    ]
    queued: Annotated[int, Field(description="messages that came into the queue")]
    sent: Annotated[int, Field(description="that a provider took")]
    delivered: Annotated[int, Field(description="that arrived")]
    read: Annotated[int, Field(description="that were read")]
    failed: Annotated[int, Field(description="that failed")]
    replied: Annotated[int, Field(description="that were answered")]


class GeneralStatistics(Shape):
    """What happened, interval by interval, empty ones too."""

    items: Annotated[list[IntervalStatistics], Field(description="oldest first")]


class QueuedProject(Shape):
    """A project that is running, paused or scheduled."""

    id: Uuid
    queued: Annotated[int, Field(description="messages that wait")]
    sending: Annotated[int, Field(description="messages in the hands of workers")]
    per_minute: Annotated[float, Field(description="sent or failed a minute, over the last 15 to 30 minutes")]
    eta_seconds: Annotated[
        int | None, Field(description="until all are sent, at that pace; null while nothing moves")
    ]


class QueueWorker(Shape):
    """A worker. Users see those that work for them, administrators all."""

    # Not `id` in GraphQL: that would be the key of a node in the caches of clients.
    name: Annotated[
        str,
        Field(validation_alias="id", serialization_alias="id", description="its name, host:pid"),
        strawberry.field(name="name", description="host:pid"),
    ]
    host: Annotated[str, Field(description="where it runs")]
    units: Annotated[int, Field(description="packets of messages in its hands (of yours, for users)")]
    last_seen_at: Annotated[
        Timestamp | None, Field(description="when it last told of itself; null while Redis is away")
    ]


class Route(Shape):
    """A configured route to a provider, and its circuit breaker. The sandbox has none."""

    name: Annotated[
        str, Field(description="channel and position among the channel's routes", examples=["sms-2"])
    ]
    state: Annotated[
        RouteState,
        Field(description="of its breaker; with Web Push the worst of its push services'"),
    ]
    since: Annotated[Timestamp | None, Field(description="when it opened; null while it is closed")]
    probe_at: Annotated[
        Timestamp | None,
        Field(description="from when one message is tried; null while it is closed"),
    ]


class QueueStatistics(Shape):
    """What waits, how fast it moves, and who moves it."""

    queued: Annotated[int, Field(description="messages that wait, in all of those projects")]
    sending: Annotated[int, Field(description="messages in the hands of workers")]
    oldest_queued_seconds: Annotated[
        float, Field(description="how long the packet that waits longest has been due; 0: none is")
    ]
    per_minute: Annotated[float, Field(description="sent or failed a minute, all together")]
    projects: Annotated[list[QueuedProject], Field(description="the newest 100")]
    workers: Annotated[list[QueueWorker], Field(description="at most 100, the busiest first")]
    routes: Annotated[
        list[Route],
        Field(description="those to real providers, by channel, in the order in which they are tried"),
    ]


class ProcessedProject(Shape):
    """How the work on a project goes."""

    id: Uuid
    status: Annotated[ProjectStatus, Field(description="running, paused or scheduled")]
    last_progress_at: Annotated[
        Timestamp | None, Field(description="when a message of it last moved, or a worker renewed its claim")
    ]
    stuck: Annotated[
        bool,
        Field(description="running, and what has been due for two minutes has not moved for two minutes"),
    ]
    workers: Annotated[list[str], Field(description="who works on it, as host:pid")]


class ProcessingHealth(Shape):
    """Whether the work on your projects goes on."""

    status: Annotated[ProcessingStatus, Field(description="stuck: at least one is")]
    projects: Annotated[
        list[ProcessedProject], Field(description="at most 100: stuck ones first, then the newest")
    ]
    routes: Annotated[
        list[Route],
        Field(description="those to real providers, by channel, in the order in which they are tried"),
    ]
