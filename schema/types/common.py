"""Facts about the world that forms are made of (specification §4, `/common`)."""

from typing import Annotated

from pydantic import Field

from schema.types.shape import Shape


class Country(Shape):
    """A country or territory of ISO 3166-1."""

    code: Annotated[str, Field(description="ISO 3166-1 alpha-2", examples=["DE"])]
    name: Annotated[str, Field(description="in the language asked for", examples=["Germany"])]
    dial_code: Annotated[str, Field(description="E.164 country code with its plus", examples=["+49"])]


class Currency(Shape):
    """A currency of ISO 4217."""

    code: Annotated[str, Field(description="ISO 4217 alphabetic code", examples=["EUR"])]
    symbol: Annotated[
        str,
        Field(
            description="as the language asked for tells it from other currencies; else the code",
            examples=["€"],
        ),
    ]
    minor_units: Annotated[
        int,
        Field(
            description="decimal places (ISO 4217); 0 too for metals and other codes that have none",
            examples=[2],
        ),
    ]
    name: Annotated[str, Field(description="in the language asked for", examples=["Euro"])]
