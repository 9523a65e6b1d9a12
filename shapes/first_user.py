"""The first administrator of an installation, made by a one-time link (contract §9.4)."""

from typing import Annotated

from pydantic import Field

from shapes.passwords import Password
from shapes.purposes import Purpose
from shapes.shape import Shape, Text
from shapes.users import DisplayName, Email


class FirstUser(Shape):
    """Makes the first administrator with the one-time link that `postern serve` has printed."""

    token: Annotated[
        Text,
        Field(
            repr=False,
            min_length=1,
            max_length=512,
            description="the part of the link behind the `#`",
            examples=["qE1…"],
        ),
    ]
    email: Email
    password: Annotated[Password, Field(repr=False)]
    display_name: DisplayName | None = None
    purposes: Annotated[
        list[Purpose],
        Field(
            max_length=len(Purpose),
            description="what the installation is for; empty: everything. Without `resale` messages cost nothing"
            " (`PATCH /installation/purposes` changes both)",
        ),
    ] = Field(default_factory=list)
