"""Recipients of Sending Projects (contract §3)."""

import re
from enum import StrEnum
from typing import Annotated, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import Field, model_validator
from strawberry.scalars import JSON

from schema.types.shape import JsonObject, Line, Shape, Text, Uuid
from schema.types.values import json_at_most
from schema.types.where import Exactly, Ids, Where

MOST = 10_000
"""Recipients of one request; more come by an import."""

LARGEST = 64 * 1024
"""Bytes of one recipient's variables."""


class RecipientStatus(StrEnum):
    """How far the message to a recipient is; `pending` while there is none."""

    pending = "pending"
    queued = "queued"
    sending = "sending"
    sent = "sent"
    delivered = "delivered"
    read = "read"
    failed = "failed"
    skipped = "skipped"
    unknown = "unknown"
    canceled = "canceled"


Variables = Annotated[
    JsonObject,
    json_at_most(LARGEST),
    Field(description="what texts may name", examples=[{"city": "Berlin"}]),
    strawberry.field(graphql_type=JSON),
]


PHONE = "E.164, where the address is one"


class RecipientFields(Shape):
    """One address of a Sending Project."""

    id: Uuid
    address: Annotated[str, Field(description="phone, email address, device token or user name, normalised")]
    name: Annotated[str, Field(description="`{{ name }}` in texts")] | None
    variables: Variables
    timezone: Annotated[str, Field(description="IANA name")] | None
    status: Annotated[RecipientStatus, Field(description="how far the message is")]
    status_reason: Annotated[str, Field(description="why it failed or was skipped")] | None
    message_id: Annotated[UUID, Field(description="of the message, once there is one")] | None


class Recipient(RecipientFields):
    """One address of a Sending Project."""

    phone: Annotated[str, Field(description=PHONE)] | None


class RecipientWhere(Where):
    """What must hold for recipients."""

    kinds: ClassVar = {"id": "Recipient"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    address: Annotated[Exactly | None, Field(description="the address, in any spelling")] = None


class NewRecipient(Shape):
    """Somebody to write to: a phone, or any other address."""

    phone: (
        Annotated[
            Text,
            Field(max_length=64, description="of the default region without +", examples=["+14155550100"]),
        ]
        | None
    ) = None
    address: (
        Annotated[Text, Field(max_length=8192, description="an email address, a device token, a user name")]
        | None
    ) = None
    name: Annotated[Line, Field(max_length=1000, description="`{{ name }}` in texts")] | None = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(LARGEST),
        Field(description="what texts may name", examples=[{"city": "Berlin"}]),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    timezone: (
        Annotated[Line, Field(max_length=64, description="IANA name", examples=["Europe/Berlin"])] | None
    ) = None


class AddRecipients(Shape):
    """Recipients for a project: these, or all valid rows of an import."""

    recipients: (
        Annotated[list[NewRecipient], Field(max_length=MOST, description="at most 10,000; more by an import")]
        | None
    ) = None
    import_uuid: Annotated[UUID, Field(description="an import that is ready")] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.recipients is None) == (self.import_uuid is None):
            raise ValueError("send either recipients or importUuid")
        return self


class InvalidRecipient(Shape):
    """One that was not added, and why."""

    place: Annotated[int, Field(description="in the list that was sent, from 1; the line, of an import's")]
    code: Annotated[str, Field(description="for programs", examples=["invalid_recipient"])]
    message: Annotated[str, Field(description="for people")]


class AddedRecipients(Shape):
    """What became of recipients that were sent."""

    added: Annotated[int, Field(description="recipients that the project has now besides")]
    duplicates: Annotated[int, Field(description="addresses that it had, or that were sent twice")]
    invalid: Annotated[list[InvalidRecipient], Field(description="those that were not added; 1000 at most")]
    invalid_count: Annotated[int, Field(description="how many were not added")]
    pending: Annotated[
        bool,
        Field(
            description="the rest of the import is being added; the numbers say what was added so far, and the project's"
            " `recipientsPending` how many are left"
        ),
    ] = False


_PHONE = re.compile(r"\+\d{5,17}")


def phone_of(address: str) -> str | None:
    """The address, if it is a phone number."""
    return address if _PHONE.fullmatch(address) else None
