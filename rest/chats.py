"""Chats at the vendor's paths (contract §4, area C). Lists of chats and of messages by page are extensions."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import Path, Query
from fastapi.responses import Response

from db.lists import Conditions, PageArgs
from resolvers import chats
from resolvers.chats.chat_media import Opened
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from rest.frame.vendor import vendor
from runtime.context import Ctx
from shapes.chat_requests import GetChatMessageByItem, GetChatMessages, GetUserInfo, SendChatMessage
from shapes.chats import (
    Chat,
    ChatMessage,
    ChatMessageAnswer,
    ChatMessages,
    ChatMessageWhere,
    ChatWhere,
    SendAnswer,
    UserAnswer,
)
from shapes.page import PageByCursor
from shapes.shape import NO_NUL

api = vendor("chats", "Messages and contacts of a messenger account.")
extension = router("chats", extension=True)

AccountId = Annotated[UUID, Path(alias="accountUuid", description="uuid of the messenger account")]
To = Annotated[
    str | None, Query(min_length=1, max_length=256, pattern=NO_NUL, description="a phone or a @username")
]
Thread = Annotated[
    str | None,
    Query(min_length=1, max_length=256, pattern=NO_NUL, description="the messenger's id of the chat"),
]
Index = Annotated[int, Path(ge=0, le=99, description="zero-based index of the file in the message's content")]
Expires = Annotated[int | None, Query(ge=0, le=2**53, description="part of a signed link")]
Signature = Annotated[str | None, Query(max_length=64, description="part of a signed link")]
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the file's bytes, as an attachment",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@api.post(
    "/sendMessage",
    response_model=SendAnswer,
    openapi_extra={"security": [{"bearer": []}, {}], **IDEMPOTENT},
)
async def send_message(ctx: Ctx, body: SendChatMessage) -> Any:
    return await chats.send(ctx, body, body.msg)


@api.post("/getChatMessages", response_model=ChatMessages)
async def get_chat_messages(ctx: Ctx, body: GetChatMessages) -> Any:
    return {"messages": await chats.messages(ctx, body, body.to, body.thread, body.limit, body.before)}


@api.post("/getChatMessageByItem", response_model=ChatMessageAnswer)
async def get_chat_message_by_item(ctx: Ctx, body: GetChatMessageByItem) -> Any:
    """Returns one message by its item."""
    return {"message": await chats.message(ctx, body, body.item)}


@api.post("/getUserInfo", response_model=UserAnswer)
async def get_user_info(ctx: Ctx, body: GetUserInfo) -> Any:
    return {"user": await chats.user(ctx, body, body.to)}


@extension.get(
    "/messenger-media/{item}/{index}",
    response_class=Response,
    responses={**_BYTES, **errors(400, 401, 403, 404, 409, 429, 503, 504)},
    openapi_extra={"security": [{"bearer": []}, {}]},
)
async def download_media(
    ctx: Ctx, item: UUID, index: Index, expires: Expires = None, signature: Signature = None
) -> Response:
    return _attachment(await chats.media(ctx, item, index, expires, signature))


@extension.get(
    "/messenger-accounts/{accountUuid}/chats",
    response_model=PageByCursor[Chat],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: Ctx,
    id: AccountId,
    where: Annotated[Conditions, filters_of(ChatWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await chats.page(ctx, id, PageArgs(first=limit, after=after), where)


@extension.get(
    "/messenger-accounts/{accountUuid}/messages",
    response_model=PageByCursor[ChatMessage],
    responses=errors(400, 401, 404, 409, 429, 503, 504),
    openapi_extra={**BEARER},
)
async def list_messages(
    ctx: Ctx,
    id: AccountId,
    where: Annotated[Conditions, filters_of(ChatMessageWhere)],
    to: To = None,
    thread: Thread = None,
    after: After = None,
    limit: Limit = 20,
) -> Any:
    """Lists the messages of a chat, newest first. The chat is given by `to` or by `thread`. If fewer than `limit` are
    stored, older ones are fetched from the messenger.
    """
    return await chats.written(ctx, id, to, thread, PageArgs(first=limit, after=after), where)


@extension.get(
    "/messenger-chats/{chatUuid}",
    response_model=Chat,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="chatUuid")]) -> Any:
    return await chats.get(ctx, id)


def _attachment(opened: Opened) -> Response:
    """Returns the content as a download that no browser runs under our origin: attachment, no sniffing, sandbox."""
    ascii_name = "".join(char if char.isascii() and char not in '"\\%' else "_" for char in opened.name)
    headers = {
        "Content-Disposition": f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(opened.name, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return Response(opened.data, 200, headers, media_type=opened.mime)
