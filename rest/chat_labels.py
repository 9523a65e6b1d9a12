"""Routes /chat-labels, and the labels of one chat. They are Postern's own."""

from builtins import list as list_of
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import chat_labels
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, router
from runtime.context import Ctx
from shapes.chat_labels import ChatLabel, ChatLabelPatch, NewChatLabel, SetChatLabels
from shapes.chats import Chat

api = router("chats", extension=True)
LabelId = Annotated[UUID, Path(alias="labelId", description="id of the label")]
ChatId = Annotated[UUID, Path(alias="chatUuid", description="id of the chat")]


@api.get(
    "/chat-labels", response_model=list_of[ChatLabel], responses=errors(401, 503), openapi_extra={**BEARER}
)
async def list(ctx: Ctx) -> Any:
    return await chat_labels.list(ctx)


@api.post(
    "/chat-labels",
    status_code=201,
    response_model=ChatLabel,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewChatLabel) -> Any:
    return await chat_labels.create(ctx, body)


@api.get(
    "/chat-labels/{labelId}",
    response_model=ChatLabel,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: LabelId) -> Any:
    return await chat_labels.get(ctx, id)


@api.patch(
    "/chat-labels/{labelId}",
    response_model=ChatLabel,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: LabelId, body: ChatLabelPatch) -> Any:
    return await chat_labels.update(ctx, id, body)


@api.delete(
    "/chat-labels/{labelId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: LabelId) -> None:
    return await chat_labels.delete(ctx, id)


@api.get(
    "/messenger-chats/{chatUuid}/labels",
    response_model=list_of[ChatLabel],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def of_chat(ctx: Ctx, id: ChatId) -> Any:
    return await chat_labels.of_chat(ctx, id)


@api.put(
    "/messenger-chats/{chatUuid}/labels",
    response_model=Chat,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def put(ctx: Ctx, id: ChatId, body: SetChatLabels) -> Any:
    return await chat_labels.put(ctx, id, body.labels)
