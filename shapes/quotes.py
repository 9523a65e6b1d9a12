"""Quotes: what a message will cost."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.message_prices import PricePrefix, PriceVersionId
from shapes.messages import MessageChannel
from shapes.shape import Money, Shape, Text


class QuoteMessage(Shape):
    """A message whose price is asked for. Nothing is sent."""

    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=4096,
            description="recipient, as `POST /messages` takes it",
            examples=["+4917612345678"],
        ),
    ]
    channel: Annotated[MessageChannel, Field(description="channel to send it on")]
    body: (
        Annotated[
            Text,
            Field(
                min_length=1,
                max_length=1600,
                description="text of the message, which says how many parts an SMS has; default: one part",
            ),
        ]
        | None
    ) = None
    account_id: (
        Annotated[UUID, Field(description="the account that pays; default: your oldest account")] | None
    ) = None


class Quote(Shape):
    """The cost of a message if it were sent now."""

    to: Annotated[str, Field(description="recipient, in the channel's format (E.164 for a phone)")]
    currency: Annotated[str, Field(description="currency of the account that pays")]
    price: Annotated[Money, Field(description="price of a message, or of each part of an SMS")]
    segments: Annotated[int, Field(description="number of parts of an SMS; 1 for other channels")]
    amount: Annotated[Money, Field(description="what the message costs: `price` for each part")]
    country: Annotated[
        str | None,
        Field(
            description="country of a phone (ISO 3166-1, two letters; 001: no country, such as satellite phones); "
            "null for other addresses"
        ),
    ]
    price_prefix: PricePrefix
    price_version_id: PriceVersionId
