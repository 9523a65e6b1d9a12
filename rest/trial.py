"""Routes under /test-sending (contract §3); test messages that were sent are extensions."""

from typing import Annotated, Any
from uuid import UUID

from db.lists import Conditions, PageArgs
from resolvers import trial
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.trial import SendTest, TestedMessage, TrialMessage, TrialMessageWhere

api = router("test sending", "Single test messages, to try out a text.")


@api.post(
    "/test-sending",
    response_model=TestedMessage,
    responses=errors(400, 401, 402, 403, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def send(ctx: Ctx, body: SendTest) -> Any:
    return await trial.send(ctx, body)


@api.get(
    "/test-sending/{id}",
    response_model=TestedMessage,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: UUID) -> Any:
    return await trial.outcome(ctx, id)


@api.get(
    "/test-sending",
    response_model=PageByCursor[TrialMessage],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(TrialMessageWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await trial.page(ctx, PageArgs(first=limit, after=after), where)


@api.get(
    "/test-sending/{id}/message",
    response_model=TrialMessage,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get_message(ctx: Ctx, id: UUID) -> Any:
    return await trial.get(ctx, id)
