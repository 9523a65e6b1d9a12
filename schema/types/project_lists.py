"""Lists of Sending Projects: what they are filtered and ordered by; and how far a project is."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from schema.types.sending_projects import ProjectChannel, ProjectStatus
from schema.types.shape import Shape, Timestamp
from schema.types.where import Choice, Contains, Ids, Order, TimeSpan, Where


class SendingProjectWhere(Where):
    """What must hold for projects."""

    kinds: ClassVar = {
        "id": "SendingProject",
        "owner_id": "User",
        "account_id": "Account",
        "repeatable_uuid": "RepeatableSendingProject",
    }

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    account_id: Annotated[Ids | None, Field(description="who pays")] = None
    repeatable_uuid: Annotated[Ids | None, Field(description="the repeatable project that made them")] = None
    name: Annotated[Contains | None, Field(description="a part of the name")] = None
    status: Annotated[Choice[ProjectStatus] | None, Field(description="where they are")] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="how their messages leave")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None


class SendingProjectSort(StrEnum):
    """What projects are ordered by."""

    createdAt = "createdAt"  # noqa: N815  as GraphQL and its cursors write it
    updatedAt = "updatedAt"  # noqa: N815
    name = "name"


class SendingProjectOrder(Order):
    """An order to read projects in."""

    field: Annotated[SendingProjectSort, Field(description="what decides")] = SendingProjectSort.createdAt


class ProjectProgress(Shape):
    """How far a project is, and when it will be done at the pace of the last quarters of an hour."""

    total: Annotated[int, Field(description="its messages; recipients become messages when it starts")]
    done: Annotated[int, Field(description="those that neither wait nor are being sent")]
    percent: Annotated[float | None, Field(description="done, of all; null while there are none")]
    preparing: Annotated[bool, Field(description="recipients still become messages, so `total` may grow")]
    per_minute: Annotated[float, Field(description="sent or failed a minute, over the last 15 to 30 minutes")]
    eta_seconds: Annotated[
        int | None, Field(description="until all are sent, at that pace; null while nothing moves")
    ]
    ends_at: Annotated[Timestamp | None, Field(description="when that would be")]
