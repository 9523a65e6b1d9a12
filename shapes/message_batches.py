"""Many messages in one request: its items, and what became of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from pydantic import ConfigDict, Field, SkipValidation
from strawberry.scalars import JSON

from shapes.message_chains import Message
from shapes.messages import SendMessage
from shapes.shape import Line, Shape

MOST = 500
"""The most items of a batch."""


class BatchMessage(SendMessage):
    """A message of a batch, and the key that keeps it from being sent twice."""

    key: Annotated[
        Line | None,
        Field(
            min_length=1,
            max_length=255,
            description="a key of this message, as the header Idempotency-Key is of `POST /messages`, and in the same "
            "namespace: a message that was sent with it by any request of the last 24 hours is returned, and "
            "not sent again; each key stands in a batch once",
            examples=["order-4711"],
        ),
    ] = None


class SendMessages(Shape):
    """Messages to send, at most 500. Each is checked by itself."""

    messages: Annotated[
        list[SkipValidation[BatchMessage]],
        Field(
            min_length=1,
            max_length=MOST,
            description="the messages, in the order in which they are charged",
            examples=[[{"to": "+14155550100", "channel": "sms", "body": "Your table is ready"}]],
        ),
    ]


@dataclass(frozen=True, slots=True)
class InvalidItem:
    """An item that is no message."""

    rules: Sequence[str]
    """One sentence for each broken rule."""


BatchItem = BatchMessage | InvalidItem


class BatchError(Shape):
    """Says why a message of a batch was neither sent nor charged."""

    code: Annotated[str, Field(description="code of the error that `POST /messages` would have answered")]
    message: Annotated[str, Field(description="what went wrong, as a sentence")]
    details: Annotated[
        dict[str, Any] | None,
        Field(description="further data about the error; its keys depend on the code"),
        strawberry.field(graphql_type=JSON | None),
    ] = None


class SentMessageFields(Shape):
    """The result of one item of a batch: its message, or the error."""

    index: Annotated[int, Field(description="position of the item in the request, from 0 on")]
    error: Annotated[BatchError | None, Field(description="why it was not sent; null: it was")] = None


class SentMessage(SentMessageFields):
    """The result of one item of a batch: its message, or the error."""

    model_config = ConfigDict(revalidate_instances="always")  # the message is a row until the answer is made

    message: Annotated[Message | None, Field(description="the message; null: it was not sent")] = None


class SentMessages(Shape):
    """The results of a batch."""

    model_config = ConfigDict(revalidate_instances="always")

    results: Annotated[list[SentMessage], Field(description="one for each item, in their order")]
