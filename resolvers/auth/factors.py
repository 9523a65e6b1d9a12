"""The second factor of a login: whether a user has one, whether a code fits, and how many wrong ones are tried.

A code is bounded twice. `POSTERN_LIMIT_SECOND_FACTOR` counts by user and address; and codes from addresses from which
the user never logged in also count by user. Strangers can use up the second bucket, so it does not apply to an attempt
from a known address. A right code gives back what it took.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core import totp
from core.errors import Unauthenticated, Unavailable
from core.rate_limits import Limit
from core.tokens import digest
from core.vault import Sealed
from db import models
from db.query import Query, columns, p
from resolvers.auth.login_emails import has_email
from resolvers.auth.login_limits import is_remembered
from runtime.operation import Op

FRESH = timedelta(minutes=10)
"""For this time after a code, a login may do what needs a fresh one."""

FROM_STRANGERS = Limit("second-factor-unknown", 25, 86_400)
"""Of a user from all unknown addresses: 25 codes at once and 25 more in a day, so in no 24 hours more than 50."""

_FACTOR = models.SecondFactor
_TOTP_OF_USER = (models.User.id == _FACTOR.user_id) & _FACTOR.confirmed_at.is_not(None)
_USER = select(*columns(models.User), _FACTOR.id.label("factor_id")).outerjoin(_FACTOR, _TOTP_OF_USER)

USER_BY_EMAIL: Query[Any] = Query(models.User, _USER.where(has_email()))
"""A user by a login address, with `factor_id`, the confirmed second factor or None. One statement reads both, so that
an answer takes as long with a factor as without."""
USER_BY_ID: Query[Any] = Query(models.User, _USER.where(models.User.id == p("id")))


def vault_context(id: UUID) -> str:
    """Returns what binds a secret to its row."""
    return f"second_factors.secret:{id}"


def remembered_by(password_hash: str | None, factor_id: UUID | None) -> str | None:
    """Returns the secrets with which an address stays known: after a change of one of them it is unknown."""
    return password_hash if factor_id is None else f"{password_hash}:{factor_id}"


async def count_code(op: Op, user: Any, email: str | None = None) -> list[tuple[Limit, str]]:
    """Counts one code before it is tried. Returns what `give_back` needs. Raises RateLimited.

    `email` is the address of the login, if that may be a kept one.
    """
    limiter = op.services.limiter
    own = Limit.parse("second-factor", op.services.settings.limit_second_factor)
    taken = [(own, f"{user.id}:{op.ctx.client_address}")]
    secret = remembered_by(user.password_hash, user.factor_id)
    if not await is_remembered(op, "login", digest(email or user.email), secret):
        taken.append((FROM_STRANGERS, str(user.id)))
    for limit, key in taken:
        await limiter.enforce(limit, key, "codes of the second factor")
    return taken


async def give_back(op: Op, taken: list[tuple[Limit, str]]) -> None:
    """Takes back what a right code has counted."""
    for limit, key in taken:
        await op.services.limiter.draw(limit, key, need=0, want=0, back=1)


async def use_code(op: Op, session: AsyncSession, user_id: UUID, code: str) -> None:
    """Uses a code of the authenticator app, or a recovery code, once. Raises Unauthenticated, Unavailable.

    Each is one conditional UPDATE, so of concurrent uses one succeeds. Both are undone if the transaction fails.
    """
    used = _use_digits if len(code) == totp.DIGITS else _use_recovery_code
    if not await used(op, session, user_id, code):
        raise wrong_code()


async def _use_digits(op: Op, session: AsyncSession, user_id: UUID, code: str) -> bool:
    factor = await session.scalar(
        select(_FACTOR).where(_FACTOR.user_id == user_id, _FACTOR.confirmed_at.is_not(None))
    )
    if factor is None:
        return False
    step = matching_step(op, factor, code)
    if step is None:
        return False
    used = await session.scalar(
        update(_FACTOR)
        .where(_FACTOR.id == factor.id, func.coalesce(_FACTOR.last_step, -1) < step)
        .values(last_step=step, last_used_at=func.now())
        .returning(_FACTOR.id)
        .execution_options(synchronize_session=False)
    )
    return used is not None


async def _use_recovery_code(op: Op, session: AsyncSession, user_id: UUID, code: str) -> bool:
    row = models.RecoveryCode
    used = await session.scalar(
        update(row)
        .where(row.user_id == user_id, row.code_hash == digest(code), row.used_at.is_(None))
        .values(used_at=func.now())
        .returning(row.user_id)
        .execution_options(synchronize_session=False)
    )
    return used is not None


def matching_step(op: Op, factor: models.SecondFactor, code: str) -> int | None:
    """Returns the step of the code by the database's clock, or None if it fits none. Raises Unavailable."""
    assert factor.secret_encrypted is not None
    try:
        secret = op.services.vault.open(factor.secret_encrypted, vault_context(factor.id))
    except Sealed as error:
        raise Unavailable(
            "The secret of the second factor can't be read, because its key is missing. Use a recovery code, or ask an"
            " administrator.",
            code="second_factor_unreadable",
        ) from error
    return totp.matching_step(secret, code, op.services.db.now().timestamp())


def wrong_code() -> Unauthenticated:
    """Returns the error of a code that is wrong, too old, or used already."""
    return Unauthenticated(
        "The code is wrong, has expired or was used before. Send the newest code of your authenticator app, or a"
        " recovery code that is not used.",
        code="otp_invalid",
    )


def code_required() -> Unauthenticated:
    """Returns the error of a right password without the code that this user needs."""
    return Unauthenticated(
        "This user has a second factor. Send the code of the authenticator app as `otp`, or a recovery code.",
        code="second_factor_required",
    )


def is_fresh(at: datetime | None, now: datetime) -> bool:
    """Returns whether a login gave its last code, `at`, so recently that it needs no other."""
    return at is not None and at > now - FRESH
