"""Reads and stores API tokens."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Unauthenticated
from core.tokens import API_TOKEN_PREFIX, digest, new_secret
from db import models
from db.lists import Listing
from db.query import of, p
from resolvers.auth.sessions import must_be_active
from runtime.operation import Op
from shapes.auth import ApiToken as ApiTokenShape
from shapes.auth import IssuedApiToken, NewApiToken

MOST_API_TOKENS = 100
REVOKED = "revoked"
"""The reason stored when the owner revokes an API token; `end_everything` stores other reasons."""
TOKENS = Listing(
    models.ApiToken,
    filters={("revoked", "eq"): models.ApiToken.revoked_at.is_not(None) == p("revoked_eq_")},
    without=("token_hash",),
)
MINE = models.ApiToken.user_id == p("user_id")
TOKEN = of(models.ApiToken, models.ApiToken.id == p("id"), MINE, without=("token_hash",))


async def issue_api_token(session: AsyncSession, user_id: UUID, input: NewApiToken) -> IssuedApiToken:
    """Stores a new API token and returns it; only its digest is stored."""
    token = new_secret(API_TOKEN_PREFIX)
    row = models.ApiToken(
        user_id=user_id,
        name=input.name,
        token_hash=digest(token),
        hint=token[-4:],
        expires_at=input.expires_at,
    )
    session.add(row)
    await session.flush()
    await session.refresh(row)
    return IssuedApiToken(token=token, api_token=ApiTokenShape.model_validate(row))


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
    if token.revoked_at is not None:
        raise _bad_token()
    return user, token


def _bad_token() -> Unauthenticated:
    return Unauthenticated(
        "The API token is invalid, expired or revoked. Create a new one.", code="invalid_token"
    )
