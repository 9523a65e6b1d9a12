"""Keeps a user's old address for 72 hours after a change of the email or the own deletion (engine/users/undos.py).

It is a login address meanwhile, of which no other user can make an own one; and a login that makes an API token or a
second factor sends the password.
"""

from typing import Any
from uuid import UUID

from sqlalchemy import case, delete, exists, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Conflict, Forbidden
from core.ids import uuid7
from core.rate_limits import Limit
from db import models
from db.session import driver_connection
from engine.users import notices
from engine.users.undos import IS_LIVE, VALID
from resolvers.auth import factors
from resolvers.auth.login_emails import is_live
from runtime.operation import Op

_ROW = models.UserUndo
_FACTOR = models.SecondFactor
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('email:' || :email, 0))")
_HAS_FORMER = f"SELECT EXISTS (SELECT FROM user_undos AS o WHERE o.user_id = $1 AND {IS_LIVE})"  # noqa: S608


async def lock_emails(session: AsyncSession, *emails: str) -> None:
    """Has transactions that give or take one of these addresses wait for each other, until this one ends."""
    for email in sorted({*emails}):
        await session.execute(_LOCK, {"email": email})


async def require_free(session: AsyncSession, email: str, user_id: UUID | None = None) -> None:
    """Raises Conflict if the address, which is locked, is kept for another user than `user_id`."""
    is_taken = exists().where(_ROW.email == email, _ROW.user_id.is_distinct_from(user_id), is_live())
    if await session.scalar(select(is_taken)):
        raise email_taken()


def email_taken() -> Conflict:
    """Returns the error of an address that another user logs in with."""
    return Conflict("This email is already registered. Log in, or use another one.", code="email_taken")


async def store_former(op: Op, user: models.User, *, deletes: bool = False) -> None:
    """Keeps the address that the user has now, or the one that is kept already, and mails there how to undo the change
    that follows. The user's row is locked.
    """
    made = insert(_ROW).values(
        id=uuid7(),
        user_id=user.id,
        email=user.email,
        since=func.now(),
        expires_at=func.now() + VALID,
        is_deletion=deletes,
    )
    values: dict[str, Any] = {
        name: case((is_live(), getattr(_ROW, name)), else_=made.excluded[name])
        for name in ("id", "email", "since")
    }
    values |= {"expires_at": made.excluded.expires_at, "used_at": None, "is_deletion": deletes}
    former = (
        await op.session.execute(
            made.on_conflict_do_update(index_elements=["user_id"], set_=values).returning(_ROW.id, _ROW.email)
        )
    ).one()
    connection = await driver_connection(op.session)
    changes = ["deleted" if deletes else "email"]
    await notices.add(op.services, connection, user.id, former.email, changes, former.id)


async def address_of(session: AsyncSession, user: models.User) -> str:
    """Returns the address to which mails about the user go: the kept one, if there is one."""
    former: str | None = await session.scalar(select(_ROW.email).where(_ROW.user_id == user.id, is_live()))
    return former or user.email


async def drop_former(session: AsyncSession, user_id: UUID) -> None:
    """Lets a kept address go, after an administrator has given the user another one."""
    await session.execute(
        update(_ROW)
        .where(_ROW.user_id == user_id, is_live())
        .values(used_at=func.now())
        .execution_options(synchronize_session=False)
    )


async def end_resets(session: AsyncSession, user_id: UUID) -> None:
    """Ends the links for a new password that were mailed to an address which the user has no more."""
    row = models.PasswordReset
    await session.execute(
        update(row)
        .where(row.user_id == user_id, row.used_at.is_(None))
        .values(used_at=func.now())
        .execution_options(synchronize_session=False)
    )


async def drop_unconfirmed_factors(session: AsyncSession, user_id: UUID) -> None:
    """Drops what was begun without a password: confirming it asks for none."""
    await session.execute(delete(_FACTOR).where(_FACTOR.user_id == user_id, _FACTOR.confirmed_at.is_(None)))


async def require_password(op: Op, password: str | None, what: str, *, always: bool = False) -> None:
    """Raises Forbidden without the password of the person who has logged in, if an old address of that user is kept, or
    `always`: a stolen login must not make what outlives it. Raises RateLimited.
    """
    if not always and not await op.reads.fetchval(_HAS_FORMER, op.viewer.actor_id):
        return
    if password is None:
        reason = "" if always else "Your email was changed in the last 72 hours. "
        raise Forbidden(
            f"{reason}To {what}, send your password with the request, as `password`.",
            code="password_needed",
        )
    await check_password(op, op.viewer.actor_id, password)


async def check_password(op: Op, user_id: UUID, password: str) -> Any:
    """Returns the user, with `factor_id`, whose current password this is. Raises Forbidden, RateLimited."""
    limit = Limit.parse("login", op.services.settings.limit_login)
    await op.services.limiter.enforce(limit, f"password:{user_id}", "attempts")
    user = await factors.USER_BY_ID.first(op.db, id=user_id)
    if user is None or not await op.services.passwords.verify(user.password_hash, password):
        raise Forbidden("The current password is wrong. Check it and try again.", code="bad_credentials")
    return user
