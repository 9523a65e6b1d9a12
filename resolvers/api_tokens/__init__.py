"""API tokens: the credentials of programs, with what each is limited to (contract §1)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy import func, or_, select

from core.errors import Conflict, NotFound
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.session import driver_connection
from engine.credentials import Keep, end_with_token
from resolvers.api_tokens.token_limits import (
    all_permissions,
    bounded,
    limits_of,
    require_future,
    require_money,
    require_payable,
)
from resolvers.auth.former_emails import require_password
from resolvers.auth.token_rows import (
    MOST_API_TOKENS,
    TOKENS,
    invalidate_logins,
    is_mine,
    issue_api_token,
    mine,
    require_no_scopes,
    require_own_login,
    revoke_token,
    token_of,
)
from runtime.operation import Op, operation
from runtime.permissions import PROFILE, Permission, permissions_of_member
from runtime.viewers import not_a_member
from shapes.auth import ApiTokenPatch, GrantedPermission, IssuedApiToken, NewApiToken


@operation(Permission.profile_read, "read", of_owner=True)
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.ApiToken]:
    """Lists your API tokens, newest first, without their secret values."""
    conditions, values = mine(op)
    return await TOKENS.page(op.db, page_args, where, *conditions, **values)


@operation(Permission.profile_read, "read")
async def of_users(
    op: Op, users: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.ApiToken] | None]:
    """Returns one page of API tokens for the caller, and None for every other user."""
    if op.viewer.id not in users:
        return [None for _ in users]
    conditions, values = mine(op)
    own = await TOKENS.page(op.db, page_args, where, *conditions, **values)
    return [own if id == op.viewer.id else None for id in users]


@operation(Permission.profile_read, "read", of_owner=True)
async def get(op: Op, id: UUID) -> models.ApiToken:
    """Returns one of your API tokens, without its secret value. Raises NotFound."""
    conditions, values = mine(op)
    (row,) = await TOKENS.by_ids(op.db, [id], None, *conditions, **values)
    if row is None:
        raise _no_token()
    return row


@operation(Permission.profile_write, of_owner=True)
async def create(op: Op, input: NewApiToken) -> IssuedApiToken:
    """Creates an API token, a long-lived credential for scripts. `token` is returned only in this response. Raises
    Forbidden if the caller uses an API token (a token could renew itself for ever), lacks a scope, or has lately
    changed the email and sends no password, Conflict if the caller has too many tokens, BadRequest for limits that
    can't be, ValidationFailed for a past expiry, RateLimited.
    """
    return await make_token(op, input, "create API tokens")


async def make_token(op: Op, input: NewApiToken, what: str) -> IssuedApiToken:
    """Makes an API token of the caller, as `create` says. `what`: what the caller does, for the errors."""
    require_future(op.services.db.now(), input)
    await require_own_login(op, what)
    await require_password(op, input.password, what)
    limits = await _limits(op, input)
    await require_money(op.services, limits)
    await require_payable(op.db, op.viewer, models.ApiToken(**limits))
    # The lock on the user's row keeps two concurrent requests from both creating the last allowed token.
    await op.session.execute(
        select(models.User.id).where(models.User.id == op.viewer.id).with_for_update(key_share=True)
    )
    living = await op.session.scalar(
        select(func.count())
        .select_from(models.ApiToken)
        .where(
            models.ApiToken.user_id == op.viewer.id,
            models.ApiToken.revoked_at.is_(None),
            or_(models.ApiToken.expires_at.is_(None), models.ApiToken.expires_at > func.now()),
        )
    )
    if living is not None and living >= MOST_API_TOKENS:
        raise Conflict(
            f"You have {MOST_API_TOKENS} API tokens, the most that a user may have. Revoke one first.",
            code="too_many_api_tokens",
        )
    created_by = None if op.viewer.person is None else op.viewer.actor_id
    return await issue_api_token(op.session, op.viewer.id, input, limits, created_by=created_by)


@operation(Permission.profile_write, of_owner=True)
async def update(op: Op, id: UUID, input: ApiTokenPatch) -> models.ApiToken:
    """Changes an API token. What it loses is also lost, at once, by the logins that were opened with it.

    Webhooks, sinks and hook secrets that it has made and may not make any more end. Raises NotFound, Forbidden (the
    caller uses an API token, or lacks a scope), BadRequest, ValidationFailed, Conflict.
    """
    require_future(op.services.db.now(), input)
    await require_own_login(op, "change API tokens")
    limits = await _limits(op, input)
    row = await op.session.get(models.ApiToken, id, with_for_update={"key_share": True})
    if row is None or not is_mine(op, row):
        raise _no_token()
    if row.revoked_at is not None:
        raise Conflict("This API token is revoked. Create another one.", code="token_revoked")
    if input.name is not None:
        row.name = input.name
    if "expires_at" in input.model_fields_set:
        row.expires_at = input.expires_at
    await require_money(op.services, limits, row.spend_per_day)
    for name, value in limits.items():
        setattr(row, name, value)
    await require_payable(op.db, op.viewer, row)
    await op.session.flush()
    if limits:
        await invalidate_logins(op.services, op.session, id)
    if row.scopes is not None:
        await end_with_token(await driver_connection(op.session), id, Keep(), row.scopes)
    return row


@operation(Permission.profile_read, "read", of_owner=True)
async def permissions(op: Op) -> list[GrantedPermission]:
    """Lists the permissions that operations require, and says which of them you have."""
    return all_permissions(op.viewer)


@operation(Permission.profile_write, of_owner=True)
async def revoke(op: Op, id: UUID, keep_webhooks: bool = False) -> models.ApiToken:
    """Revokes an API token; it is rejected from now on. It stays in the list. Webhooks, event sinks, hook secrets and
    hook keys that it has made end with it.

    The logins that were opened with it end, too. Webhooks and event sinks become their owner's with `keep_webhooks`.
    Raises NotFound, Forbidden (a token with scopes revokes another one).
    """
    if await token_of(op) != id:
        require_no_scopes(op, "revoke another one")
    # Without the lock a concurrent `exchange` could open a login with this token after the logins below are ended.
    row = await op.session.get(models.ApiToken, id, with_for_update={"key_share": True})
    if row is None or not is_mine(op, row):
        raise _no_token()
    if row.revoked_at is None:
        await revoke_token(op, row, Keep(webhooks=keep_webhooks))
    return row


async def _limits(op: Op, input: NewApiToken | ApiTokenPatch) -> dict[str, Any]:
    """Returns the columns of a token's limits. What a member makes for an owner may at most what the member may now.

    Raises what `limits_of` raises, and Forbidden `not_a_member`.
    """
    if op.viewer.person is None:
        return limits_of(op.viewer, input)
    # The lock waits for a change of the membership, which narrows the tokens that it finds, and this one is not there.
    membership = await op.session.scalar(
        select(models.Membership)
        .where(models.Membership.owner_id == op.viewer.id, models.Membership.member_id == op.viewer.actor_id)
        .with_for_update(read=True)
    )
    if membership is None:
        raise not_a_member()
    names = None if membership.permissions is None else tuple(membership.permissions)
    permissions = permissions_of_member(membership.role, names)
    limits = limits_of(replace(op.viewer, scopes=frozenset(permissions)), input)
    every = isinstance(input, NewApiToken) or "scopes" in limits
    if every and limits.get("scopes") is None:
        limits["scopes"] = sorted(each.value for each in permissions - PROFILE)
    return bounded(limits, membership.approval_above, is_new=isinstance(input, NewApiToken))


def _no_token() -> NotFound:
    return NotFound("There is no API token with this id among yours. Check the id.")
