"""Facts about the world that forms are made of (specification §4, `/common`)."""

from typing import Annotated

from pydantic import Field

from shapes.shape import Shape


class Country(Shape):
    """A country or territory of ISO 3166-1."""

    code: Annotated[str, Field(description="ISO 3166-1 alpha-2 code", examples=["DE"])]
    name: Annotated[str, Field(description="name in the requested language", examples=["Germany"])]
    dial_code: Annotated[str, Field(description="E.164 country calling code, with +", examples=["+49"])]


class Currency(Shape):
    """A currency of ISO 4217."""

    code: Annotated[str, Field(description="ISO 4217 alphabetic code", examples=["EUR"])]
    symbol: Annotated[
        str,
        Field(
            description="symbol that distinguishes it from other currencies in the requested language; if there is "
            "none, the code",
            examples=["€"],
        ),
    ]
    minor_units: Annotated[
        int,
        Field(
            description="number of decimal places (ISO 4217); 0 also for metals and other codes without decimals",
            examples=[2],
        ),
    ]
    name: Annotated[str, Field(description="name in the requested language", examples=["Euro"])]
