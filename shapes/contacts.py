"""Contacts: people with several addresses, and values of fields."""

from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import AfterValidator, ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.contact_fields import FieldKey
from shapes.described import DescribedEnum
from shapes.project_settings import check_zone
from shapes.recipients import InvalidRecipient
from shapes.rules import required
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Created, Id, Json, JsonObject, Line, Shape, Text, Timestamp, Updated
from shapes.users import Locale
from shapes.values import json_at_most, nothing
from shapes.where import Choice, Contains, Exactly, Ids, Order, TimeSpan, Where

MOST_CONTACTS = 1000  # in one request
MOST_ADDRESSES = 20  # of one contact
MOST_CONDITIONS = 10  # on fields, in one filter
MOST_DAYS = 366
MOST_DAYS_AGO = 36_600
FIELDS_BYTES = 8192

Zone = Annotated[
    Line,
    Field(max_length=64, description="IANA time zone", examples=["Europe/Berlin"]),
    AfterValidator(check_zone),
]
ExternalId = Annotated[
    Line,
    Field(min_length=1, max_length=200, description="id in your own system", examples=["customer-4711"]),
]
ContactName = Annotated[Line, Field(max_length=1000, description="name", examples=["Anna Berg"])]
Language = Annotated[Locale, Field(max_length=64, description="language tag (BCP 47)", examples=["de"])]


class ContactAddress(Shape):
    """An address of a contact."""

    # In the order of jsonb's keys, from which the list is read.
    address: Annotated[str, Field(description="the address in its one spelling", examples=["+14155550100"])]
    channel: Annotated[ProjectChannel, Field(description="the channel that reaches it")]
    primary: Annotated[bool, Field(description="whether it is the first choice of its channel")]
    verified_at: Annotated[
        Timestamp | None, Field(description="when the person has proved that it is theirs; null: not known")
    ]


class NewContactAddress(Shape):
    """An address of a contact, in any common notation."""

    channel: Annotated[ProjectChannel, Field(description="the channel that reaches it")]
    address: Annotated[
        Text,
        Field(min_length=1, max_length=8192, description="the address", examples=["anna@example.com"]),
    ]
    primary: Annotated[
        bool | None,
        Field(
            description="true: it becomes the first choice of its channel, as the first address of a channel is anyway"
        ),
    ] = None
    verified_at: Annotated[
        Timestamp | None, Field(description="when the person has proved that it is theirs")
    ] = None


Addresses = Annotated[
    list[NewContactAddress],
    Field(max_length=MOST_ADDRESSES, description=f"at most {MOST_ADDRESSES} addresses"),
]
Values = Annotated[
    JsonObject,
    json_at_most(FIELDS_BYTES),
    Field(
        description="values of fields by their keys; a field that is left out stays, and null removes it",
        examples=[{"birthday": "1990-02-28", "city": "Berlin"}],
    ),
]


class Contact(Shape):
    """A person whom you write to."""

    id: Id
    external_id: Annotated[str | None, Field(description="id in your own system", examples=["customer-4711"])]
    name: Annotated[str, Field(description="name; empty if it is not known", examples=["Anna Berg"])]
    locale: Annotated[str | None, Field(description="language tag (BCP 47)", examples=["de"])]
    timezone: Annotated[str | None, Field(description="IANA time zone", examples=["Europe/Berlin"])]
    fields: Annotated[
        dict[str, Any],
        Field(description="values of fields by their keys", examples=[{"birthday": "1990-02-28"}]),
        strawberry.field(graphql_type=JSON),
    ]
    addresses: Annotated[list[ContactAddress], Field(description="addresses, in the order of adding")]
    created_at: Created
    updated_at: Updated


class ContactValues(Shape):
    """A contact to add or to change. It is found by its external id, else by one of its addresses."""

    external_id: ExternalId | None = None
    name: ContactName | None = None
    locale: Language | None = None
    timezone: Zone | None = None
    fields: Annotated[Values | None, strawberry.field(graphql_type=JSON | None)] = None
    addresses: Addresses | None = None


class UpsertContact(ContactValues):
    """A contact to add or to change. It is found by its external id, else by one of its addresses."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"not": required("externalId")},
            "then": {
                "required": ["addresses"],
                "properties": {"addresses": {"type": "array", "minItems": 1}},
            },
            "examples": [
                {
                    "externalId": "customer-4711",
                    "name": "Anna Berg",
                    "addresses": [{"channel": "email", "address": "anna@example.com"}],
                    "fields": {"birthday": "1990-02-28"},
                    "createFields": True,
                }
            ],
        }
    )

    create_fields: Annotated[
        bool, Field(description="true: adds fields that you do not have, with the type of the first value")
    ] = False

    @model_validator(mode="after")
    def _check_identity(self) -> Self:
        if self.external_id is None and not self.addresses:
            raise ValueError("send externalId or at least one address")
        return self


class UpsertContacts(Shape):
    """Contacts to add or to change."""

    contacts: Annotated[
        list[ContactValues],
        Field(
            min_length=1,
            max_length=MOST_CONTACTS,
            description="at most 1,000; those that are not valid are left out and listed",
            examples=[
                [
                    {
                        "externalId": "customer-4711",
                        "addresses": [{"channel": "sms", "address": "+14155550100"}],
                    }
                ]
            ],
        ),
    ]
    create_fields: Annotated[
        bool, Field(description="true: adds fields that you do not have, with the type of the first value")
    ] = False


class InvalidContact(InvalidRecipient):
    """A contact that was left out, and the reason."""

    contact_uuid: Annotated[
        UUID | None, Field(description="of `address_taken`: the contact that has the address")
    ] = None


class UpsertedContacts(Shape):
    """Result of adding or changing many contacts."""

    created: Annotated[int, Field(description="contacts that were added")]
    changed: Annotated[int, Field(description="contacts that were changed")]
    unchanged: Annotated[int, Field(description="contacts that were as they should be")]
    uuids: Annotated[
        list[UUID],
        Field(
            description="uuid of the contact for each one of the request that is not in `invalid`, in its order"
        ),
    ]
    invalid: Annotated[
        list[InvalidContact],
        Field(description="contacts that were left out, and why"),
        Cost(most=MOST_CONTACTS),
    ]


class ContactPatch(Shape):
    """The values of a contact that change; the others stay."""

    external_id: ExternalId | None = Field(default_factory=nothing)
    name: ContactName | None = Field(default_factory=nothing)
    locale: Language | None = Field(default_factory=nothing)
    timezone: Zone | None = Field(default_factory=nothing)
    fields: Annotated[Values | None, strawberry.field(graphql_type=JSON | None)] = Field(
        default_factory=nothing
    )
    addresses: (
        Annotated[
            list[NewContactAddress],
            Field(
                max_length=MOST_ADDRESSES,
                description="all addresses: those that are not among them are removed",
            ),
        ]
        | None
    ) = Field(default_factory=nothing)


class MergeContact(Shape):
    """The contact that goes into another one."""

    other_uuid: Annotated[
        UUID,
        Field(
            description="uuid of the contact whose addresses and fields go to the one that is kept; it is deleted then",
            examples=["01890000-0000-7000-8000-000000000001"],
        ),
    ]


Compared = Annotated[Json | None, json_at_most(1024), strawberry.field(graphql_type=JSON | None)]


class ContactFieldCondition(Shape):
    """A condition on a field of contacts; all comparisons that are given must hold."""

    key: FieldKey
    eq: Annotated[Compared, Field(description="equal to this value; of a list: it has this text")] = None
    in_: Annotated[
        list[Json] | None,
        Field(alias="in", max_length=100, description="equal to one of these values; of a list: it has one"),
        strawberry.field(name="in", graphql_type=list[JSON] | None),
    ] = None
    not_in: Annotated[
        list[Json] | None,
        Field(max_length=100, description="equal to none of these values; also if the field has no value"),
        strawberry.field(graphql_type=list[JSON] | None),
    ] = None
    gt: Annotated[Compared, Field(description="number or day after this one")] = None
    gte: Annotated[Compared, Field(description="number or day not before this one")] = None
    lt: Annotated[Compared, Field(description="number or day before this one")] = None
    lte: Annotated[Compared, Field(description="number or day not after this one")] = None
    is_set: Annotated[bool | None, Field(description="whether the field has a value")] = None
    in_days: Annotated[
        int | None,
        Field(
            ge=-MOST_DAYS,
            le=MOST_DAYS,
            description="day that comes round in so many days, in any year, or that came round so many days ago if it "
            "is negative; 29 February counts as 28 February in common years, and today is that of the contact's time "
            "zone",
        ),
    ] = None
    within_days: Annotated[
        int | None,
        Field(ge=0, le=MOST_DAYS, description="day that comes round from today until so many days later"),
    ] = None
    days_ago: Annotated[
        int | None,
        Field(
            ge=0,
            le=MOST_DAYS_AGO,
            description="day that was so many days ago, in this very year: 3 is three days after joining; today is "
            "that of the contact's time zone",
        ),
    ] = None


class ContactWhere(Where):
    """Filter for contacts."""

    kinds: ClassVar = {"id": "Contact", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[
        Ids | None, Field(description="the owner; administrators name one, else they get their own contacts")
    ] = None
    external_id: Annotated[Exactly | None, Field(description="filter by the id in your own system")] = None
    name: Annotated[
        Contains | None, Field(description="filter by words of the name, or by how they begin")
    ] = None
    address: Annotated[Exactly | None, Field(description="filter by an address, in any common notation")] = (
        None
    )
    channel: Annotated[
        Choice[ProjectChannel] | None, Field(description="filter by the channels that reach them")
    ] = None
    locale: Annotated[Exactly | None, Field(description="filter by the language tag")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of creation")] = None
    fields: Annotated[
        list[ContactFieldCondition] | None,
        Field(max_length=MOST_CONDITIONS, description="conditions on fields, all of which must hold"),
    ] = None

    def conditions(self) -> dict[tuple[str, str], Any]:
        """Returns the value for each column and comparison, and the conditions on fields under their own name."""
        every = super().conditions()
        return {**every, ("fields", "match"): self.fields} if self.fields else every


class ContactSort(DescribedEnum):
    """Sort key of contacts."""

    createdAt = "createdAt", "time of creation"  # noqa: N815  as GraphQL and its cursors write it
    updatedAt = "updatedAt", "time of the last change"  # noqa: N815
    name = "name", "by name, compared character by character"  # type: ignore[assignment]  # Enum.name


class ContactOrder(Order):
    """Sort order of contacts."""

    field: Annotated[ContactSort, Field(description="sort key")] = ContactSort.createdAt
