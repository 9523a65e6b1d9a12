"""Routes under /block (specification §4); one block by its uuid is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import blocks
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, router
from rest.frame.routing import Page as PageNumber
from runtime.context import Ctx, OwnerCtx
from runtime.texts import text
from shapes.blocks import (
    Address,
    BlockCount,
    BlockedMany,
    BlockedPhone,
    BlockMany,
    BlockPhone,
    BlockReason,
    BlockSummary,
    Part,
    UnblockedMany,
    UnblockMany,
)
from shapes.page import Page

api = router("blocks", "Phones and addresses that messages must not be sent to.", prefix="/block")
Phone = Annotated[Address, Path()]
Search = Annotated[Part | None, Query()]
Reason = Annotated[BlockReason | None, Query(description="only entries that are blocked for this reason")]


@api.get(
    "/count", response_model=BlockCount, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def count(ctx: OwnerCtx, q: Search = None, reason: Reason = None) -> Any:
    return await blocks.count(ctx, q, reason)


@api.get(
    "/summary",
    response_model=BlockSummary,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def summary(ctx: Ctx) -> Any:
    return await blocks.summary(ctx)


@api.get(
    "/list",
    description=text(blocks.page),
    response_model=Page[BlockedPhone],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: OwnerCtx,
    q: Search = None,
    reason: Reason = None,
    page: PageNumber = 1,
    limit: Limit = 20,
) -> Any:
    return await blocks.list(ctx, q, reason, page, limit)


@api.post("/unblock/{phone}", status_code=204, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def unblock(ctx: Ctx, phone: Phone) -> None:
    return await blocks.unblock(ctx, phone)


@api.post(
    "/{phone}",
    response_model=BlockedPhone,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def block(ctx: Ctx, phone: Phone, body: BlockPhone | None = None) -> Any:
    return await blocks.block(ctx, phone, body or BlockPhone())


@api.post(
    "/add/multiple",
    response_model=BlockedMany,
    responses=errors(400, 401, 404, 409, 413, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
    tags=EXTENSION,
)
async def block_many(ctx: Ctx, body: BlockMany) -> Any:
    return await blocks.block_many(ctx, body)


@api.post(
    "/remove/multiple",
    response_model=UnblockedMany,
    responses=errors(400, 401, 413, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def unblock_many(ctx: Ctx, body: UnblockMany) -> Any:
    return await blocks.unblock_many(ctx, body)


@api.get(
    "/info/{blockUuid}",
    response_model=BlockedPhone,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="blockUuid")]) -> Any:
    return await blocks.get(ctx, id)
