"""Route GET /messenger-messages: search in the messages of chats. It is Postern's own."""

from typing import Annotated, Any

from fastapi import Query

from db.lists import Conditions, PageArgs
from resolvers import chat_search
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from rest.inbox import OfAccount
from runtime.context import Ctx
from shapes.chat_search import LONGEST_TEXT, MessageHit
from shapes.chats import ChatMessageWhere
from shapes.page import PageByCursor
from shapes.shape import NO_NUL

api = router("chats", extension=True)
Words = Annotated[
    str,
    Query(
        alias="text",
        min_length=1,
        max_length=LONGEST_TEXT,
        pattern=NO_NUL,
        description="words that the message contains, at most 8; the last one may be the beginning of a word",
        examples=["invoice pa"],
    ),
]


@api.get(
    "/messenger-messages",
    response_model=PageByCursor[MessageHit],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    text: Words,
    where: Annotated[Conditions, filters_of(ChatMessageWhere)],
    account_id: OfAccount = None,
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await chat_search.page(ctx, text, account_id, PageArgs(first=limit, after=after), where)
