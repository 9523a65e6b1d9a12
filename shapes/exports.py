"""Export links (contract §3): what is written to a file for the caller, and what an integration brings in."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.accounts import EntryKind
from shapes.audit import AuditResult
from shapes.blocks import BlockReason
from shapes.described import DescribedEnum
from shapes.message_records import RecordFilters
from shapes.messages import Direction
from shapes.recipients import NewRecipient, RecipientStatus
from shapes.rules import absent_when, required
from shapes.sending_projects import ProjectChannel, ProjectStatus
from shapes.shape import Created, JsonObject, Line, Shape, StartedBy, Timestamp, Uuid
from shapes.statistics import StatisticsKind
from shapes.values import json_at_most
from shapes.where import Choice, Exactly, Ids, TimeSpan, Where


class ExportStatus(DescribedEnum):
    """Progress of an export."""

    created = "created", "waiting for a worker"
    running = "running", "the file is being written"
    ready = "ready", "the file can be downloaded"
    failed = "failed", "failed; `statusReason` gives the reason"
    canceled = "canceled", "canceled by its owner"


class ExportFormat(DescribedEnum):
    """The format of the exported file."""

    csv = "csv", "comma-separated values (RFC 4180)"
    xlsx = "xlsx", "an Excel spreadsheet"
    ndjson = "ndjson", "one JSON object on each line"


class ExportSource(StrEnum):
    """The sources of ours; any other word names an integration that brings contacts in."""

    messages = "messages"
    recipients = "recipients"
    sending_projects = "sending-projects"
    statistics = "statistics"
    blocked_phones = "blocked-phones"
    audit = "audit"
    ledger = "ledger"
    person = "person"
    invoice_differences = "invoice-differences"


SourceName = Annotated[
    str,
    Field(
        pattern="^[a-z0-9-]{1,40}$",
        description="messages, recipients, sending-projects, statistics, blocked-phones, audit, ledger, person or "
        "invoice-differences: exported to a file; "
        "any other name: an integration that delivers contacts",
        examples=["messages", "amocrm"],
    ),
]


class ListedExportLink(Shape):
    """An export link without the signed link to its file, which is made for one export at a time."""

    id: Uuid
    source: Annotated[str, Field(description="what is exported, or the name of the integration")]
    status: Annotated[ExportStatus, Field(description="progress of the export")]
    status_reason: Annotated[
        str | None,
        Field(
            description="why it failed; for an integration: which items of the last page were rejected; null if "
            "there is nothing to report"
        ),
    ]
    format: Annotated[ExportFormat, Field(description="file format")]
    filters: Annotated[
        dict[str, Any],
        Field(description="which rows are exported"),
        strawberry.field(graphql_type=JSON),
    ]
    columns: Annotated[list[str], Field(description="the columns in their order; empty: the default columns")]
    sending_project_uuid: Annotated[
        UUID | None,
        Field(
            description="the project whose rows are exported, or that receives the contacts; null if there is none"
        ),
    ]
    total: Annotated[
        int,
        Field(
            description="number of rows, an upper bound until the export is ready; for an integration: items received"
        ),
    ]
    done: Annotated[
        int, Field(description="rows written so far; for an integration: recipients added so far")
    ]
    file_uuid: Annotated[UUID | None, Field(description="the exported file; null until it is ready")]
    started_by: StartedBy
    created_at: Created


class ExportLink(ListedExportLink):
    """An export to a file, or a link through which an integration delivers contacts."""

    url: Annotated[
        str | None,
        Field(
            description="signed link that downloads the file without a credential for a limited time; only in "
            "responses about one link"
        ),
    ]


class ExportLinkWhere(Where):
    """Filter for export links."""

    kinds: ClassVar = {
        "id": "ExportLink",
        "owner_id": "User",
        "sending_project_uuid": "SendingProject",
        "file_uuid": "File",
        "contact_id": "Contact",
    }

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    sending_project_uuid: Annotated[Ids | None, Field(description="filter by project")] = None
    file_uuid: Annotated[Ids | None, Field(description="filter by exported file")] = None
    contact_id: Annotated[Ids | None, Field(description="filter by the contact of an export of a person")] = (
        None
    )
    source: Annotated[Exactly | None, Field(description="filter by source")] = None
    status: Annotated[Choice[ExportStatus] | None, Field(description="filter by status")] = None
    format: Annotated[Choice[ExportFormat] | None, Field(description="filter by format")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of their start")] = None


_OF_ALL_PROJECTS = (
    ExportSource.sending_projects,
    ExportSource.statistics,
    ExportSource.blocked_phones,
    ExportSource.audit,
    ExportSource.ledger,
    ExportSource.person,
    ExportSource.invoice_differences,
)
_PROJECT_RULES: dict[str, Any] = {
    "allOf": [
        {
            "if": {"properties": {"source": {"enum": [ExportSource.messages, *_OF_ALL_PROJECTS]}}},
            "else": required("sendingProjectUuid"),
        },
        absent_when("sendingProjectUuid", "source", _OF_ALL_PROJECTS),
    ]
}


class StartExport(Shape):
    """An export to start, or an integration to open a link for."""

    model_config = ConfigDict(json_schema_extra=_PROJECT_RULES)

    source: SourceName
    format: Annotated[ExportFormat, Field(description="file format")] = ExportFormat.csv
    filters: Annotated[
        JsonObject,
        json_at_most(8 * 1024),
        Field(
            description="which rows to export. messages: kind (project, direct or all; default: project), accountUuid, "
            "channel, direction, status, reaction, phone, clicked, clickedLinkUuid, month (such as 2026-11, UTC), "
            "dateFrom, dateTo, updatedSince; ledger: accountUuid, kind, sendingProjectUuid, month, dateFrom, dateTo; "
            "recipients: status; sending-projects and statistics: status, channel, "
            "dateFrom, dateTo; blocked-phones: reason, dateFrom, dateTo; audit: operation, objectType, objectId, "
            "result, actorId, dateFrom, dateTo; "
            "person: contactUuid, or channel and address; invoice-differences: invoiceUuid; "
            "an integration: any values, which it can read",
            examples=[{"status": "failed"}],
        ),
        strawberry.field(graphql_type=JSON),
    ] = Field(default_factory=dict)
    columns: Annotated[
        list[Annotated[Line, Field(min_length=1, max_length=200)]],
        Field(
            max_length=200,
            description="names of columns from GET /export-link/variables/{source}, in the order of the file; empty: "
            "the default columns",
            examples=[["to", "status", "sentAt"]],
        ),
    ] = Field(default_factory=list)
    sending_project_uuid: (
        Annotated[
            UUID,
            Field(
                description="messages: only those of this project; recipients: the project whose recipients are "
                "exported; an integration: the project that receives the contacts"
            ),
        ]
        | None
    ) = None


class ExportItem(NewRecipient):
    """A contact from an integration; `phone` or `address` is required."""


class HandleExport(Shape):
    """One page of contacts from an integration."""

    export_link_uuid: Annotated[
        UUID,
        Field(
            description="uuid of the link that `/export-link/start` returned",
            examples=["01890000-0000-7000-8000-000000000000"],
        ),
    ]
    items: Annotated[
        list[ExportItem],
        Field(
            max_length=1000,
            description="the contacts on this page",
            examples=[[{"phone": "+14155550100", "name": "Anna"}]],
        ),
    ] = Field(default_factory=list)
    done: Annotated[bool, Field(description="true if this is the last page")] = False


class ExportVariable(Shape):
    """A column of an export source; for an integration, a field that its items may have."""

    name: Annotated[str, Field(description="name of the column, for `columns`")]
    label: Annotated[str, Field(description="title to show to people")]
    example: Annotated[str, Field(description="an example value")]


# What `filters` may hold, by source.

_Since = Annotated[Timestamp, Field(description="at or after this time")]
_Until = Annotated[Timestamp, Field(description="before that")]


class _ByMonth(Shape):
    """Filters by time, of which a month (UTC) is a short form."""

    date_from: _Since | None = None
    date_to: _Until | None = None
    month: Annotated[str, Field(pattern=r"^20\d\d-(0[1-9]|1[0-2])$", examples=["2026-11"])] | None = None

    @model_validator(mode="after")
    def _month(self) -> Self:
        if self.month is not None:
            if self.date_from is not None or self.date_to is not None:
                raise ValueError("month: has no dateFrom and dateTo beside it; send one of both")
            begin = datetime.strptime(f"{self.month}-01T00:00:00+0000", "%Y-%m-%dT%H:%M:%S%z")
            self.date_from, self.date_to = begin, (begin + timedelta(days=31)).replace(day=1)
        return self


class MessageFilters(_ByMonth, RecordFilters):
    kind: StatisticsKind | None = None
    direction: Direction | None = None


class LedgerFilters(_ByMonth):
    account_uuid: UUID | None = None
    kind: EntryKind | None = None
    sending_project_uuid: UUID | None = None


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


class AuditFilters(Shape):
    operation: Line | None = None
    object_type: Line | None = None
    object_id: Line | None = None
    result: AuditResult | None = None
    actor_id: UUID | None = None
    date_from: _Since | None = None
    date_to: _Until | None = None


class PersonFilters(Shape):
    contact_uuid: UUID | None = None
    channel: ProjectChannel | None = None
    address: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    owner_uuid: UUID | None = None


class InvoiceFilters(Shape):
    invoice_uuid: UUID


FILTERS: dict[str, type[Shape]] = {
    ExportSource.messages: MessageFilters,
    ExportSource.recipients: RecipientFilters,
    ExportSource.sending_projects: ProjectFilters,
    ExportSource.statistics: ProjectFilters,
    ExportSource.blocked_phones: BlockFilters,
    ExportSource.audit: AuditFilters,
    ExportSource.ledger: LedgerFilters,
    ExportSource.person: PersonFilters,
    ExportSource.invoice_differences: InvoiceFilters,
}
