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
    """Lists the people who may act for you, newest first, with those who are only invited."""
    return await members.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=InvitedMember,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def invite(ctx: Ctx, body: NewMember) -> Any:
    """Invites a person to act for you, or replaces an invitation that was not accepted yet. `token` is returned only in
    this response; give it to the person.
    """
    return await members.invite(ctx, body)


@api.get(
    "/{memberId}", response_model=Member, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: MemberId) -> Any:
    """Returns one of the people who may act for you."""
    return await members.get(ctx, id)


@api.patch(
    "/{memberId}",
    response_model=Member,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def change(ctx: Ctx, id: MemberId, body: MemberPatch) -> Any:
    """Changes what a member may do, at once. What is taken is also taken from the API tokens that the member made;
    other credentials that the member may not make any more end: `ended` lists them.
    """
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
    """Removes a member, or an invitation. Open connections of the member end within three seconds. `ended` lists the
    credentials of the member that have ended.
    """
    return await members.remove(
        ctx,
        id,
        MemberRemoval(
            keep_tokens=keep_tokens, keep_webhooks=keep_webhooks, keep_hook_secrets=keep_hook_secrets
        ),
    )


@memberships.get("", response_model=list[Membership], responses=errors(401, 503), openapi_extra={**BEARER})
async def list_memberships(ctx: Ctx) -> Any:
    """Lists the owners that you act for: send the `ownerUuid` of one as the header X-Postern-Owner."""
    return await members.memberships(ctx)


@memberships.post(
    "/accept",
    response_model=Membership,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def accept(ctx: Ctx, body: AcceptMembership) -> Any:
    """Accepts an invitation, with a login of the email that was invited."""
    return await members.accept(ctx, body)


@memberships.delete(
    "/{membershipId}", status_code=204, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def leave(ctx: Ctx, id: MembershipId) -> None:
    """Ends one of your memberships. API tokens, webhooks, event sinks, hook secrets and hook keys that you made for the
    owner end with it.
    """
    return await members.leave(ctx, id)
