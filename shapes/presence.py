"""Area C (contract §4): presence."""

from typing import Annotated

from pydantic import Field

from shapes.chat_requests import To
from shapes.shape import Shape
from shapes.vendor import Call

DEFAULT_SECONDS = 5
Seconds = Annotated[
    int, Field(ge=1, le=60, description="duration in seconds; sending a message ends it earlier")
]


class ShowPresence(Call):
    """The chat in which the indicator is shown, and the time for which it is shown."""

    to: To
    seconds: Seconds = DEFAULT_SECONDS


class ResetPresence(Call):
    """The chat in which the indicator is no longer shown."""

    to: To


class Presence(Shape):
    """The chat in which the indicator is shown, and the time for which it is shown."""

    to: To
    seconds: Seconds = DEFAULT_SECONDS
