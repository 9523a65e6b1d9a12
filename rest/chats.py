"""Chats at the vendor's paths (contract §4, area C)."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import Path, Query
from fastapi.responses import Response

from resolvers import chats
from resolvers.chats.chat_media import Opened
from rest.frame.errors import errors
from rest.frame.routing import IDEMPOTENT, router
from rest.frame.vendor import vendor
from runtime.context import Ctx
from shapes.chat_requests import GetChatMessageByItem, GetChatMessages, GetUserInfo, SendChatMessage
from shapes.chats import ChatMessageAnswer, ChatMessages, SendAnswer, UserAnswer

api = vendor("chats")
extension = router("chats")

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
    """Sends a message. A success means that the messenger has accepted it."""
    return await chats.send(ctx, body, body.msg)


@api.post("/getChatMessages", response_model=ChatMessages)
async def get_chat_messages(ctx: Ctx, body: GetChatMessages) -> Any:
    """Returns the newest messages of a chat (or those older than `before`), oldest first."""
    return {"messages": await chats.messages(ctx, body, body.to, body.thread, body.limit, body.before)}


@api.post("/getChatMessageByItem", response_model=ChatMessageAnswer)
async def get_chat_message_by_item(ctx: Ctx, body: GetChatMessageByItem) -> Any:
    """Returns one message by its item."""
    return {"message": await chats.message(ctx, body, body.item)}


@api.post("/getUserInfo", response_model=UserAnswer)
async def get_user_info(ctx: Ctx, body: GetUserInfo) -> Any:
    """Looks up a messenger user by a phone, a username or a thread."""
    return {"user": await chats.user(ctx, body, body.to)}


@extension.get(
    "/messenger-media/{item}/{index}",
    response_class=Response,
    responses={**_BYTES, **errors(400, 401, 403, 404, 409, 429, 503, 504)},
    openapi_extra={"security": [{"bearer": []}, {}]},
)
async def messenger_media(
    ctx: Ctx, item: UUID, index: Index, expires: Expires = None, signature: Signature = None
) -> Response:
    """Downloads a file that came with a message. Callers are the account's owner, or anybody with a signed link, which
    needs no credential.
    """
    return _attachment(await chats.media(ctx, item, index, expires, signature))


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
