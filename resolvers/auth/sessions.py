"""Logins as rows: sessions and their refresh tokens. Callers open and end them inside their own transaction."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Forbidden
from core.ids import uuid7
from core.tokens import digest, new_secret, successor
from db import models
from runtime.operation import Op
from runtime.services import Services
from shapes.auth import AuthTokens
from shapes.users import UserStatus


async def expiry(session: AsyncSession, family: models.Session) -> datetime | None:
    """Returns when the API token expires that opened this login; None for a login without one."""
    if family.api_token_id is None:
        return None
    return (await session.get_one(models.ApiToken, family.api_token_id)).expires_at


async def open_session(
    op: Op,
    session: AsyncSession,
    user: models.User,
    api_token: models.ApiToken | None = None,
    *,
    second_factor_at: datetime | None = None,
) -> AuthTokens:
    """Opens a login. A login from an API token ends no later than the token."""
    family, token = await store_session(op, session, user, api_token, second_factor_at=second_factor_at)
    return tokens_of(op, user, family, token, api_token.expires_at if api_token else None)


async def store_session(
    op: Op,
    session: AsyncSession,
    user: models.User,
    api_token: models.ApiToken | None = None,
    *,
    second_factor_at: datetime | None = None,
) -> tuple[UUID, str]:
    """Stores a login with its first refresh token. Returns its id and the token."""
    family = models.Session(
        id=uuid7(),
        user_id=user.id,
        user_agent=op.ctx.user_agent,
        api_token_id=api_token.id if api_token else None,
        second_factor_at=second_factor_at,
    )
    token = new_secret()
    session.add(family)
    await session.flush()
    session.add(next_token(op, family.id, token, api_token.expires_at if api_token else None))
    await session.flush()
    return family.id, token


def next_token(
    op: Op, family: UUID, token: str, until: datetime | None, parent: UUID | None = None
) -> models.RefreshToken:
    """Returns a new refresh token's row. It expires at `until` at the latest."""
    expires_at = op.services.db.now() + timedelta(days=op.services.settings.refresh_token_days)
    return models.RefreshToken(
        session_id=family,
        parent_id=parent,
        token_hash=digest(token),
        expires_at=min(expires_at, until) if until else expires_at,
    )


def tokens_of(
    op: Op, user: models.User, family: UUID, refresh_token: str, until: datetime | None
) -> AuthTokens:
    """Returns a new access token together with `refresh_token`. The access token ends at `until` at the latest."""
    tokens = op.services.tokens
    seconds = tokens.lifetime
    if until is not None:
        seconds = max(0, min(seconds, int((until - op.services.db.now()).total_seconds())))
    return AuthTokens(
        access_token=tokens.issue(user.id, family, user.token_version, seconds),
        refresh_token=refresh_token,
        expires_in=seconds,
    )


async def end_sessions(op: Op, session: AsyncSession, ids: list[UUID], reason: str) -> None:
    """Revokes these logins. Their access tokens are refused from now on."""
    await session.execute(
        update(models.Session)
        .where(models.Session.id.in_(ids), models.Session.revoked_at.is_(None))
        .values(revoked_at=op.services.db.now(), revoked_reason=reason)
    )
    await op.services.viewers.invalidate(sessions=ids)


async def end_everything(
    services: Services,
    session: AsyncSession,
    user_id: UUID,
    reason: str,
    *,
    api_tokens: bool = True,
    made_since: datetime | None = None,
) -> None:
    """Revokes every access token, every refresh token and, unless `api_tokens` is False, every API token of a user.

    API tokens that the user has made for others as a member stay: `resolvers.members.credentials` ends or pauses them.
    With `made_since`, the API tokens end that the user has made since then, for others as well.
    """
    now = services.db.now()
    await session.execute(
        update(models.User)
        .where(models.User.id == user_id)
        .values(token_version=models.User.token_version + 1)
        .execution_options(synchronize_session=False)
    )
    await session.execute(
        update(models.Session)
        .where(models.Session.user_id == user_id, models.Session.revoked_at.is_(None))
        .values(revoked_at=now, revoked_reason=reason)
        .execution_options(synchronize_session=False)
    )
    ended: Sequence[UUID] = ()
    if api_tokens:
        token = models.ApiToken
        tokens = token.user_id == user_id
        if made_since is not None:
            tokens = or_(tokens, token.created_by == user_id) & (token.created_at >= made_since)
        revoked = await session.scalars(
            update(token)
            .where(tokens, token.revoked_at.is_(None))
            .values(revoked_at=now, revoked_reason=reason)
            .returning(token.id)
            .execution_options(synchronize_session=False)
        )
        opened = await session.scalars(
            update(models.Session)
            .where(models.Session.api_token_id.in_(revoked.all()), models.Session.revoked_at.is_(None))
            .values(revoked_at=now, revoked_reason=reason)
            .returning(models.Session.id)
            .execution_options(synchronize_session=False)
        )
        ended = opened.all()
    await services.viewers.invalidate(users=[user_id], sessions=ended)


def must_be_active(user: models.User) -> None:
    """Raises Forbidden unless the user is active. Call it only after the caller has proved to be this user."""
    if user.status != UserStatus.active:
        raise Forbidden(
            f"This user is {user.status} and can't log in. Ask an administrator.", code=f"user_{user.status}"
        )


async def issued_successor(op: Op, token: str) -> str | None:
    """Returns the successor of `token` that was issued, or None if none was issued under any of our keys."""
    by_digest = {
        digest(candidate): candidate
        for key in op.services.keys("refresh")
        for candidate in [successor(key, token)]
    }
    stored = await op.session.scalar(
        select(models.RefreshToken.token_hash).where(models.RefreshToken.token_hash.in_(by_digest)).limit(1)
    )
    return None if stored is None else by_digest[stored]


async def is_used(session: AsyncSession, token: str) -> bool:
    """Returns whether this refresh token has been exchanged already."""
    used_at = await session.scalar(
        select(models.RefreshToken.used_at).where(models.RefreshToken.token_hash == digest(token))
    )
    return used_at is not None
