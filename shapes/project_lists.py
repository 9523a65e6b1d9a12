"""Lists of Sending Projects: what they are filtered and ordered by; and how far a project is."""

from typing import Annotated, ClassVar

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.sending_projects import ProjectChannel, ProjectStatus
from shapes.shape import Shape, Timestamp
from shapes.where import Choice, Contains, Ids, Order, TimeSpan, Where


class SendingProjectWhere(Where):
    """Filter for projects."""

    kinds: ClassVar = {
        "id": "SendingProject",
        "owner_id": "User",
        "account_id": "Account",
        "repeatable_uuid": "RepeatableSendingProject",
        "follows_uuid": "SendingProject",
    }

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    account_id: Annotated[Ids | None, Field(description="the account that pays")] = None
    repeatable_uuid: Annotated[
        Ids | None, Field(description="filter by the repeatable project that created them")
    ] = None
    follows_uuid: Annotated[Ids | None, Field(description="filter by the project that they follow")] = None
    name: Annotated[Contains | None, Field(description="part of the name")] = None
    status: Annotated[Choice[ProjectStatus] | None, Field(description="filter by status")] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="filter by channel")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None


class SendingProjectSort(DescribedEnum):
    """Sort keys of projects."""

    createdAt = "createdAt", "time of creation"  # noqa: N815  as GraphQL and its cursors write it
    updatedAt = "updatedAt", "time of the last change"  # noqa: N815
    name = "name", "by name, compared character by character"  # type: ignore[assignment]  # Enum.name


class SendingProjectOrder(Order):
    """Sort order of projects."""

    field: Annotated[SendingProjectSort, Field(description="sort key")] = SendingProjectSort.createdAt


class ProjectProgress(Shape):
    """Progress of a project, with a completion time estimated from its present sending rate."""

    total: Annotated[
        int,
        Field(
            description="number of its messages, with those that are still being created for its recipients; "
            "recipients become messages when the project starts"
        ),
    ]
    done: Annotated[int, Field(description="messages that are neither queued nor being sent")]
    percent: Annotated[
        float | None,
        Field(description="share of `total` that is done, in percent; null if there are no messages"),
    ]
    preparing: Annotated[
        bool,
        Field(
            description="true while messages are still being created for recipients; `total` counts them already"
        ),
    ]
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
    ends_at: Annotated[
        Timestamp | None, Field(description="estimated time of completion; null if none is being sent")
    ]
