"""Routes /receiver-rules and /receiver-pauses. They are Postern's own."""

import builtins
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import receivers
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.receivers import ReceiverPause, ReceiverRule, ReceiverRuleInput

api = router("receivers", "How fast emails go to each class of mailbox providers.", extension=True)
RuleId = Annotated[UUID, Path(alias="ruleId", description="id of the rule")]
PauseId = Annotated[UUID, Path(alias="pauseId", description="id of the pause")]


@api.get(
    "/receiver-rules",
    response_model=builtins.list[ReceiverRule],
    responses=errors(401, 503),
    openapi_extra={**BEARER},
)
async def rules(ctx: Ctx) -> Any:
    return await receivers.rules(ctx)


@api.put(
    "/receiver-rules",
    response_model=ReceiverRule,
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def set_rule(ctx: Ctx, body: ReceiverRuleInput) -> Any:
    return await receivers.set_rule(ctx, body)


@api.delete(
    "/receiver-rules/{ruleId}",
    status_code=204,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def delete_rule(ctx: Ctx, id: RuleId) -> None:
    return await receivers.delete_rule(ctx, id)


@api.get(
    "/receiver-pauses",
    response_model=builtins.list[ReceiverPause],
    responses=errors(401, 503),
    openapi_extra={**BEARER},
)
async def pauses(ctx: Ctx) -> Any:
    return await receivers.pauses(ctx)


@api.delete(
    "/receiver-pauses/{pauseId}",
    status_code=204,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def lift_pause(ctx: Ctx, id: PauseId) -> None:
    return await receivers.lift_pause(ctx, id)
