"""Routes /canned-answers. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import canned_answers
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.canned_answers import CannedAnswer, CannedAnswerPatch, CannedAnswerWhere, NewCannedAnswer
from shapes.page import PageByCursor

api = router("chats", prefix="/canned-answers", extension=True)
AnswerId = Annotated[UUID, Path(alias="answerId", description="id of the canned answer")]


@api.get(
    "", response_model=PageByCursor[CannedAnswer], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(CannedAnswerWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await canned_answers.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=CannedAnswer,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewCannedAnswer) -> Any:
    return await canned_answers.create(ctx, body)


@api.get(
    "/{answerId}",
    response_model=CannedAnswer,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: AnswerId) -> Any:
    return await canned_answers.get(ctx, id)


@api.patch(
    "/{answerId}",
    response_model=CannedAnswer,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: AnswerId, body: CannedAnswerPatch) -> Any:
    return await canned_answers.update(ctx, id, body)


@api.delete("/{answerId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: AnswerId) -> None:
    return await canned_answers.delete(ctx, id)
