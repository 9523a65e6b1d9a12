"""Invoices of providers, compared with what was sent."""

from typing import Annotated, ClassVar, Final, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from shapes.accounts import Currency
from shapes.described import DescribedEnum
from shapes.imports import SOURCE, ImportStatus, ListOptions
from shapes.price_lists import PricedChannel
from shapes.project_settings import check_zone
from shapes.shape import Cost, Created, Id, Line, Money, Shape, Timestamp, Updated
from shapes.where import Choice, Exactly, Ids, Where

MOST_INVOICES: Final = 200
LONGEST_DAYS: Final = 62
"""The longest time that an invoice is about."""


MAPPING: Final = "the meaning of the columns; null until they are read"
SUMS: Final = "what was found out; empty until it is ready. The export `invoice-differences` has each line"


class LineVerdict(DescribedEnum):
    """Says how a line of an invoice, or a message, was found to be."""

    matched = "matched", "the line bills a message as it was sent"
    billedNotSent = "billedNotSent", "the line bills a message that was not sent by the route"  # noqa: N815
    sentNotBilled = "sentNotBilled", "a message of the period that no line bills"  # noqa: N815
    billedTwice = "billedTwice", "the line bills a message that an earlier line bills"  # noqa: N815
    otherParts = "otherParts", "the line bills another number of parts"  # noqa: N815
    otherPrice = "otherPrice", "the line bills another price than the costs of the route say"  # noqa: N815
    badLine = "badLine", "the line can't be read"  # noqa: N815


Column = Annotated[Line, Field(min_length=1, max_length=128, examples=["Message ID"])]


class _Columns(Shape):
    """The columns of an invoice."""

    message_id: Annotated[Column | None, Field(description="column of the provider's ids of messages")] = None
    phone: Annotated[
        Column | None,
        Field(description="column of recipients; with `at` it finds messages of lines without an id"),
    ] = None
    at: Annotated[
        Column | None,
        Field(
            description="column of times: ISO 8601, 30.11.2026 12:00, or Unix time; in `timezone` if it names none"
        ),
    ] = None
    parts: Annotated[Column | None, Field(description="column of the number of parts")] = None
    price: Annotated[Column | None, Field(description="column of the price of the whole message")] = None


class InvoiceColumns(_Columns):
    """The columns of an invoice, as they were read."""


class InvoiceMapping(_Columns):
    """The columns of an invoice. Other columns are ignored."""

    @model_validator(mode="after")
    def _finds_messages(self) -> Self:
        if self.message_id is None and (self.phone is None or self.at is None):
            raise ValueError("names messageId, or phone and at")
        return self


_SOURCE = {"allOf": SOURCE["allOf"][1:]}


class NewProviderInvoice(ListOptions):
    """A provider's invoice to compare."""

    model_config = ConfigDict(json_schema_extra=_SOURCE)

    route: Annotated[
        Line,
        Field(
            min_length=1,
            max_length=200,
            description="name of the route, as messages or as rules have it",
            examples=["sms-2"],
        ),
    ]
    file_uuid: Annotated[
        UUID,
        Field(
            description="one of your files: CSV, a spreadsheet or JSON, a line for each message",
            examples=["3d813cbb-47fb-52ba-91df-831e1593ac29"],
        ),
    ]
    period_from: Annotated[
        Timestamp,
        Field(
            description="the messages that were sent from this time on are billed",
            examples=["2026-11-01T00:00:00Z"],
        ),
    ]
    period_to: Annotated[
        Timestamp,
        Field(
            description=f"and before this time; at most {LONGEST_DAYS} days later",
            examples=["2026-12-01T00:00:00Z"],
        ),
    ]
    channel: Annotated[PricedChannel, Field(description="channel of the messages")] = PricedChannel.sms
    currency: Currency | None = None
    timezone: Annotated[
        Line,
        Field(max_length=64, description="IANA time zone of times that name none", examples=["Europe/Riga"]),
        AfterValidator(check_zone),
    ] = "UTC"
    mapping: (
        Annotated[InvoiceMapping, Field(description="the columns; left out, they are found by their names")]
        | None
    ) = None


class InvoiceSum(Shape):
    """The lines, or messages, about which the same was found out."""

    verdict: Annotated[LineVerdict, Field(description="what was found out")]
    count: Annotated[int, Field(description="number of lines; of `sentNotBilled`, of messages")]
    billed_parts: Annotated[int, Field(description="parts that are billed")]
    sent_parts: Annotated[int, Field(description="parts that were sent")]
    billed: Annotated[Money, Field(description="what is billed")]
    expected: Annotated[Money, Field(description="what the messages cost by the costs of the route")]


class ProviderInvoice(Shape):
    """A provider's invoice, and how it compares with what was sent by the route."""

    id: Id
    route: Annotated[str, Field(description="name of the route, as messages have it")]
    channel: Annotated[PricedChannel, Field(description="channel of the messages")]
    file_uuid: Annotated[UUID, Field(description="the file with the lines")]
    period_from: Annotated[Timestamp, Field(description="begin of the period")]
    period_to: Annotated[Timestamp, Field(description="end of the period")]
    currency: Annotated[
        str | None,
        Field(
            description="ISO 4217 currency code of its prices; null: not said, and prices are not compared"
        ),
    ]
    status: Annotated[ImportStatus, Field(description="`ready`: all lines are compared")]
    status_reason: Annotated[str | None, Field(description="why it failed")]
    columns: Annotated[list[str], Field(description="the columns of the file")]
    mapping: Annotated[InvoiceColumns | None, Field(description=MAPPING)]
    lines: Annotated[int, Field(description="lines that are read")]
    compared: Annotated[int, Field(description="lines that are compared")]
    sums: Annotated[
        list[InvoiceSum],
        Field(description=SUMS),
        Cost(most=len(LineVerdict)),
    ]
    created_at: Created
    updated_at: Updated


class ProviderInvoiceWhere(Where):
    """Filter for invoices of providers."""

    kinds: ClassVar = {"id": "ProviderInvoice"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    route: Annotated[Exactly | None, Field(description="filter by route")] = None
    status: Annotated[Choice[ImportStatus] | None, Field(description="filter by status")] = None
