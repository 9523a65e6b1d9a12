"""Routes /messenger-chats: the chats of all messenger accounts. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import inbox
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.chats import Chat, ChatWhere, CloseChat, ReadChat
from shapes.page import PageByCursor

api = router("chats", prefix="/messenger-chats", extension=True)
ChatId = Annotated[UUID, Path(alias="chatUuid", description="id of the chat")]
OfAccount = Annotated[UUID | None, Query(alias="accountUuid", description="only chats of this account")]


@api.get(
    "", response_model=PageByCursor[Chat], responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def list(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ChatWhere)],
    account_id: OfAccount = None,
    after: After = None,
    limit: Limit = 20,
) -> Any:
    """Lists the chats of all your messenger accounts, the one with the newest message first; administrators get those
    of all users.
    """
    return await inbox.page(ctx, account_id, PageArgs(first=limit, after=after), where)


@api.post(
    "/{chatUuid}/read", response_model=Chat, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def read(ctx: Ctx, id: ChatId, body: ReadChat | None = None) -> Any:
    """Marks the messages of a chat as read, also at the messenger if the account is working. Repeating it is not an
    error.
    """
    return await inbox.read(ctx, id, (body or ReadChat()).up_to)


@api.post(
    "/{chatUuid}/close", response_model=Chat, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def close(ctx: Ctx, id: ChatId, body: CloseChat | None = None) -> Any:
    """Closes a chat, until a message comes in. If one has come in after `upTo`, the chat stays open: look at
    `closedAt`. Repeating it is not an error.
    """
    return await inbox.close(ctx, id, (body or CloseChat()).up_to)


@api.post(
    "/{chatUuid}/reopen", response_model=Chat, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def reopen(ctx: Ctx, id: ChatId) -> Any:
    """Opens a closed chat again. Repeating it is not an error."""
    return await inbox.reopen(ctx, id)
