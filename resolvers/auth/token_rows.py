"""Reads and stores API tokens."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Forbidden, Unauthenticated
from core.tokens import API_TOKEN_PREFIX, digest, new_secret
from db import models
from db.lists import Listing
from db.query import p
from db.session import driver_connection
from engine import credentials
from engine.credentials import Keep, Maker
from resolvers.auth.factors import is_fresh
from resolvers.auth.sessions import must_be_active
from runtime.operation import Op, lacking, second_factor_setup
from runtime.permissions import Permission, permissions_of_member
from runtime.services import Services
from runtime.viewers import not_a_member
from shapes.auth import ApiToken as ApiTokenShape
from shapes.auth import IssuedApiToken, NewApiToken
from shapes.users import UserStatus

MOST_API_TOKENS = 100
REVOKED = "revoked"
"""The reason stored when the owner revokes an API token; `end_everything` stores other reasons."""
TOKENS = Listing(
    models.ApiToken,
    filters={("revoked", "eq"): models.ApiToken.revoked_at.is_not(None) == p("revoked_eq_")},
    without=("token_hash",),
)
_OF_USER = models.ApiToken.user_id == p("user_id")
_MADE_BY = models.ApiToken.created_by == p("created_by")


def mine(op: Op) -> tuple[tuple[Any, ...], dict[str, UUID]]:
    """Returns the conditions for the API tokens that the caller sees, with their values: all of the user, or those that
    the caller has made as a member.
    """
    if op.viewer.person is None:
        return (_OF_USER,), {"user_id": op.viewer.id}
    return (_OF_USER, _MADE_BY), {"user_id": op.viewer.id, "created_by": op.viewer.actor_id}


def is_mine(op: Op, row: models.ApiToken | None) -> bool:
    """Returns whether the caller may see and change this API token."""
    if row is None or row.user_id != op.viewer.id:
        return False
    return op.viewer.person is None or row.created_by == op.viewer.actor_id


async def issue_api_token(
    session: AsyncSession,
    user_id: UUID,
    input: NewApiToken,
    limits: Mapping[str, Any],
    *,
    created_by: UUID | None = None,
) -> IssuedApiToken:
    """Stores a new API token and returns it; only its digest is stored. `limits` are columns, `created_by` is the
    member who makes it.
    """
    token = new_secret(API_TOKEN_PREFIX)
    row = models.ApiToken(
        user_id=user_id,
        created_by=created_by,
        name=input.name,
        token_hash=digest(token),
        hint=token[-4:],
        expires_at=input.expires_at,
        **limits,
    )
    session.add(row)
    await session.flush()
    await session.refresh(row)
    return IssuedApiToken(token=token, api_token=ApiTokenShape.model_validate(row))


async def revoke_token(op: Op, row: models.ApiToken, keep: Keep) -> None:
    """Revokes an API token, whose row is locked. Ends the logins that were opened with it, and what it has made unless
    that is kept.
    """
    row.revoked_at, row.revoked_reason = op.services.db.now(), REVOKED
    await op.session.flush()
    ended = await op.session.scalars(
        update(models.Session)
        .where(models.Session.api_token_id == row.id, models.Session.revoked_at.is_(None))
        .values(revoked_at=row.revoked_at, revoked_reason="api token revoked")
        .returning(models.Session.id)
        .execution_options(synchronize_session=False)
    )
    db = await driver_connection(op.session)
    await credentials.end_with_token(db, row.id, keep)
    await op.services.viewers.invalidate(sessions=ended.all())


async def invalidate_logins(services: Services, session: AsyncSession, token_id: UUID) -> None:
    """Lets the logins that were opened with an API token read again what it is limited to."""
    opened = await session.scalars(
        select(models.Session.id).where(
            models.Session.api_token_id == token_id, models.Session.revoked_at.is_(None)
        )
    )
    await services.viewers.invalidate(sessions=opened.all())


_OF_SESSION = "SELECT api_token_id FROM sessions WHERE id = $1"
_LOGIN = """
SELECT s.api_token_id, s.second_factor_at,
  EXISTS (SELECT FROM second_factors f WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL) AS has_factor
FROM sessions s WHERE s.id = $1
"""
_HAS_FACTOR = "SELECT EXISTS (SELECT FROM second_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL)"


async def token_of(op: Op) -> UUID | None:
    """Returns the API token that the caller has sent, or has opened the login with; None for a login of its own."""
    if op.viewer.session_id is None:
        return op.viewer.token_id
    token_id: UUID | None = await op.reads.fetchval(_OF_SESSION, op.viewer.session_id)
    return token_id


_MAKER_OF_TOKEN = "SELECT created_by FROM api_tokens WHERE id = $1"
_TOKEN = "SELECT scopes, revoked_at FROM api_tokens WHERE id = $1 FOR SHARE"
_MEMBERSHIP = "SELECT role, permissions FROM memberships WHERE owner_id = $1 AND member_id = $2 FOR SHARE"


async def maker_of(op: Op, db: asyncpg.Connection, *needs: Permission) -> Maker:
    """Returns what a credential that the caller makes ends with.

    `db` is in the transaction that makes it. The locks of membership and token wait for a change of them, which ends
    the credentials that it finds, and this one is not there. Raises Forbidden (`not_a_member`, or without one of the
    permissions `needs`), Unauthenticated.
    """
    token_id = await token_of(op)
    member_id: UUID | None = op.viewer.actor_id if op.viewer.person is not None else None
    if token_id is not None and member_id is None:
        member_id = await db.fetchval(_MAKER_OF_TOKEN, token_id)
    scopes = None
    if member_id is not None:
        membership = await db.fetchrow(_MEMBERSHIP, op.viewer.id, member_id)
        if membership is None:
            raise not_a_member()
        scopes = [each.value for each in membership_permissions(membership)]
        _require(scopes, needs)
    if token_id is not None:
        token = await db.fetchrow(_TOKEN, token_id)
        if token is None or token["revoked_at"] is not None:
            raise _bad_token()
        _require(token["scopes"], needs)
        scopes = None  # those that the token has when an event comes
    return Maker(token_id, member_id, None if scopes is None else sorted(scopes))


def membership_permissions(membership: Any) -> frozenset[Permission]:
    """Returns the permissions of a row of memberships."""
    names = None if membership["permissions"] is None else tuple(membership["permissions"])
    return permissions_of_member(membership["role"], names)


def _require(scopes: Collection[str] | None, needs: Collection[Permission]) -> None:
    for each in needs:
        if scopes is not None and each not in scopes:
            raise lacking(each)


async def require_own_login(op: Op, what: str) -> None:
    """Raises Forbidden unless the caller has logged in with a password, and has given a code of the second factor
    lately if there is one: a stolen token or a stolen login must not renew itself, or widen another.

    The codes are `needs_login`, `second_factor_setup` and `second_factor_needed`.
    """
    login = await own_login(op, what)
    if op.viewer.needs_factor:
        raise second_factor_setup()
    _require_fresh(op, login, what)


async def own_login(op: Op, what: str) -> Any:
    """Returns `second_factor_at` and `has_factor` of the caller's login.

    Raises Forbidden `needs_login` for an API token, and a login that was opened with one.
    """
    login = None if op.viewer.session_id is None else await op.reads.fetchrow(_LOGIN, op.viewer.session_id)
    if login is None or login["api_token_id"] is not None:
        raise _needs_login(what)
    return login


async def lacks_own_login(op: Op, what: str, *, fresh: bool = True) -> Forbidden | None:
    """Returns the error that `require_own_login` raises, or without `fresh` the one of `own_login`, or None: for an
    operation that needs such a login only if its rows say so.
    """
    try:
        await (require_own_login(op, what) if fresh else own_login(op, what))
    except Forbidden as error:
        return error
    return None


async def require_fresh_factor(op: Op, what: str) -> datetime | None:
    """Raises Forbidden if the caller's user has a second factor, and this login has not given a code of it lately.

    Returns when it has given one. An API token of a user without a second factor passes.
    """
    if op.viewer.session_id is None:
        if await op.reads.fetchval(_HAS_FACTOR, op.viewer.id):
            raise _needs_login(what)
        return None
    login = await op.reads.fetchrow(_LOGIN, op.viewer.session_id)
    if login is None:
        raise _needs_login(what)
    if login["has_factor"] and login["api_token_id"] is not None:
        raise _needs_login(what)
    _require_fresh(op, login, what)
    at: datetime | None = login["second_factor_at"]
    return at


def _require_fresh(op: Op, login: Any, what: str) -> None:
    if login["has_factor"] and not is_fresh(login["second_factor_at"], op.services.db.now()):
        raise Forbidden(
            f"To {what}, send a code of your second factor first: POST /auth/second-factors/verify. It is valid for ten"
            " minutes.",
            code="second_factor_needed",
        )


def require_no_scopes(op: Op, what: str) -> None:
    """Raises Forbidden `needs_login` for a token with scopes: what ends credentials is not among them."""
    if op.viewer.scopes is not None and not op.viewer.needs_factor and op.viewer.person is None:
        raise _needs_login(what)


def _needs_login(what: str) -> Forbidden:
    return Forbidden(f"An API token can't {what}. Log in with a password.", code="needs_login")


async def user_of(op: Op, session: AsyncSession, token_hash: bytes) -> tuple[models.User, models.ApiToken]:
    """Returns the user and the API token with this hash, both rows locked. Raises Unauthenticated, Forbidden."""
    token: models.ApiToken | None = await session.scalar(
        select(models.ApiToken).where(models.ApiToken.token_hash == token_hash)
    )
    if token is None:
        raise _bad_token()
    # A suspension locks the user's row first, too; the same order avoids a deadlock.
    user = await session.get_one(models.User, token.user_id, with_for_update={"key_share": True})
    await session.refresh(token, with_for_update={"key_share": True})
    expired = token.expires_at is not None and token.expires_at <= op.services.db.now()
    if expired or token.revoked_reason == REVOKED:
        raise _bad_token()
    must_be_active(user)
    if token.revoked_at is not None or await is_paused(session, token):
        raise _bad_token()
    return user, token


async def is_paused(session: AsyncSession, token: models.ApiToken) -> bool:
    """Returns whether the member who has made the API token is suspended or deleted."""
    if token.created_by is None:
        return False
    status = await session.scalar(select(models.User.status).where(models.User.id == token.created_by))
    return status != UserStatus.active


def _bad_token() -> Unauthenticated:
    return Unauthenticated(
        "The API token is invalid, expired or revoked. Create a new one.", code="invalid_token"
    )
