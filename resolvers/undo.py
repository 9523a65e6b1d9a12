"""Undoes a change of the email, or the own deletion, by the link that was mailed to the user's old address.

Opening the link changes nothing, since programs that look for malware open every link; the page's button does.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import NotFound
from core.ids import uuid7
from core.rate_limits import Limit
from db import models
from db.query import Query, p
from db.session import driver_connection
from engine.direct import password_mail
from engine.jobs import JobName, enqueue
from engine.users.texts import UndoWords, undo_words
from engine.users.undos import HOURS, TOKENS, VALID
from resolvers.auth.former_emails import lock_emails
from resolvers.auth.login_emails import is_live
from resolvers.auth.login_limits import limit_address
from resolvers.auth.sessions import end_everything, must_be_active
from resolvers.signups import PAGES
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.users import UserStatus

_ROW, _FACTOR = models.UserUndo, models.SecondFactor
_PAGE: Query[Any] = Query(
    _ROW,
    select(
        _ROW.email.label("email"), _ROW.is_deletion.label("is_deletion"), models.User.locale.label("locale")
    )
    .join(models.User, models.User.id == _ROW.user_id)
    .where(_ROW.id == p("id"), is_live()),
)


@dataclass(frozen=True, slots=True)
class UndoPage:
    """The parts of the page: of a link that was not used yet, or of what it has done."""

    words: UndoWords
    email: str
    is_deletion: bool
    done: bool


@operation(Permission.public, "read")
async def show(op: Op, token: str) -> UndoPage:
    """Returns an HTML page with a button. Opening the page changes nothing, because link checkers open every link.
    Raises NotFound (the link is invalid, too old, or used), RateLimited.
    """
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    row = await _PAGE.first(op.db, id=_id(op, token))
    if row is None:
        raise _bad_link()
    return UndoPage(undo_words(row.locale), row.email, row.is_deletion, done=False)


@operation(Permission.public, "outside")
async def confirm(op: Op, token: str) -> UndoPage:
    """Restores the old email, or the deleted user, and mails a link to set a new password. Ends all logins, the
    password, and the API tokens and second factors that were made since. The request body is ignored.

    The link works once. A deleted user is restored only if the user was deleted by the own login. Raises NotFound (the
    link is invalid, too old, or used), Forbidden (an administrator has deleted the user), RateLimited.
    """
    await limit_address(op, Limit.parse("register", op.services.settings.limit_register), "attempts")
    id = _id(op, token)
    async with op.tx() as session:
        user_id = await session.scalar(select(_ROW.user_id).where(_ROW.id == id))
        if user_id is None:
            raise _bad_link()
        # The user's row is locked first, as by all that writes to user_undos.
        user = await session.get_one(models.User, user_id, with_for_update=True)
        undo = await session.scalar(
            update(_ROW).where(_ROW.id == id, is_live()).values(used_at=func.now()).returning(_ROW)
        )
        if undo is None:
            raise _bad_link()
        if user.status == UserStatus.deleted:
            if not undo.is_deletion:
                must_be_active(user)
            user.status = UserStatus.active.value
        await lock_emails(session, undo.email, user.email)
        user.email, user.password_hash = undo.email, None
        await session.flush()
        await _remove_factors(session, undo)
        await end_everything(op.services, session, user.id, "change undone", made_since=undo.since)
        await session.refresh(user)
        await _mail_reset(session, user)
        return UndoPage(undo_words(user.locale), undo.email, undo.is_deletion, done=True)


async def _remove_factors(session: AsyncSession, undo: models.UserUndo) -> None:
    """Removes the second factors that were made since the change, or in the 72 hours before it: a stolen login that
    made one first would lock its owner out. With the last one go the recovery codes.
    """
    await session.execute(
        delete(_FACTOR).where(_FACTOR.user_id == undo.user_id, _FACTOR.created_at >= undo.since - VALID)
    )
    if not await session.scalar(select(exists().where(_FACTOR.user_id == undo.user_id))):
        codes = models.RecoveryCode
        await session.execute(delete(codes).where(codes.user_id == undo.user_id))


async def _mail_reset(session: AsyncSession, user: models.User) -> None:
    """Has a link mailed to the user by which a new password is set."""
    valid = timedelta(minutes=password_mail.MINUTES)
    reset = models.PasswordReset(
        id=uuid7(), user_id=user.id, token_version=user.token_version, expires_at=func.now() + valid
    )
    session.add(reset)
    await session.flush()
    await enqueue(await driver_connection(session), JobName.mail_password, reset.id)


def _id(op: Op, token: str) -> UUID:
    """Returns the id of the row that a token is of. Only tokens with a valid signature reach the database."""
    id = TOKENS.row(op.services, token)
    if id is None:
        raise _bad_link()
    return id


def _bad_link() -> NotFound:
    return NotFound(
        f"This link is invalid, older than {HOURS} hours, or was used. If the change was not yours, ask an"
        " administrator.",
        code="undo_link_invalid",
    )
