"""Routes /approvals. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import approvals
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.approvals import (
    Approval,
    ApprovalReview,
    ApprovalRule,
    ApprovalRuleInput,
    ApprovalWhere,
    AskApproval,
    DecideApproval,
)
from shapes.page import PageByCursor

api = router(
    "approvals",
    "The approval of plans of Sending Projects by a second person.",
    extension=True,
)

Project = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]
Id = Annotated[UUID, Path(alias="approvalUuid", description="uuid of the approval")]


@api.post(
    "/sending-project/{sendingProjectUuid}/approvals",
    status_code=201,
    response_model=Approval,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def ask(ctx: Ctx, id: Project, body: AskApproval) -> Any:
    return await approvals.ask(ctx, id, body)


@api.get(
    "/approvals",
    response_model=PageByCursor[Approval],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ApprovalWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await approvals.page(ctx, PageArgs(first=limit, after=after), where)


@api.get("/approvals/rule", response_model=ApprovalRule, responses=errors(401, 503), openapi_extra={**BEARER})
async def get_rule(ctx: Ctx) -> Any:
    return await approvals.get_rule(ctx)


@api.put(
    "/approvals/rule",
    response_model=ApprovalRule,
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def set_rule(ctx: Ctx, body: ApprovalRuleInput) -> Any:
    return await approvals.set_rule(ctx, body)


@api.get(
    "/approvals/{approvalUuid}",
    response_model=Approval,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id) -> Any:
    return await approvals.get(ctx, id)


@api.get(
    "/approvals/{approvalUuid}/review",
    response_model=ApprovalReview,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def review(ctx: Ctx, id: Id) -> Any:
    return await approvals.review(ctx, id)


@api.post(
    "/approvals/{approvalUuid}/decide",
    response_model=Approval,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def decide(ctx: Ctx, id: Id, body: DecideApproval) -> Any:
    return await approvals.decide(ctx, id, body)


@api.post(
    "/approvals/{approvalUuid}/withdraw",
    response_model=Approval,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def withdraw(ctx: Ctx, id: Id) -> Any:
    return await approvals.withdraw(ctx, id)
