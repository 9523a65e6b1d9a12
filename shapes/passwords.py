"""Passwords, as requests carry them."""

from typing import Annotated

from pydantic import Field

from shapes.shape import Text

_MIN = 8  # characters, by the specification (§8)
_MAX = 1024
_EXAMPLE = "correct horse battery"

Password = Annotated[
    Text,
    Field(
        min_length=_MIN,
        max_length=_MAX,
        description="password: any characters; longer is stronger",
        examples=[_EXAMPLE],
    ),
]
CurrentPassword = Annotated[
    Text, Field(max_length=_MAX, description="the current password", examples=[_EXAMPLE])
]
OwnPassword = Annotated[
    Text, Field(max_length=_MAX, description="your password, which is needed", examples=[_EXAMPLE])
]
RepeatedPassword = Annotated[
    Text,
    Field(
        max_length=_MAX,
        description="your password; needed only in the 72 hours after a change of your email",
        examples=[_EXAMPLE],
    ),
]
