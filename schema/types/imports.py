"""Recipient imports (contract §3)."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from phonenumbers import SUPPORTED_REGIONS
from pydantic import AfterValidator, Field, model_validator
from strawberry.scalars import JSON

from schema.types.recipients import MOST
from schema.types.shape import Created, JsonObject, Line, Shape, Text, Updated, Uuid
from schema.types.where import Choice, Flag, Ids, TimeSpan, Where

NAMED = 200
"""Columns that a mapping may name; a list has no more."""


class ImportStatus(StrEnum):
    """How far an import is."""

    processing = "processing"
    ready = "ready"
    failed = "failed"


def _known_region(code: str) -> str:
    if code not in SUPPORTED_REGIONS:
        raise ValueError("is no region with phone numbers; use an ISO 3166-1 code like DE")
    return code


def _delimiter(text: str) -> str:
    return "\t" if text in ("tab", "\\t") else text


Region = Annotated[
    str,
    Field(
        pattern="^[A-Z]{2}$",
        description="of phones that are not written with +; ISO 3166-1",
        examples=["DE"],
    ),
    AfterValidator(_known_region),
]
Delimiter = Annotated[
    str,
    Field(pattern=r"^([,;|\t]|tab|\\t)$", description="between cells; `tab` for a tab", examples=[";"]),
    AfterValidator(_delimiter),
]
Mapping = Annotated[
    dict[
        Annotated[str, Field(pattern=r"^[^\W\d][\w-]{0,63}$")],
        Annotated[Line, Field(min_length=1, max_length=128)],
    ],
    Field(
        max_length=NAMED,
        description="column by what it is: `address`, `phone` or `email` (the first of these that is named is where "
        "messages go), `name`, `timezone`, and variables by their names; only these columns are taken",
        examples=[{"phone": "Телефон", "name": "Имя", "city": "Город"}],
    ),
]


def _complete(mapping: dict[str, str] | None) -> dict[str, str] | None:
    if mapping is not None and not mapping.keys() & {"address", "phone", "email"}:
        raise ValueError("must name the column of addresses: address, phone or email")
    return mapping


class ImportOptions(Shape):
    """How to read a list. What is left out is found out."""

    mapping: Annotated[
        Mapping | None,
        AfterValidator(_complete),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    region: Region | None = None
    delimiter: Delimiter | None = None
    encoding: (
        Annotated[Line, Field(max_length=32, description="of a text file", examples=["cp1251"])] | None
    ) = None
    header: (
        Annotated[bool, Field(description="whether the list has a line with the names of the columns")] | None
    ) = None
    header_row: (
        Annotated[
            int,
            Field(
                ge=1, le=50, description="the line with these names, from 1; what stands above it is left out"
            ),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _header_is_there(self) -> Self:
        if self.header is False and self.header_row is not None:
            raise ValueError("headerRow needs a header; leave out header: false")
        return self


class NewImport(ImportOptions):
    """A list of recipients: rows, or a file that was uploaded."""

    rows: Annotated[
        list[JsonObject] | None,
        Field(
            max_length=MOST,
            description="objects; fields that are no address, name or timezone are variables",
            examples=[[{"phone": "+14155550100", "name": "Anna", "city": "Berlin"}]],
        ),
        strawberry.field(graphql_type=list[JSON] | None),
    ] = None
    file_uuid: Annotated[UUID, Field(description="CSV, TXT, JSON, NDJSON, XLSX, XLS or ODS")] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.rows is None) == (self.file_uuid is None):
            raise ValueError("send either rows or fileUuid")
        if self.rows is not None and not self.rows:
            raise ValueError("rows must not be empty")
        return self


class NewTextImport(Shape):
    """A list of recipients as people type it."""

    text: Annotated[
        Text,
        Field(
            min_length=1,
            description="a phone or an address a line; after `;` or `,` a name",
            examples=["+14155550100; Anna\nboris@example.com"],
        ),
    ]
    region: Region | None = None


class RecipientImport(Shape):
    """A list of recipients, read in the background."""

    id: Uuid
    status: Annotated[ImportStatus, Field(description="how far it is")]
    status_reason: Annotated[str, Field(description="why it failed")] | None
    failure_code: (
        Annotated[str, Field(description="of a failed one: file_unreadable or file_too_complex")] | None
    ) = None
    file_uuid: Annotated[UUID, Field(description="the file that it is read from")] | None
    file_name: Annotated[str, Field(description="as it was uploaded")] | None
    region: Annotated[str, Field(description="of phones that are not written with +")]
    columns: Annotated[list[str], Field(description="that the list has")]
    mapping: Annotated[
        dict[str, str],
        Field(description="column by what it is", examples=[{"phone": "Phone", "city": "City"}]),
        strawberry.field(graphql_type=JSON),
    ]
    total: Annotated[int, Field(description="rows that were read so far")]
    valid: Annotated[int, Field(description="of these, recipients")]
    invalid: Annotated[int, Field(description="of these, rows that are none")]
    duplicates: Annotated[int, Field(description="of these, addresses that stood further up")]
    created_at: Created
    updated_at: Updated


class RecipientImportWhere(Where):
    """What must hold for imports."""

    kinds: ClassVar = {"id": "RecipientImport", "owner_id": "User", "file_uuid": "File"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    file_uuid: Annotated[Ids | None, Field(description="the file that they are read from")] = None
    status: Annotated[Choice[ImportStatus] | None, Field(description="how far they are")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None


class ImportedRecipient(Shape):
    """What a row of a list says."""

    phone: Annotated[str, Field(description="E.164, where the address is one")] | None
    address: Annotated[str, Field(description="normalised")]
    name: Annotated[str, Field(description="`{{ name }}` in texts")] | None
    variables: Annotated[
        dict[str, Any],
        Field(description="what texts may name", examples=[{"city": "Berlin"}]),
        strawberry.field(graphql_type=JSON),
    ]
    timezone: Annotated[str, Field(description="IANA name")] | None


class RowError(Shape):
    """Why a row is no recipient."""

    code: Annotated[str, Field(description="for programs", examples=["duplicate"])]
    message: Annotated[str, Field(description="for people")]


class ImportRow(Shape):
    """A row of a list: a recipient, or why it is none."""

    id: Annotated[
        UUID,
        Field(serialization_alias="uuid", validation_alias="id", description="its id, of import and line"),
        strawberry.field(name="uuid", description="its id, of import and line"),
    ]
    line: Annotated[int, Field(description="of the file or the sheet, from 1")]
    recipient: Annotated[ImportedRecipient, Field(description="of a valid row")] | None
    error: Annotated[RowError, Field(description="of every other row")] | None


class ImportRowWhere(Where):
    """What must hold for rows of an import."""

    valid: Annotated[Flag | None, Field(description="whether they are recipients")] = None


class ImportRows(Shape):
    """Which rows of an import to delete; without uuids, the whole import."""

    uuids: (
        Annotated[list[UUID], Field(min_length=1, max_length=MOST, description="of rows of this import")]
        | None
    ) = None


class PreviewColumn(Shape):
    """A column, and what its first rows hold."""

    name: Annotated[str, Field(description="from the header, or made up")]
    samples: Annotated[list[str], Field(description="what stands in it, five at most")]


class ImportPreview(Shape):
    """What a list seems to be."""

    format: Annotated[str, Field(description="csv, xlsx (any spreadsheet), json or text")]
    delimiter: Annotated[str, Field(description="of CSV")] | None
    encoding: Annotated[str, Field(description="of a text file")] | None
    header: Annotated[bool, Field(description="whether the list has a line with the names of the columns")]
    header_row: Annotated[
        int | None, Field(description="that line, from 1; what stands above it is left out")
    ]
    columns: Annotated[list[PreviewColumn], Field(description="from left to right")]
    mapping: Annotated[
        dict[str, str],
        Field(description="what the columns seem to be; empty when none looks like addresses"),
        strawberry.field(graphql_type=JSON),
    ]


def row_uuid(import_id: UUID, line: int) -> UUID:
    """The id of an import's row: the import's, with the line in its last 32 bits. `line_of` reads it back."""
    return UUID(int=import_id.int >> 32 << 32 | line)


def line_of(import_id: UUID, row: UUID) -> int | None:
    """The line of a row's id; None when it is not of this import."""
    return row.int & 0xFFFF_FFFF if row.int >> 32 == import_id.int >> 32 else None
