"""Statistics, the queue, and how the work on projects goes (contract §3)."""

from typing import Annotated

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.project_counts import ProjectCounts
from shapes.sending_projects import ProjectChannel, ProjectStatus
from shapes.shape import Cost, Created, Shape, Timestamp, Uuid


class Interval(DescribedEnum):
    """Length of an interval of statistics, in the calendar of the time zone."""

    quarterHour = "quarterHour", "a quarter of an hour"  # noqa: N815  "quarter" alone would be of a year
    hour = "hour", "one hour"
    day = "day", "one day"
    week = "week", "one week, starting on Monday"
    month = "month", "one month"


class StatisticsKind(DescribedEnum):
    """The messages that are counted."""

    project = "project", "messages of Sending Projects"
    direct = "direct", "single outbound messages, without test messages"
    all = "all", "the sum of both"


class ProcessingStatus(DescribedEnum):
    """stuck: a running project has messages that are due, but no worker sends them."""

    ok = "ok", "nothing is due, or it is being processed"
    stuck = "stuck", "a running project has messages that are due, but no worker sends them"


class RouteState(DescribedEnum):
    """State of a route's circuit breaker."""

    closed = "closed", "messages are sent through the route"
    open = "open", "the provider does not respond, and messages wait"
    probing = "probing", "one message is being sent to test the provider"


_Rate = float | None


class Rates(Shape):
    """Delivery rates from 0 to 1; null where the total is 0."""

    sent: Annotated[
        _Rate, Field(description="share of all messages that providers accepted (sent, delivered or read)")
    ]
    failed: Annotated[_Rate, Field(description="share of all messages that failed")]
    delivered: Annotated[
        _Rate, Field(description="share of the accepted messages that are delivered or read")
    ]
    read: Annotated[_Rate, Field(description="share of the accepted messages that are read")]
    replied: Annotated[_Rate, Field(description="share of the accepted messages that were replied to")]


class CountedProject(Shape):
    """The project that the counts belong to."""

    id: Uuid
    name: Annotated[str, Field(description="display name")]
    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    status: Annotated[ProjectStatus, Field(description="status of the project")]
    created_at: Created


class VariantStatistics(Shape):
    """Message counts of one text variant of a project, or of one language."""

    variant: Annotated[
        int,
        Field(description="index of the variant in the project's `variants`, or in its `languages`, from 0"),
    ]
    locale: Annotated[
        str | None,
        Field(description="language of the text, of a project with `languages`; null: it has none"),
    ] = None
    counts: Annotated[
        ProjectCounts, Field(description="messages of the variant by state, counted from their first attempt")
    ]
    rates: Annotated[Rates, Field(description="delivery rates of these messages")]


class ProjectStatistics(Shape):
    """Message counts of a project."""

    project: Annotated[CountedProject, Field(description="the project")]
    counts: Annotated[ProjectCounts, Field(description="its messages by state")]
    rates: Annotated[Rates, Field(description="delivery rates of these messages")]
    variants: Annotated[
        list[VariantStatistics],
        Field(description="the same counts for each variant that was sent, or of each language; at most 20"),
    ]


class TotalStatistics(Shape):
    """Message counts of all messages of a kind, including those of deleted projects."""

    projects: Annotated[int, Field(description="number of projects, without deleted ones; 0 for `direct`")]
    counts: Annotated[
        ProjectCounts,
        Field(
            description="messages by state; of direct messages, `read`, `skipped`, `replied`, `bounced` and "
            "`complained` are always 0"
        ),
    ]
    rates: Annotated[Rates, Field(description="delivery rates of these messages")]


_Numbers = Annotated[dict[str, int], strawberry.field(graphql_type=JSON)]


class DeliveryStatusCounts(Shape):
    """Messages by state, and the reasons for failed and skipped ones."""

    statuses: Annotated[_Numbers, Field(description="number of messages in each of the nine states")]
    failure_reasons: Annotated[
        _Numbers,
        Field(
            description="number of failed and skipped messages for each failureCode; the 200 most frequent codes"
        ),
    ]


class FailureReason(Shape):
    """A reason for failed or skipped messages, and their number."""

    code: Annotated[str, Field(description="the code, as in a message's `failureCode`")]
    count: Annotated[int, Field(description="number of messages that are failed or skipped now")]
    skipped: Annotated[
        int | None,
        Field(
            description="how many of them were skipped; the others failed; null if the project has too many such "
            "messages to count them by this code"
        ),
    ] = None


class _Events(Shape):
    """Messages by what happened to them in a time span."""

    queued: Annotated[int, Field(description="messages queued in the interval")]
    sent: Annotated[int, Field(description="messages accepted by a provider in the interval")]
    delivered: Annotated[int, Field(description="messages delivered in the interval")]
    read: Annotated[int, Field(description="messages read in the interval")]
    failed: Annotated[int, Field(description="messages that failed in the interval")]
    replied: Annotated[int, Field(description="messages replied to in the interval")]
    unknown: Annotated[
        int, Field(description="messages that became unknown in the interval; some may be settled by now")
    ]
    bounced: Annotated[
        int, Field(description="emails of which a report said in the interval that they came back")
    ]
    complained: Annotated[
        int, Field(description="emails of which a report said in the interval that they are seen as spam")
    ]


class IntervalStatistics(_Events):
    """Message counts of one interval."""

    begins: Annotated[
        Timestamp,
        Field(
            validation_alias="from",
            serialization_alias="from",
            description="start of the interval; it ends where the next one starts",
        ),
        strawberry.field(name="from", description="start of the interval; it ends where the next one starts"),
    ]


class ChannelStatistics(_Events):
    """Message counts of one channel."""

    channel: Annotated[ProjectChannel, Field(description="the channel")]


class GeneralStatistics(Shape):
    """Message counts for consecutive intervals, including empty ones."""

    items: Annotated[list[IntervalStatistics], Field(description="the intervals, oldest first")]


class QueuedProject(Shape):
    """A project that is running, paused or scheduled."""

    id: Uuid
    queued: Annotated[int, Field(description="number of queued messages")]
    sending: Annotated[int, Field(description="number of messages that workers are sending now")]
    per_minute: Annotated[
        float,
        Field(
            description="messages sent or failed in the last minute; if there were none, "
            "a minute's average of the last 15 to 30; 0 unless it runs"
        ),
    ]
    eta_seconds: Annotated[
        int | None,
        Field(description="estimated seconds until all are sent, at that rate; null if none are being sent"),
    ]


class QueueWorker(Shape):
    """A worker process. Users see only the workers that send their messages; administrators see all."""

    # Private in GraphQL, which never had it: an `id` would be the key of a node in the caches of clients.
    id: Annotated[
        strawberry.Private[str],
        # Field(deprecated=True) would warn whenever the answer is written.
        Field(description="the same as `name`, which replaces it", json_schema_extra={"deprecated": True}),
    ]
    name: Annotated[str, Field(description="name of the worker, as host:pid")]
    host: Annotated[str, Field(description="host that it runs on")]
    units: Annotated[int, Field(description="batches of messages that it is sending now")]
    last_seen_at: Annotated[
        Timestamp | None, Field(description="time of its last heartbeat; null while Redis is unavailable")
    ]


class Route(Shape):
    """A configured route to a provider, with its circuit breaker. The sandbox has no route."""

    name: Annotated[
        str, Field(description="channel, and position among the routes of the channel", examples=["sms-2"])
    ]
    state: Annotated[
        RouteState,
        Field(
            description="state of the circuit breaker; for Web Push, the worst state among its push services"
        ),
    ]
    since: Annotated[
        Timestamp | None, Field(description="when the circuit breaker opened; null while it is closed")
    ]
    probe_at: Annotated[
        Timestamp | None,
        Field(description="when a single test message may be sent through it; null while it is closed"),
    ]
    waiting: Annotated[
        int | None,
        Field(
            description="number of messages that wait because the provider does not answer; for administrators, else"
            " null"
        ),
    ] = None
    waiting_since: Annotated[
        Timestamp | None,
        Field(
            description="when the one of them that waits longest was accepted or queued; null if there is none, and for"
            " other callers than administrators"
        ),
    ] = None


class BackgroundKind(DescribedEnum):
    """A kind of work in the background, of which users take turns."""

    imports = "imports", "lists that are read"
    exports = "exports", "files that are written"
    recipients = "recipients", "imports that are added to projects as recipients"
    copies = "copies", "recipients that are copied to the project of a recurring run"
    preparations = "preparations", "messages that are made of recipients, queued again, or canceled"


class BackgroundWork(Shape):
    """Work of one kind in the background that waits or is being done."""

    kind: Annotated[
        BackgroundKind,
        Field(description="what is done"),
    ]
    waiting: Annotated[int, Field(description="number of pieces that wait")]
    at_work: Annotated[int, Field(description="number of pieces that workers are doing")]
    users: Annotated[int, Field(description="number of users whose pieces these are; they take turns")]


class QueueStatistics(Shape):
    """Queued messages, the sending rate and the workers."""

    queued: Annotated[int, Field(description="number of queued messages in all of these projects")]
    sending: Annotated[int, Field(description="number of messages that workers are sending now")]
    oldest_queued_seconds: Annotated[
        float,
        Field(
            description="seconds since the message was queued that waits longest in a running project whose window is"
            " open; a retry, a provider that does not answer or a send rate does not begin them again; 0 if none waits"
        ),
    ]
    direct_queued: Annotated[
        int | None,
        Field(description="number of queued direct messages of all users; for administrators, else null"),
    ] = None
    direct_oldest_seconds: Annotated[
        float | None,
        Field(
            description="seconds since the direct message was accepted that waits longest, whatever it waits for; 0 if"
            " none waits; for administrators, else null"
        ),
    ] = None
    per_minute: Annotated[float, Field(description="messages sent or failed per minute, in total")]
    projects: Annotated[list[QueuedProject], Field(description="the newest 100 projects")]
    workers: Annotated[
        list[QueueWorker],
        Field(description="at most 100 workers, the busiest first; empty for others than administrators"),
        Cost(most=100),
    ]
    routes: Annotated[
        list[Route],
        Field(
            description="routes to real providers by channel, in the order in which they are tried; empty for others "
            "than administrators"
        ),
        Cost(most=50),
    ]
    background: Annotated[
        list[BackgroundWork],
        Field(description="work in the background; users see their own, administrators that of all"),
        Cost(most=len(BackgroundKind)),
    ]


class ProcessedProject(Shape):
    """The state of a project's processing."""

    id: Uuid
    status: Annotated[ProjectStatus, Field(description="running, paused or scheduled")]
    last_progress_at: Annotated[
        Timestamp | None,
        Field(
            description="when one of its messages last changed state, or a worker last renewed its lease; null: never"
        ),
    ]
    stuck: Annotated[
        bool,
        Field(
            description="true if it is running and, for two minutes, messages have been due and none has changed "
            "state"
        ),
    ]
    workers: Annotated[
        list[str],
        Field(description="workers that process it, as host:pid; empty for others than administrators"),
    ]


class ProcessingHealth(Shape):
    """Reports whether your projects are being processed."""

    status: Annotated[ProcessingStatus, Field(description="stuck if at least one project is stuck")]
    projects: Annotated[
        list[ProcessedProject], Field(description="at most 100 projects: stuck ones first, then the newest")
    ]
    routes: Annotated[
        list[Route],
        Field(
            description="routes to real providers by channel, in the order in which they are tried; empty for others "
            "than administrators"
        ),
        Cost(most=50),
    ]
