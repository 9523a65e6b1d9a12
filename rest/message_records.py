"""Routes under /message (specification §4): the messages of Sending Projects. One message is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions
from resolvers import message_records
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, EXTENSION, Limit, Page, router
from runtime.context import Ctx
from runtime.texts import text
from shapes import page as pages
from shapes.message_records import ListedRecordFilters, MessageRecord, RecordCount

api = router("messages of projects", "The messages of projects, and their delivery.", prefix="/message")

Where = Annotated[Conditions, filters_of(ListedRecordFilters)]


@api.get("/count", response_model=RecordCount, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def count(ctx: Ctx, where: Where) -> Any:
    return await message_records.count(ctx, where)


@api.get(
    "/list",
    description=text(message_records.page),
    response_model=pages.Page[MessageRecord],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, where: Where, page: Page = 1, limit: Limit = 20) -> Any:
    return await message_records.list(ctx, page, limit, where)


@api.get(
    "/{messageUuid}",
    response_model=MessageRecord,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="messageUuid")]) -> Any:
    return await message_records.with_text(ctx, id)
