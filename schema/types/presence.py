"""Area C (contract §4): presence."""

from typing import Annotated

from pydantic import Field

from schema.types.chats import To
from schema.types.shape import Shape
from schema.types.vendor import Call

DEFAULT_SECONDS = 5
Seconds = Annotated[
    int, Field(ge=1, le=60, description="how long it is shown, unless a message is sent before")
]


class ShowPresence(Call):
    """To whom it is shown, and how long."""

    to: To
    seconds: Seconds = DEFAULT_SECONDS


class ResetPresence(Call):
    """To whom nothing is shown any more."""

    to: To


class Presence(Shape):
    """To whom it is shown, and how long."""

    to: To
    seconds: Seconds = DEFAULT_SECONDS
