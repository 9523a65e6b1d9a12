"""Routes under /test-sending (contract §3)."""

from typing import Any
from uuid import UUID

from resolvers import trial
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, router
from runtime.context import Ctx
from shapes.trial import SendTest, TestedMessage

api = router("test sending")
extension = router("test sending")


@api.post(
    "/test-sending",
    response_model=TestedMessage,
    responses=errors(400, 401, 402, 403, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def send(ctx: Ctx, body: SendTest) -> Any:
    """Sends one message now and waits up to 30 s for the result."""
    return await trial.send(ctx, body)


@extension.get(
    "/test-sending/{id}",
    response_model=TestedMessage,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: UUID) -> Any:
    """Returns the current result of a test message, by its `messageId`."""
    return await trial.outcome(ctx, id)
