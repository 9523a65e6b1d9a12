"""The URL of a message's status callbacks."""

from typing import Annotated

from pydantic import Field

from shapes.shape import Line

StatusCallback = Annotated[
    Line | None,
    Field(
        min_length=1,
        max_length=2048,
        description="an https URL; each change of the message's status is posted to it, as the event that webhooks get,"
        " signed with the secret of `POST /status-callbacks/secret`; default: none",
        examples=["https://example.com/messages/4711"],
    ),
]
