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
    return await inbox.page(ctx, account_id, PageArgs(first=limit, after=after), where)


@api.post(
    "/{chatUuid}/read", response_model=Chat, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def read(ctx: Ctx, id: ChatId, body: ReadChat | None = None) -> Any:
    return await inbox.read(ctx, id, (body or ReadChat()).up_to)


@api.post(
    "/{chatUuid}/close", response_model=Chat, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def close(ctx: Ctx, id: ChatId, body: CloseChat | None = None) -> Any:
    return await inbox.close(ctx, id, (body or CloseChat()).up_to)


@api.post(
    "/{chatUuid}/reopen", response_model=Chat, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def reopen(ctx: Ctx, id: ChatId) -> Any:
    return await inbox.reopen(ctx, id)
