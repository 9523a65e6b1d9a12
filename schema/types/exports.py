"""Export links (contract §3): what is written to a file for the caller, and what an integration brings in."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.blocks import BlockReason
from schema.types.message_records import RecordStatus
from schema.types.messages import Direction
from schema.types.recipients import NewRecipient, RecipientStatus
from schema.types.sending_projects import ProjectChannel, ProjectStatus
from schema.types.shape import Created, JsonObject, Line, Shape, Text, Timestamp, Uuid
from schema.types.values import json_at_most
from schema.types.where import Choice, Exactly, Ids, TimeSpan, Where


class ExportStatus(StrEnum):
    """How far an export is."""

    created = "created"
    running = "running"
    ready = "ready"
    failed = "failed"
    canceled = "canceled"


class ExportFormat(StrEnum):
    """What the file will be."""

    csv = "csv"
    xlsx = "xlsx"
    ndjson = "ndjson"


class ExportSource(StrEnum):
    """The sources of ours; any other word names an integration that brings contacts in."""

    messages = "messages"
    recipients = "recipients"
    sending_projects = "sending-projects"
    statistics = "statistics"
    blocked_phones = "blocked-phones"


SourceName = Annotated[
    str,
    Field(
        pattern="^[a-z0-9-]{1,40}$",
        description="messages, recipients, sending-projects, statistics or blocked-phones are written to a file;"
        " any other word is an integration that brings contacts in",
        examples=["messages", "amocrm"],
    ),
]


class ExportLink(Shape):
    """An export to a file, or an integration's way in."""

    id: Uuid
    source: Annotated[str, Field(description="what is written, or who brings contacts in")]
    status: Annotated[ExportStatus, Field(description="how far it is")]
    status_reason: Annotated[
        str | None,
        Field(description="why it failed; of an integration, which of the last items were left out"),
    ]
    format: Annotated[ExportFormat, Field(description="what the file is")]
    filters: Annotated[
        dict[str, Any],
        Field(description="which rows"),
        strawberry.field(graphql_type=JSON),
    ]
    columns: Annotated[list[str], Field(description="in their order; none: the usual ones")]
    sending_project_uuid: Annotated[
        UUID | None, Field(description="the project whose rows are written, or that gets the contacts")
    ]
    total: Annotated[
        int,
        Field(
            description="rows in all, at most as many until it is ready; of an integration, items that came"
        ),
    ]
    done: Annotated[int, Field(description="rows written; of an integration, recipients that were added")]
    file_uuid: Annotated[UUID | None, Field(description="the file, once it is ready")]
    url: Annotated[
        str | None,
        Field(
            description="opens the file without a credential for a while; only where one link is asked for"
        ),
    ]
    created_at: Created


class ExportLinkWhere(Where):
    """What must hold for export links."""

    kinds: ClassVar = {
        "id": "ExportLink",
        "owner_id": "User",
        "sending_project_uuid": "SendingProject",
        "file_uuid": "File",
    }

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    sending_project_uuid: Annotated[Ids | None, Field(description="of these projects")] = None
    file_uuid: Annotated[Ids | None, Field(description="that made these files")] = None
    source: Annotated[Exactly | None, Field(description="what is written, or who brings contacts in")] = None
    status: Annotated[Choice[ExportStatus] | None, Field(description="how far they are")] = None
    format: Annotated[Choice[ExportFormat] | None, Field(description="what the file is")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were started")] = None


class StartExport(Shape):
    """Something to write to a file, or an integration to let in."""

    source: SourceName
    format: Annotated[ExportFormat, Field(description="what the file will be")] = ExportFormat.csv
    filters: Annotated[
        JsonObject,
        json_at_most(8 * 1024),
        Field(
            description="messages: accountUuid, channel, direction, status, phone, dateFrom, dateTo, updatedSince; recipients: status;"
            " sending-projects and statistics: status, channel, dateFrom, dateTo; blocked-phones: reason, dateFrom,"
            " dateTo; of an integration: whatever it wants to know",
            examples=[{"status": "failed"}],
        ),
        strawberry.field(graphql_type=JSON),
    ] = Field(default_factory=dict)
    columns: Annotated[
        list[Annotated[Line, Field(min_length=1, max_length=200)]],
        Field(
            max_length=200,
            description="names out of GET /export-link/variables/{source}, in the order of the file; none: the"
            " usual ones",
            examples=[["to", "status", "sentAt"]],
        ),
    ] = Field(default_factory=list)
    sending_project_uuid: (
        Annotated[
            UUID,
            Field(
                description="messages: of this project only; recipients: whose; an integration: who gets the contacts"
            ),
        ]
        | None
    ) = None


class ExportItem(NewRecipient):
    """A contact that an integration brings; `phone` or `address`."""


class HandleExport(Shape):
    """A page of contacts from an integration."""

    export_link_uuid: Annotated[
        UUID,
        Field(description="the link that `start` opened", examples=["01890000-0000-7000-8000-000000000000"]),
    ]
    items: Annotated[
        list[ExportItem],
        Field(
            max_length=1000,
            description="the contacts of this page",
            examples=[[{"phone": "+14155550100", "name": "Anna"}]],
        ),
    ] = Field(default_factory=list)
    done: Annotated[bool, Field(description="this was the last page")] = False


class ExportVariable(Shape):
    """A column that a source has; of an integration, a field that its items may have."""

    name: Annotated[str, Field(description="for `columns`")]
    label: Annotated[str, Field(description="for people")]
    example: Annotated[str, Field(description="what may stand there")]


# What `filters` may hold, by source.

_Since = Annotated[Timestamp, Field(description="then or later")]
_Until = Annotated[Timestamp, Field(description="before that")]


class MessageFilters(Shape):
    account_uuid: UUID | None = None
    channel: ProjectChannel | None = None
    direction: Direction | None = None
    status: RecordStatus | None = None
    phone: Annotated[Text, Field(min_length=1, max_length=4096)] | None = None
    date_from: _Since | None = None
    date_to: _Until | None = None
    updated_since: _Since | None = None


class RecipientFilters(Shape):
    status: RecipientStatus | None = None


class ProjectFilters(Shape):
    status: ProjectStatus | None = None
    channel: ProjectChannel | None = None
    date_from: _Since | None = None
    date_to: _Until | None = None


class BlockFilters(Shape):
    reason: BlockReason | None = None
    date_from: _Since | None = None
    date_to: _Until | None = None


FILTERS: dict[str, type[Shape]] = {
    ExportSource.messages: MessageFilters,
    ExportSource.recipients: RecipientFilters,
    ExportSource.sending_projects: ProjectFilters,
    ExportSource.statistics: ProjectFilters,
    ExportSource.blocked_phones: BlockFilters,
}
