"""Routes of notes about chats. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import chat_notes
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.chat_notes import ChatNote, ChatNoteWhere, NewChatNote
from shapes.page import PageByCursor

api = router("chats", extension=True)
NoteId = Annotated[UUID, Path(alias="noteId", description="id of the note")]
ChatId = Annotated[UUID, Path(alias="chatUuid", description="id of the chat")]


@api.get(
    "/messenger-chats/{chatUuid}/notes",
    response_model=PageByCursor[ChatNote],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    id: ChatId,
    where: Annotated[Conditions, filters_of(ChatNoteWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await chat_notes.page(ctx, id, PageArgs(first=limit, after=after), where)


@api.post(
    "/messenger-chats/{chatUuid}/notes",
    status_code=201,
    response_model=ChatNote,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, id: ChatId, body: NewChatNote) -> Any:
    return await chat_notes.create(ctx, id, body)


@api.get(
    "/chat-notes/{noteId}",
    response_model=ChatNote,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: NoteId) -> Any:
    return await chat_notes.get(ctx, id)


@api.delete(
    "/chat-notes/{noteId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: NoteId) -> None:
    return await chat_notes.delete(ctx, id)
