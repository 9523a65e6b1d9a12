"""Recipients of Sending Projects (contract §3)."""

import re
from typing import Annotated, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.message_records import RecordStatus
from shapes.rules import either
from shapes.shape import Cost, JsonObject, Line, Shape, Text, Uuid
from shapes.values import json_at_most
from shapes.where import Contains, Exactly, Ids, Where

MOST = 10_000
"""Recipients of one request; more come by an import."""

LARGEST = 64 * 1024
"""Bytes of one recipient's variables."""


class RecipientStatus(DescribedEnum):
    """Delivery state of the message to a recipient; `pending` until there is a message."""

    pending = "pending", "there is no message yet"
    queued = "queued", RecordStatus.queued.description
    sending = "sending", RecordStatus.sending.description
    sent = "sent", RecordStatus.sent.description
    delivered = "delivered", RecordStatus.delivered.description
    read = "read", RecordStatus.read.description
    failed = "failed", RecordStatus.failed.description
    skipped = "skipped", RecordStatus.skipped.description
    unknown = "unknown", RecordStatus.unknown.description
    canceled = "canceled", RecordStatus.canceled.description


Variables = Annotated[
    JsonObject,
    json_at_most(LARGEST),
    Field(description="values for the variables in texts", examples=[{"city": "Berlin"}]),
    strawberry.field(graphql_type=JSON),
]


PHONE = "phone in E.164 format, if the address is a phone"


class RecipientFields(Shape):
    """A recipient of a Sending Project."""

    id: Uuid
    address: Annotated[str, Field(description="phone, email address, device token or username, normalised")]
    name: Annotated[str, Field(description="name of the recipient, for `{{ name }}` in texts")] | None
    variables: Variables
    timezone: Annotated[str, Field(description="IANA time zone")] | None
    status: Annotated[RecipientStatus, Field(description="delivery state of the recipient's message")]
    status_reason: (
        Annotated[str, Field(description="why the message failed or was skipped; null if neither")] | None
    )
    message_id: Annotated[UUID, Field(description="id of the message; null until there is one")] | None


class Recipient(RecipientFields):
    """A recipient of a Sending Project."""

    phone: Annotated[str, Field(description=PHONE)] | None


class RecipientWhere(Where):
    """Filter for recipients."""

    kinds: ClassVar = {"id": "Recipient"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    address: Annotated[Exactly | None, Field(description="filter by the address, in any common notation")] = (
        None
    )
    text: Annotated[Contains | None, Field(description="filter by a part of the address or of the name")] = (
        None
    )


class NewRecipient(Shape):
    """A recipient: a phone, or any other address."""

    phone: (
        Annotated[
            Text,
            Field(
                max_length=64,
                description="phone; without +, it is read in the default region",
                examples=["+14155550100"],
            ),
        ]
        | None
    ) = None
    address: (
        Annotated[Text, Field(max_length=8192, description="email address, device token or username")] | None
    ) = None
    name: (
        Annotated[
            Line, Field(max_length=1000, description="name of the recipient, for `{{ name }}` in texts")
        ]
        | None
    ) = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(LARGEST),
        Field(description="values for the variables in texts", examples=[{"city": "Berlin"}]),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    timezone: (
        Annotated[Line, Field(max_length=64, description="IANA time zone", examples=["Europe/Berlin"])] | None
    ) = None


class AddRecipients(Shape):
    """Recipients to add to a project: the given ones, or all valid rows of an import."""

    model_config = ConfigDict(json_schema_extra=either("recipients", "importUuid"))

    recipients: (
        Annotated[
            list[NewRecipient], Field(max_length=MOST, description="at most 10,000; use an import for more")
        ]
        | None
    ) = None
    import_uuid: Annotated[UUID, Field(description="uuid of an import that is ready")] | None = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.recipients is None) == (self.import_uuid is None):
            raise ValueError("send either recipients or importUuid")
        return self


class RemoveRecipients(Shape):
    """Recipients to remove from a project: those with an address of an import, or those found by a text."""

    model_config = ConfigDict(json_schema_extra=either("importUuid", "text"))

    import_uuid: (
        Annotated[
            UUID,
            Field(
                description="uuid of an import with their addresses; recipients with such an address are removed "
                "even if "
                "they were added otherwise"
            ),
        ]
        | None
    ) = None
    text: (
        Annotated[
            Line,
            Field(
                min_length=1, max_length=100, description="a part of the address or of the name; no wildcards"
            ),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _check_choice(self) -> Self:
        if (self.import_uuid is None) == (self.text is None):
            raise ValueError("send either importUuid or text")
        return self


class RemovedRecipients(Shape):
    """Result of removing recipients."""

    removed: Annotated[int, Field(description="recipients that were removed, at most 50,000 in one request")]
    with_message: Annotated[
        int,
        Field(
            description="matching recipients to whom a message was created, "
            "so that they stay; counted up to 50,000, and 0 "
            "if there are `more`"
        ),
    ]
    more: Annotated[bool, Field(description="true: there are more such recipients; send the request again")]


class InvalidRecipient(Shape):
    """A recipient that was not added, and the reason."""

    place: Annotated[int, Field(description="position in the request, from 1; for an import, the line")]
    code: Annotated[
        str, Field(description="the reason as a code for programs", examples=["invalid_recipient"])
    ]
    message: Annotated[str, Field(description="the reason as a sentence")]


class AddedRecipients(Shape):
    """Result of adding recipients."""

    added: Annotated[int, Field(description="recipients that were added")]
    duplicates: Annotated[
        int, Field(description="addresses that the project already had, or that occur twice in the request")
    ]
    invalid: Annotated[
        list[InvalidRecipient],
        Field(description="recipients that were not added; at most 1000 are listed"),
        Cost(most=1000),
    ]
    invalid_count: Annotated[int, Field(description="number of recipients that were not added")]
    pending: Annotated[
        bool,
        Field(
            description="true: the rest of the import is still being added; these counts cover the rows so far, and "
            "the project's `recipientsPending` counts the remaining ones"
        ),
    ] = False


_PHONE = re.compile(r"\+\d{5,17}")


def phone_of(address: str) -> str | None:
    """Returns the address, if it is a phone number."""
    return address if _PHONE.fullmatch(address) else None
