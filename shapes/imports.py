"""Recipient imports (contract §3)."""

from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from phonenumbers import SUPPORTED_REGIONS
from pydantic import AfterValidator, ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.recipients import MOST
from shapes.rules import NOT_NULL, NULL, either
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Created, JsonObject, Line, Shape, Text, Updated, Uuid
from shapes.where import Choice, Flag, Ids, TimeSpan, Where

NAMES_LISTED = 200
"""Columns that a mapping may name; a list has no more."""


class ImportStatus(DescribedEnum):
    """Progress of an import."""

    processing = "processing", "the list is being read"
    ready = "ready", "all rows are read and can be used"
    failed = "failed", "failed; `statusReason` gives the reason"


def _check_region(code: str) -> str:
    if code not in SUPPORTED_REGIONS:
        raise ValueError("is not a region with phone numbers; use an ISO 3166-1 code like DE")
    return code


def _delimiter(text: str) -> str:
    return "\t" if text in ("tab", "\\t") else text


Region = Annotated[
    str,
    Field(
        pattern="^[A-Z]{2}$",
        description="ISO 3166-1 country of phones that are written without +",
        examples=["DE"],
    ),
    AfterValidator(_check_region),
]
Delimiter = Annotated[
    str,
    Field(
        pattern=r"^([,;|\t]|tab|\\t)$", description="delimiter between cells; `tab` for a tab", examples=[";"]
    ),
    AfterValidator(_delimiter),
]
Channel = Annotated[
    ProjectChannel,
    Field(
        description="channel of the project that the list is for; rows with an address that it can't reach are invalid"
        " (`wrong_channel`). Without it the channel is checked when the rows are added to a project",
        examples=["sms"],
    ),
]
Mapping = Annotated[
    dict[
        Annotated[str, Field(pattern=r"^[^\W\d][\w-]{0,63}$")],
        Annotated[Line, Field(min_length=1, max_length=128)],
    ],
    Field(
        max_length=NAMES_LISTED,
        description="field to column: `address`, `phone` or `email` (messages are sent to the first of these "
        "that is mapped), `name`, `timezone`, and variables by their names; other columns are ignored",
        examples=[{"phone": "Телефон", "name": "Имя", "city": "Город"}],
        json_schema_extra={
            "if": {"properties": {"address": False, "phone": False}},
            "then": {"required": ["email"], "properties": {"email": NOT_NULL}},
        },
    ),
]


def _complete(mapping: dict[str, str] | None) -> dict[str, str] | None:
    if mapping is not None and not mapping.keys() & {"address", "phone", "email"}:
        raise ValueError("must name the column of addresses: address, phone or email")
    return mapping


class ListOptions(Shape):
    """Options for reading a list. The service detects those that are omitted."""

    region: Region | None = None
    delimiter: Delimiter | None = None
    encoding: (
        Annotated[
            Line, Field(max_length=32, description="character encoding of a text file", examples=["cp1251"])
        ]
        | None
    ) = None
    header: Annotated[bool, Field(description="whether the list has a line with the column names")] | None = (
        None
    )
    header_row: (
        Annotated[
            int,
            Field(
                ge=1,
                le=50,
                description="number of the line with the column names, from 1; the lines above it are ignored",
            ),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _header_is_there(self) -> Self:
        if self.header is False and self.header_row is not None:
            raise ValueError("headerRow needs a header; leave out header: false")
        return self


class ImportOptions(ListOptions):
    """Options for reading a list of recipients. The service detects those that are omitted."""

    mapping: Annotated[
        Mapping | None,
        AfterValidator(_complete),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    channel: Channel | None = None


SOURCE: dict[str, Any] = {
    "allOf": [
        either("rows", "fileUuid"),
        {
            "if": {"required": ["header"], "properties": {"header": {"const": False}}},
            "then": {"properties": {"headerRow": NULL}},
        },
    ]
}


class NewImport(ImportOptions):
    """A list of recipients: as rows, or as an uploaded file."""

    model_config = ConfigDict(json_schema_extra=SOURCE)

    rows: Annotated[
        list[JsonObject] | None,
        Field(
            max_length=MOST,
            json_schema_extra={"minItems": 1},
            description="rows as objects; fields other than address, name and time zone become variables",
            examples=[[{"phone": "+14155550100", "name": "Anna", "city": "Berlin"}]],
        ),
        strawberry.field(graphql_type=list[JSON] | None),
    ] = None
    file_uuid: (
        Annotated[
            UUID, Field(description="uuid of an uploaded file: CSV, TXT, JSON, NDJSON, XLSX, XLS or ODS")
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.rows is None) == (self.file_uuid is None):
            raise ValueError("send either rows or fileUuid")
        if self.rows is not None and not self.rows:
            raise ValueError("rows must not be empty")
        return self


class NewTextImport(Shape):
    """A list of recipients as lines of text."""

    text: Annotated[
        Text,
        Field(
            min_length=1,
            description="one phone or address on each line, optionally followed by `;` or `,` and a name",
            examples=["+14155550100; Anna\nboris@example.com"],
        ),
    ]
    channel: Channel | None = None
    region: Region | None = None


class ImportedContacts(Shape):
    """Numbers of contacts that an import has added and changed, and how it understood the list."""

    mapping: Annotated[
        dict[str, Any],
        Field(
            description="which column is what; empty until the list is open",
            examples=[{"addresses": [{"channel": "email", "column": "Email"}], "fields": {"city": "City"}}],
        ),
        strawberry.field(graphql_type=JSON),
    ] = Field(default_factory=dict)
    created: Annotated[int, Field(description="contacts that were added")] = 0
    changed: Annotated[int, Field(description="contacts that were changed")] = 0
    unchanged: Annotated[int, Field(description="rows whose contact was as it should be")] = 0
    subscribed: Annotated[int, Field(description="subscriptions to topics that have become active")] = 0
    subscribed_before: Annotated[
        int, Field(description="subscriptions to topics that were active before")
    ] = 0
    withdrawn_before: Annotated[
        int, Field(description="subscriptions that were left out, since the persons had withdrawn them")
    ] = 0
    without_address: Annotated[
        int,
        Field(
            description="contacts of a segment that were left out, since the channel has no address of theirs"
        ),
    ] = 0
    suppressed: Annotated[
        int, Field(description="contacts whose status says that they have left, bounce or complained")
    ] = 0


class RecipientImport(Shape):
    """A list of recipients, or of contacts, that is read in the background. The contacts of a segment that are
    subscribed to topics are one without rows.
    """

    id: Uuid
    status: Annotated[ImportStatus, Field(description="progress of the import")]
    status_reason: Annotated[str, Field(description="why it failed")] | None
    failure_code: (
        Annotated[
            str, Field(description="why it failed: file_unreadable or file_too_complex; null if it did not")
        ]
        | None
    ) = None
    file_uuid: (
        Annotated[
            UUID, Field(description="the file that the import is read from; null if rows or text were sent")
        ]
        | None
    )
    file_name: Annotated[str, Field(description="name of the file at its upload; null without a file")] | None
    region: Annotated[str, Field(description="country of phones that are written without +")]
    columns: Annotated[list[str], Field(description="columns of the list")]
    mapping: Annotated[
        dict[str, str],
        Field(description="field to column", examples=[{"phone": "Phone", "city": "City"}]),
        strawberry.field(graphql_type=JSON),
    ]
    contacts: Annotated[
        ImportedContacts | None,
        Field(description="what a list of contacts has added so far; null for a list of recipients"),
    ]
    total: Annotated[int, Field(description="rows read so far")]
    valid: Annotated[int, Field(description="rows that are valid")]
    invalid: Annotated[int, Field(description="rows that are invalid")]
    duplicates: Annotated[int, Field(description="rows whose address occurred in an earlier row")]
    created_at: Created
    updated_at: Updated


class RecipientImportWhere(Where):
    """Filter for imports."""

    kinds: ClassVar = {"id": "RecipientImport", "owner_id": "User", "file_uuid": "File"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    file_uuid: Annotated[Ids | None, Field(description="filter by the file that they are read from")] = None
    status: Annotated[Choice[ImportStatus] | None, Field(description="filter by status")] = None
    of_contacts: Annotated[Flag | None, Field(description="filter by whether they are lists of contacts")] = (
        None
    )
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None


class ImportedRecipient(Shape):
    """The recipient in a row of a list."""

    phone: Annotated[str, Field(description="phone in E.164 format, if the address is a phone")] | None
    address: Annotated[str, Field(description="the address in normalised form")]
    name: Annotated[str, Field(description="name of the recipient, for `{{ name }}` in texts")] | None
    variables: Annotated[
        dict[str, Any],
        Field(description="values for the variables in texts", examples=[{"city": "Berlin"}]),
        strawberry.field(graphql_type=JSON),
    ]
    timezone: Annotated[str, Field(description="IANA time zone")] | None


class RowError(Shape):
    """The reason for which a row is not a valid recipient."""

    code: Annotated[str, Field(description="the reason as a code for programs", examples=["duplicate"])]
    message: Annotated[str, Field(description="the reason as a sentence")]


class ImportRow(Shape):
    """A row of a list: either a recipient or a contact, or the reason why it is not valid."""

    id: Annotated[
        UUID,
        Field(
            serialization_alias="uuid",
            validation_alias="id",
            description="id of the row, derived from the import and the line",
        ),
        strawberry.field(name="uuid", description="id of the row, derived from the import and the line"),
    ]
    line: Annotated[int, Field(description="line in the file or sheet, from 1")]
    recipient: (
        Annotated[ImportedRecipient, Field(description="the recipient, if the row is valid; otherwise null")]
        | None
    )
    error: Annotated[RowError, Field(description="the reason, if the row is invalid; otherwise null")] | None
    contact: Annotated[
        dict[str, Any] | None,
        Field(
            description="of a list of contacts: the contact as it was read, if the row is valid; otherwise null",
            examples=[{"externalId": "customer-4711", "fields": {"city": "Berlin"}}],
        ),
        strawberry.field(graphql_type=JSON | None),
    ] = None


class ImportRowWhere(Where):
    """Filter for rows of an import."""

    valid: Annotated[Flag | None, Field(description="filter by whether they are valid recipients")] = None


class ImportRows(Shape):
    """Selects the rows of an import to delete; without `uuids`, the whole import is deleted."""

    uuids: (
        Annotated[
            list[UUID], Field(min_length=1, max_length=MOST, description="uuids of rows of this import")
        ]
        | None
    ) = None


class PreviewColumn(Shape):
    """A column and samples of its values."""

    name: Annotated[str, Field(description="name from the header, or a generated one")]
    samples: Annotated[list[str], Field(description="values of the first rows, at most five")]


class ListPreview(Shape):
    """The detected format of a list."""

    format: Annotated[str, Field(description="csv, xlsx (any spreadsheet), json or text")]
    delimiter: Annotated[str, Field(description="delimiter of a CSV file; null for other formats")] | None
    encoding: Annotated[str, Field(description="character encoding of a text file")] | None
    header: Annotated[bool, Field(description="whether the list has a line with the column names")]
    header_row: Annotated[
        int | None, Field(description="number of that line, from 1; the lines above it are ignored")
    ]
    columns: Annotated[
        list[PreviewColumn], Field(description="the columns, from left to right"), Cost(most=200)
    ]


class ImportPreview(ListPreview):
    """The detected format of a list of recipients."""

    mapping: Annotated[
        dict[str, str],
        Field(description="suggested mapping of the columns; empty if no column looks like addresses"),
        strawberry.field(graphql_type=JSON),
    ]


def row_uuid(import_id: UUID, line: int) -> UUID:
    """Returns the id of an import's row: the import's, with the line in its last 32 bits. `line_of` reads it back."""
    return UUID(int=import_id.int >> 32 << 32 | line)


def line_of(import_id: UUID, row: UUID) -> int | None:
    """Returns the line of a row's id; None when it is not of this import."""
    return row.int & 0xFFFF_FFFF if row.int >> 32 == import_id.int >> 32 else None
