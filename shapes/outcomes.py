"""The outcomes of messages, counted by the time at which they were created."""

from typing import Annotated

import strawberry
from pydantic import Field

from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Shape, Timestamp
from shapes.statistics import StatisticsKind

MAX_OUTCOMES = 10  # two kinds of messages, five channels


class ChannelOutcomes(Shape):
    """Outbound messages of one kind and channel by their present state. Each is counted once, however often it was
    tried; so the numbers are those of the lists with the same filters.
    """

    kind: Annotated[
        StatisticsKind,
        Field(
            description="`direct`: single messages, with tests by sms, email and push; `project`: those of projects"
        ),
    ]
    channel: Annotated[ProjectChannel, Field(description="the channel")]
    total: Annotated[int, Field(description="all messages")]
    queued: Annotated[int, Field(description="waiting to be sent")]
    sending: Annotated[int, Field(description="being sent by a worker")]
    sent: Annotated[int, Field(description="accepted by the provider, not reported as delivered")]
    delivered: Annotated[int, Field(description="delivered to the recipient")]
    read: Annotated[int, Field(description="read by the recipient")]
    failed: Annotated[int, Field(description="not delivered, for certain")]
    skipped: Annotated[int, Field(description="not sent: blocked, invalid, or a variable is missing")]
    unknown: Annotated[int, Field(description="sent, but the provider did not confirm it")]
    canceled: Annotated[int, Field(description="not sent, because it was canceled")]


class Outcomes(Shape):
    """The present states of the messages that were created since a time."""

    begins: Annotated[
        Timestamp,
        Field(
            validation_alias="from",
            serialization_alias="from",
            description="from when messages are counted: the time asked for, at its quarter of an hour",
        ),
        strawberry.field(
            name="from",
            description="from when messages are counted: the time asked for, at its quarter of an hour",
        ),
    ]
    counted_since: Annotated[
        Timestamp | None,
        Field(
            description="older messages are missing, because an update began to count then; null: none is missing"
        ),
    ]
    items: Annotated[
        list[ChannelOutcomes],
        Field(description="the counts of each kind and channel that has messages"),
        Cost(most=MAX_OUTCOMES),
    ]
