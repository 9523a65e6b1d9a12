"""Imports of contacts: which column of a list is what."""

from typing import Annotated, Any, Self
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field, model_validator
from pydantic.config import JsonDict
from strawberry.scalars import JSON

from shapes.contact_fields import MOST_FIELDS, ContactFieldType, FieldKey
from shapes.contacts import MOST_ADDRESSES
from shapes.described import DescribedEnum
from shapes.imports import SOURCE, ListOptions, ListPreview
from shapes.recipients import MOST
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, JsonObject, Line, Shape
from shapes.topic_subscriptions import MOST_TOPICS

Column = Annotated[Line, Field(min_length=1, max_length=128, examples=["Email"])]


class ContactStatus(DescribedEnum):
    """Says if a person of a list may be written to. Words of other tools are read as one of these."""

    active = "active", "the person is subscribed: subscribed, enabled, confirmed"
    pending = "pending", "the person has not agreed: unconfirmed, nonsubscribed"
    withdrawn = "withdrawn", "the person has unsubscribed: unsubscribed, disabled, a time in UNSUB_TIME"
    blocked = "blocked", "the person must get no advertising: blocklisted, blacklisted, suppressed"
    bounced = "bounced", "the mailbox does not exist: cleaned, undeliverable, a time in CLEAN_TIME"
    complained = "complained", "the person has reported spam: complaint, spam, abuse"


class AddressColumn(Shape):
    """A column of addresses."""

    channel: Annotated[ProjectChannel, Field(description="the channel that reaches its addresses")]
    column: Annotated[Column, Field(description="name of the column")]


class ConsentColumns(Shape):
    """The columns of a list that prove consent, person by person; they count for `subscribe`."""

    agreed: Annotated[
        Column | None,
        Field(description="column of yes and no; a person with no, or with an empty cell, is not subscribed"),
    ] = None
    at: Annotated[
        Column | None,
        Field(
            description="column of times at which the persons agreed: ISO 8601, in UTC if it names no zone"
        ),
    ] = None
    ip: Annotated[
        Column | None, Field(description="column of the network addresses that they agreed from")
    ] = None
    form: Annotated[
        Column | None, Field(description="column that names the form or page; it is put before `evidence`")
    ] = None


class ContactMapping(Shape):
    """The columns of a list: external id, name, addresses and fields. Other columns are ignored.

    Of a column with JSON objects, such as `attributes` of listmonk, each key is a column: `attributes.city`.
    """

    external_id: Annotated[Column | None, Field(description="column of ids in your own system")] = None
    name: Annotated[Column | None, Field(description="column of names")] = None
    last_name: Annotated[
        Column | None, Field(description="column of family names, which are put behind those of `name`")
    ] = None
    locale: Annotated[Column | None, Field(description="column of language tags")] = None
    timezone: Annotated[Column | None, Field(description="column of IANA time zones")] = None
    status: Annotated[
        Column | None,
        Field(
            description="column that says who may be written to: listmonk's status, Mailchimp's UNSUB_TIME or"
            " CLEAN_TIME, or words such as subscribed, unsubscribed, bounced and complained"
        ),
    ] = None
    consent: Annotated[
        ConsentColumns | None, Field(description="columns that prove consent; null: there are none")
    ] = None
    addresses: Annotated[
        list[AddressColumn] | None,
        Field(
            max_length=MOST_ADDRESSES,
            description="columns of addresses; several may be of one channel, and the first is its first choice",
        ),
    ] = None
    fields: Annotated[
        dict[FieldKey, Column] | None,
        Field(max_length=MOST_FIELDS, description="key of a field to column", examples=[{"city": "City"}]),
        strawberry.field(graphql_type=JSON | None),
    ] = None

    @model_validator(mode="after")
    def _check_identity(self) -> Self:
        if self.external_id is None and not self.addresses:
            raise ValueError("must name the column of external ids, or one of addresses")
        return self


class ImportSubscription(Shape):
    """The topics to which the contacts of a list are subscribed. A contact that has withdrawn one stays withdrawn.

    Contacts whose status is another than active are not subscribed; those who have left are withdrawn from them.
    """

    topic_uuids: Annotated[
        list[UUID],
        Field(
            min_length=1,
            max_length=MOST_TOPICS,
            description=f"uuids of topics, at most {MOST_TOPICS}",
            examples=[["01890000-0000-7000-8000-000000000002"]],
        ),
    ]
    channel: Annotated[
        ProjectChannel,
        Field(description="channel of the subscriptions; contacts without an address of it are left out"),
    ]
    evidence: Annotated[
        Line,
        Field(
            min_length=1,
            max_length=1000,
            description="where you have the proof that these people want it; it is kept as theirs",
            examples=["exported from our shop, with the box ticked at the order"],
        ),
    ]


class SubscribeSegment(ImportSubscription):
    """The contacts that are subscribed to topics, and where the proof is that they want it.

    A contact that has withdrawn a topic stays withdrawn.
    """

    segment_uuid: Annotated[
        UUID | None,
        Field(
            description="uuid of the segment whose contacts are subscribed; null: all contacts that you have now",
            examples=["01890000-0000-7000-8000-000000000003"],
        ),
    ] = None


_EXAMPLE: JsonDict = {
    "rows": [{"Email": "anna@example.com", "Phone": "+14155550100", "Name": "Anna Berg", "City": "Berlin"}],
    "mapping": {
        "name": "Name",
        "addresses": [{"channel": "email", "column": "Email"}, {"channel": "sms", "column": "Phone"}],
        "fields": {"city": "City"},
    },
    "createFields": True,
}


class NewContactImport(ListOptions):
    """A list of contacts: as rows, or as an uploaded file."""

    model_config = ConfigDict(json_schema_extra={**SOURCE, "examples": [_EXAMPLE]})

    mapping: Annotated[
        ContactMapping | None,
        Field(description="which column is what; without it, the names and contents of the columns decide"),
    ] = None
    create_fields: Annotated[
        bool,
        Field(description="true: adds fields that you do not have, with the type of the first rows' values"),
    ] = False
    subscribe: Annotated[
        ImportSubscription | None,
        Field(description="topics to which the contacts are subscribed; null: none"),
    ] = None
    rows: Annotated[
        list[JsonObject] | None,
        Field(
            max_length=MOST,
            json_schema_extra={"minItems": 1},
            description="rows as objects, whose keys are the columns",
            examples=[[{"Email": "anna@example.com", "Name": "Anna Berg"}]],
        ),
        strawberry.field(graphql_type=list[JSON] | None),
    ] = None
    file_uuid: Annotated[
        UUID | None, Field(description="uuid of an uploaded file: CSV, TXT, JSON, NDJSON, XLSX, XLS or ODS")
    ] = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.rows is None) == (self.file_uuid is None):
            raise ValueError("send either rows or fileUuid")
        if self.rows is not None and not self.rows:
            raise ValueError("rows must not be empty")
        return self


class PreviewField(Shape):
    """A field to which a preview maps a column."""

    key: Annotated[str, Field(description="name of the field", examples=["birthday"])]
    type: Annotated[
        ContactFieldType, Field(description="its type, or the one that it would get by the first rows")
    ]
    is_new: Annotated[bool, Field(description="whether you do not have this field")]


class ContactImportPreview(ListPreview):
    """The detected format of a list of contacts."""

    mapping: Annotated[
        dict[str, Any],
        Field(
            description="suggested mapping of the columns; empty if no column looks like external ids or addresses",
            examples=[{"addresses": [{"channel": "email", "column": "Email"}], "fields": {"city": "City"}}],
        ),
        strawberry.field(graphql_type=JSON),
    ]
    fields: Annotated[
        list[PreviewField],
        Field(description="the fields of the mapping, and their types"),
        Cost(most=MOST_FIELDS),
    ]
