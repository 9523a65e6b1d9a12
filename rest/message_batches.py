"""The route of batches: many messages in one request. It is Postern's own."""

from typing import Any

from pydantic import ValidationError

from resolvers import message_batches
from rest.frame.errors import errors, sentences
from rest.frame.routing import BEARER, IDEMPOTENT, router
from runtime.context import Ctx
from shapes.message_batches import NO_OBJECT, BatchItem, BatchMessage, InvalidItem, SendMessages, SentMessages

api = router("messages", prefix="/messages", extension=True)


@api.post(
    "/batch",
    response_model=SentMessages,
    responses=errors(400, 401, 409, 413, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def send(ctx: Ctx, body: SendMessages) -> Any:
    return await message_batches.send(ctx, [_item(item) for item in body.messages])


def _item(raw: Any) -> BatchItem:
    if not isinstance(raw, dict):
        return NO_OBJECT
    try:
        return BatchMessage.model_validate(raw)
    except ValidationError as error:
        return InvalidItem(
            tuple(sentences(error.errors(include_url=False, include_context=False, include_input=False)))
        )
