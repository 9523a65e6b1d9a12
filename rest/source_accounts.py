"""Routes under /account (contract §3, area B); one account by its uuid is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Response

from core.json_text import dumps_row
from resolvers import source_accounts
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx, OwnerCtx
from runtime.fast.row_writer import converter_of
from runtime.texts import text
from shapes import page as pages
from shapes.source_accounts import Login, NewSourceAccount, Source, SourceAccount

api = router("source accounts", "Sender identities of projects.", prefix="/account")
_write = converter_of(SourceAccount)


@api.get(
    "",
    description=text(source_accounts.page),
    response_model=pages.Page[SourceAccount],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: OwnerCtx,
    source: Annotated[Source | None, Query()] = None,
    login: Annotated[Login | None, Query()] = None,
    page: Page = 1,
    limit: Limit = 20,
) -> Any:
    return await source_accounts.list(ctx, page, limit, source, login)


@api.post(
    "/create",
    status_code=201,
    response_model=SourceAccount,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewSourceAccount) -> Any:
    return await source_accounts.create(ctx, body)


@api.post(
    "/create-or-get",
    response_model=SourceAccount,
    responses={
        200: {"description": "The source account already existed"},
        201: {"model": SourceAccount, "description": "The source account was created"},
        **errors(400, 401, 409, 503),
    },
    openapi_extra={**BEARER},
)
async def create_or_get(ctx: Ctx, body: NewSourceAccount) -> Any:
    return _answer(await source_accounts.create_or_get(ctx, body))


@api.delete("", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, uuid: UUID) -> None:
    return await source_accounts.delete(ctx, uuid)


@api.get(
    "/{accountUuid}",
    response_model=SourceAccount,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="accountUuid")]) -> Any:
    return await source_accounts.get(ctx, id)


def _answer(added: source_accounts.Added) -> Response:
    """Returns 201 for a new source account, else 200. A route can declare only one status for itself."""
    assert _write is not None
    status = 201 if added.made else 200
    return Response(dumps_row(_write(added.account)), status, media_type="application/json")
