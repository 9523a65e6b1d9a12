"""Batches of messages in GraphQL."""

from collections.abc import Mapping
from typing import Annotated, Any

import strawberry
from strawberry.pydantic.error import InputValidationError

from resolvers import message_batches
from schema.frame import graphql
from schema.frame.errors import rules_of
from schema.frame.graphql import Info
from schema.messages import Message
from shapes import message_batches as types
from shapes.message_batches import NO_OBJECT, BatchMessage, InvalidItem

graphql.input(BatchMessage, description=BatchMessage.__doc__)
graphql.type(types.BatchError, description=types.BatchError.__doc__)
_build = BatchMessage.__strawberry_definition__.from_input  # type: ignore[attr-defined]


def _item(kind: type[BatchMessage], value: Mapping[str, Any], context: Any) -> types.BatchItem:
    """Returns an item, or what is wrong with it: the others are sent all the same."""
    try:
        return _build(kind, value, context)
    except InputValidationError as error:
        return InvalidItem(tuple(rules_of(error, len(context.path))))


BatchMessage.__strawberry_definition__.from_input = _item  # type: ignore[attr-defined]


@graphql.type(name="SentMessage", description=types.BatchResult.__doc__)
class SentMessage(types.SentMessageFields):
    message: Annotated[Message | None, strawberry.field(description="the message; null: it was not sent")]


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def send_messages(
        self,
        info: Info,
        inputs: Annotated[
            list[BatchMessage | None],
            graphql.argument(
                "the messages, at most 500, in the order in which they are charged; null fails alone"
            ),
        ],
    ) -> list[SentMessage] | None:
        sent = await message_batches.send(info.context, [item or NO_OBJECT for item in inputs])
        return [SentMessage.of(each) for each in sent.results]
