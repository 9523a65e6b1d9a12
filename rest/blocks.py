"""Routes under /block (specification §4); one block by its uuid is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import blocks
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, router
from rest.frame.routing import Page as PageNumber
from runtime.context import Ctx
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


@api.get("/count", response_model=BlockCount, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def count(ctx: Ctx, q: Search = None, reason: Reason = None) -> Any:
    """Returns how many blocked phones and addresses you have."""
    return await blocks.count(ctx, q, reason)


@api.get(
    "/summary",
    response_model=BlockSummary,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def summary(ctx: Ctx) -> Any:
    """Returns how many phones and addresses are blocked for each reason and scope, and the newest block's time;
    administrators get those of all users.
    """
    return await blocks.summary(ctx)


@api.get(
    "/list", response_model=Page[BlockedPhone], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def list(
    ctx: Ctx, q: Search = None, reason: Reason = None, page: PageNumber = 1, limit: Limit = 20
) -> Any:
    """Lists your blocked phones and addresses, newest first; administrators get those of all users."""
    return await blocks.list(ctx, q, reason, page, limit)


@api.post("/unblock/{phone}", status_code=204, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def unblock(ctx: Ctx, phone: Phone) -> None:
    """Removes a block, so that your messages may be sent there again. Repeating it is not an error."""
    return await blocks.unblock(ctx, phone)


@api.post(
    "/{phone}",
    response_model=BlockedPhone,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def block(ctx: Ctx, phone: Phone, body: BlockPhone | None = None) -> Any:
    """Blocks a phone or an address: none of your messages is sent there any more (`promotional`: no promotional
    message). Repeating it is not an error; a new reason replaces the old one, and the scope can only widen.
    """
    return await blocks.block(ctx, phone, body or BlockPhone())


@api.post(
    "/add/multiple",
    response_model=BlockedMany,
    responses=errors(400, 401, 404, 409, 413, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
    tags=EXTENSION,
)
async def block_many(ctx: Ctx, body: BlockMany) -> Any:
    """Blocks up to 1,000 addresses, or the next 10,000 lines of an import. Those that can't be read are listed."""
    return await blocks.block_many(ctx, body)


@api.post(
    "/remove/multiple",
    response_model=UnblockedMany,
    responses=errors(400, 401, 413, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def unblock_many(ctx: Ctx, body: UnblockMany) -> Any:
    """Removes the blocks of up to 1,000 addresses. Repeating it is not an error; what can't be read is listed."""
    return await blocks.unblock_many(ctx, body)


@api.get(
    "/info/{blockUuid}",
    response_model=BlockedPhone,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="blockUuid")]) -> Any:
    """Returns one blocked phone or address."""
    return await blocks.get(ctx, id)
