"""Many messages in one request: its items, and what became of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from pydantic import ConfigDict, Field, ModelWrapValidatorHandler, SkipValidation, model_validator
from strawberry.scalars import JSON

from shapes.message_chains import Message
from shapes.messages import SendMessage
from shapes.shape import Line, Shape, Text
from shapes.template_sources import RequestedLocale, TemplateKey, Variables, VersionNumber
from shapes.templated_messages import WITH_TEMPLATE, TemplatedMessage, names_template, without_template

MOST = 500
"""The most items of a batch."""


_Key = Annotated[
    Line | None,
    Field(
        min_length=1,
        max_length=255,
        description="a key of this message, as the header Idempotency-Key is of `POST /messages`, and in the same "
        "namespace: a message that was sent with it by any request of the last 24 hours is returned, and "
        "not sent again; each key stands in a batch once",
        examples=["order-4711"],
    ),
]


class _WithBody(SendMessage):
    """A message of a batch that has a body."""

    key: _Key = None


class _WithTemplate(TemplatedMessage):
    """A message of a batch whose text comes from a template."""

    key: _Key = None


class BatchMessage(SendMessage):
    """A message of a batch, and the key that keeps it from being sent twice."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"to": "+14155550100", "channel": "sms", "body": "Your table is ready"}]
        }
    )

    body: Annotated[
        Text | None,
        Field(
            min_length=1,
            max_length=1600,
            description="text of the message; required without `templateKey`",
            examples=["Your table is ready"],
        ),
    ] = None  # type: ignore[assignment]  # a message without a template becomes one that needs it
    template_key: Annotated[TemplateKey | None, Field(description=WITH_TEMPLATE)] = None
    template_version: VersionNumber | None = None
    locale: RequestedLocale | None = None
    variables: Annotated[Variables | None, strawberry.field(graphql_type=JSON | None)] = None
    key: _Key = None

    @model_validator(mode="wrap")
    @classmethod
    def _validate(cls, data: Any, _: ModelWrapValidatorHandler[Any]) -> Any:
        """Validates a message without a template as one that knows of none, so that it gets the same errors."""
        if names_template(data):
            return _WithTemplate.model_validate(data)
        return _WithBody.model_validate(without_template(data))


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


NO_OBJECT = InvalidItem(("an item must be an object with the fields of a message",))
"""An item that is null, a text, a number or a list."""


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


class BatchResult(SentMessageFields):
    """The result of one item of a batch: its message, or the error."""

    model_config = ConfigDict(revalidate_instances="always")  # the message is a row until the answer is made

    message: Annotated[Message | None, Field(description="the message; null: it was not sent")] = None


class SentMessages(Shape):
    """The results of a batch."""

    model_config = ConfigDict(revalidate_instances="always")

    results: Annotated[list[BatchResult], Field(description="one for each item, in their order")]
