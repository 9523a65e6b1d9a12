"""The sender that an SMS names."""

from typing import Annotated

from pydantic import Field

from shapes.shape import Line

SENDER = (
    "the name or number that an SMS is sent from, one of your approved senders; default: the channel's own"
)
SenderName = Annotated[Line | None, Field(min_length=1, max_length=32, description=SENDER, examples=["Acme"])]
"""The sender that an SMS names."""
