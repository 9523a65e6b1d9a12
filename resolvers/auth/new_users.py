"""Creates users and their invitations."""

import unicodedata
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.ids import uuid7
from core.tokens import digest
from db import models
from resolvers import accounts
from resolvers.auth.former_emails import email_taken, lock_emails, require_free
from runtime.operation import Op
from shapes.auth import Invitation
from shapes.users import Role, UserStatus

INVITATION = timedelta(days=7)


def normal_email(email: str) -> str:
    """Returns the one spelling of an email address: Unicode NFC, lower case."""
    return unicodedata.normalize("NFC", email).strip().lower()


async def make_user(
    session: AsyncSession,
    *,
    credit: str,
    email: str,
    display_name: str,
    roles: list[Role],
    locale: str | None = None,
    password_hash: str | None = None,
    status: UserStatus = UserStatus.active,
) -> models.User:
    """Creates a user and the user's first account. Raises Conflict for a taken email."""
    email = normal_email(email)
    await lock_emails(session, email)
    await require_free(session, email)
    user: models.User | None = await session.scalar(
        insert(models.User)
        .values(
            id=uuid7(),
            email=email,
            display_name=display_name,
            locale=locale,
            status=status.value,
            roles=[role.value for role in roles],
            password_hash=password_hash,
        )
        .on_conflict_do_nothing(index_elements=["email"])
        .returning(models.User)
    )
    if user is None:
        raise email_taken()
    await accounts.open_first(session, user.id, credit)
    return user


def limit_countries(session: AsyncSession, user: models.User, countries: Sequence[str]) -> None:
    """Lets the SMS of a new user go to these countries alone; none: to all."""
    if countries:
        session.add(models.CountryRule(id=user.id, owner_id=user.id, allow=[*countries]))


def invitation(op: Op, user: models.User, token: str, *, mailed: bool) -> Invitation:
    """Returns a new invitation for the user, with this token. It replaces any earlier one."""
    user.invitation_hash = digest(token)
    user.invitation_expires_at = op.services.db.now() + INVITATION
    return Invitation(user_id=user.id, token=token, expires_at=user.invitation_expires_at, mailed=mailed)
