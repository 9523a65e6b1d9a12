"""The fields of a message that say how its price came about."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

PricePrefix = Annotated[
    str | None,
    Field(
        description="prefix of the price list's row that gave the price; null: the tariff's own price",
        examples=["4917"],
    ),
]
PriceVersionId = Annotated[
    UUID | None, Field(description="the version of the price list; null: the tariff's own price")
]
