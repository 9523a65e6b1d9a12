"""Price lists: what messages to phone numbers cost, by the prefix of the number."""

from typing import Annotated, ClassVar, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.accounts import Currency
from shapes.described import DescribedEnum
from shapes.rules import either, never_null
from shapes.shape import Created, Id, Line, Money, Shape, Timestamp, Updated
from shapes.tariffs import Price
from shapes.values import nothing
from shapes.where import Contains, Exactly, Ids, TimeSpan, Where

MOST_LISTS = 200
MOST_VERSIONS = 200  # of a list
MOST_ROWS = 200_000
"""The most prices of a version."""
MOST_INLINE = 5_000
"""The most prices of a version that is sent without a file."""

_PREFIX = r"^\+?[1-9][0-9]{0,9}$"


class PricedChannel(DescribedEnum):
    """The channels whose messages can have prices by prefix."""

    sms = "sms", "text messages to phones; the price is that of each part"
    whatsapp = "whatsapp", "WhatsApp messages to phones"


_NAME = "name of the list, which no other list has"
_STRICT = (
    "true: a message to a number without a row is refused (`no_price`), and skipped in a project; false: it costs what "
    "the tariff says for its channel"
)
ListName = Annotated[
    Line, Field(min_length=1, max_length=128, description=_NAME, examples=["Wholesale 2026"])
]


class PriceList(Shape):
    """A list of prices by prefix, which tariffs name."""

    id: Id
    name: Annotated[str, Field(description=_NAME)]
    currency: Annotated[
        str,
        Field(description="ISO 4217 currency code; accounts in other currencies pay the tariff's own prices"),
    ]
    strict: Annotated[bool, Field(description=_STRICT)]
    created_at: Created
    updated_at: Updated


class PriceListVersion(Shape):
    """The prices of a list from a moment on. They never change; new prices are another version."""

    version_id: Annotated[
        UUID, Field(description="id of the version, which messages have as `priceVersionId`")
    ]
    number: Annotated[int, Field(description="number of the version, from 1")]
    valid_from: Annotated[
        Timestamp, Field(description="when its prices begin to hold, until those of a later version do")
    ]
    size: Annotated[int, Field(description="number of its prices")]
    created_by: Annotated[UUID | None, Field(description="the user who added it")]
    created_at: Created


class NewPriceList(Shape):
    """The values of a new price list. Its prices come with its first version."""

    name: ListName
    currency: Currency
    strict: Annotated[bool, Field(description=_STRICT)] = False


class PriceListPatch(Shape):
    """Changes of a price list; fields that are left out stay as they are."""

    model_config = ConfigDict(json_schema_extra=never_null("name", "strict"))

    name: ListName | None = Field(default_factory=nothing)
    strict: Annotated[bool, Field(description=_STRICT)] | None = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in self.model_fields_set:
            if getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class PriceRow(Shape):
    """A price of a list."""

    channel: Annotated[PricedChannel, Field(description="channel of the messages")]
    prefix: Annotated[
        str,
        Field(
            description="the digits with which the numbers begin; the longest prefix holds", examples=["4917"]
        ),
    ]
    country: Annotated[
        str | None,
        Field(description="country of the prefix (ISO 3166-1, two letters); null if it has none or several"),
    ]
    price: Annotated[Money, Field(description="price of a message, or of each part of an SMS")]
    cost: Annotated[
        Money | None,
        Field(description="what the provider takes for it, for administrators; null if it was not said"),
    ]


class NewPrice(Shape):
    """A price of a new version."""

    prefix: Annotated[
        str,
        Field(
            pattern=_PREFIX,
            description="the digits with which the numbers begin, calling code included",
            examples=["4917"],
        ),
    ]
    price: Annotated[Price, Field(description="price of a message, or of each part of an SMS")]
    cost: Annotated[Price, Field(description="what the provider takes for it")] | None = None
    channel: Annotated[PricedChannel, Field(description="channel of the messages")] = PricedChannel.sms


class NewPriceListVersion(Shape):
    """The prices of a new version: `fileUuid` or `prices`."""

    model_config = ConfigDict(json_schema_extra=either("fileUuid", "prices"))

    file_uuid: (
        Annotated[
            UUID,
            Field(
                description="one of your files: CSV, a spreadsheet or JSON with the columns `prefix`, `price`, and "
                "optionally `cost` and `channel` (default: sms); at most 200,000 rows"
            ),
        ]
        | None
    ) = None
    prices: (
        Annotated[
            list[NewPrice],
            Field(
                min_length=1,
                max_length=MOST_INLINE,
                description="the prices themselves",
                examples=[[{"prefix": "49", "price": 0.075}, {"prefix": "1", "price": 0.0079}]],
            ),
        ]
        | None
    ) = None
    valid_from: (
        Annotated[Timestamp, Field(description="when they begin to hold; default: at once")] | None
    ) = None

    @model_validator(mode="after")
    def _file_or_prices(self) -> Self:
        if (self.file_uuid is None) == (self.prices is None):
            raise ValueError("send either fileUuid or prices")
        return self


class PriceListWhere(Where):
    """Filter for price lists."""

    kinds: ClassVar = {"id": "PriceList"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    name: Annotated[Contains | None, Field(description="filter by a part of the name")] = None


class PriceListVersionWhere(Where):
    """Filter for versions of a price list."""

    valid_from: Annotated[TimeSpan | None, Field(description="filter by the moment from which they hold")] = (
        None
    )


class PriceWhere(Where):
    """Filter for prices."""

    prefix: Annotated[Exactly | None, Field(description="filter by prefix")] = None
