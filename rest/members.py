"""Routes under /members and /memberships. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import members
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.members import (
    KEEP_HOOK_SECRETS,
    KEEP_TOKENS,
    KEEP_WEBHOOKS,
    AcceptMembership,
    InvitedMember,
    Member,
    MemberPatch,
    MemberRemoval,
    Membership,
    MemberWhere,
    NewMember,
    RemovedMember,
)
from shapes.page import PageByCursor

api = router("auth", prefix="/members", extension=True)
memberships = router("auth", prefix="/memberships", extension=True)

MemberId = Annotated[UUID, Path(alias="memberId", description="id of the member")]
MembershipId = Annotated[UUID, Path(alias="membershipId", description="id of the membership")]
KeepTokens = Annotated[bool | None, Query(alias="keepTokens", description=KEEP_TOKENS)]
KeepWebhooks = Annotated[bool | None, Query(alias="keepWebhooks", description=KEEP_WEBHOOKS)]
KeepHookSecrets = Annotated[bool | None, Query(alias="keepHookSecrets", description=KEEP_HOOK_SECRETS)]


@api.get(
    "", response_model=PageByCursor[Member], responses=errors(400, 401, 403, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx, where: Annotated[Conditions, filters_of(MemberWhere)], after: After = None, limit: Limit = 20
) -> Any:
    return await members.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=InvitedMember,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def invite(ctx: Ctx, body: NewMember) -> Any:
    return await members.invite(ctx, body)


@api.get(
    "/{memberId}", response_model=Member, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: MemberId) -> Any:
    return await members.get(ctx, id)


@api.patch(
    "/{memberId}",
    response_model=Member,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def change(ctx: Ctx, id: MemberId, body: MemberPatch) -> Any:
    return await members.change(ctx, id, body)


@api.delete(
    "/{memberId}",
    response_model=RemovedMember,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def remove(
    ctx: Ctx,
    id: MemberId,
    keep_tokens: KeepTokens = None,
    keep_webhooks: KeepWebhooks = None,
    keep_hook_secrets: KeepHookSecrets = None,
) -> Any:
    return await members.remove(
        ctx,
        id,
        MemberRemoval(
            keep_tokens=keep_tokens, keep_webhooks=keep_webhooks, keep_hook_secrets=keep_hook_secrets
        ),
    )


@memberships.get("", response_model=list[Membership], responses=errors(401, 503), openapi_extra={**BEARER})
async def list_memberships(ctx: Ctx) -> Any:
    return await members.memberships(ctx)


@memberships.post(
    "/accept",
    response_model=Membership,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def accept(ctx: Ctx, body: AcceptMembership) -> Any:
    return await members.accept(ctx, body)


@memberships.delete(
    "/{membershipId}", status_code=204, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def leave(ctx: Ctx, id: MembershipId) -> None:
    return await members.leave(ctx, id)
