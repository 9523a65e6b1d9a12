"""Does the command line's work that goes through no door: the first administrator, tokens, money."""

import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypedDict, Unpack
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Conflict, NotFound, ValidationFailed
from core.wording import sentence
from db import models
from resolvers import accounts, second_factors, users
from resolvers.api_tokens.token_limits import limits_of, require_future, require_money, require_payable
from resolvers.auth.new_users import limit_countries, make_user, normal_email
from resolvers.auth.sessions import end_everything
from resolvers.auth.token_rows import issue_api_token
from runtime import audit
from runtime.permissions import PRESETS
from runtime.services import Services
from runtime.viewers import Viewer
from shapes.accounts import Amount, Credit, Note
from shapes.auth import ApprovalAbove, MessagesPerDay, NewApiToken, SpendPerDay, TokenName, TokenPreset
from shapes.passwords import Password
from shapes.shape import Timestamp
from shapes.users import Email, Role, UserStatus


@dataclass(frozen=True, slots=True)
class MadeUser:
    """A new user's id, and the password if it was generated."""

    id: UUID
    password: str | None  # None if the operator chose it


async def create_user(
    services: Services, email: str, *, admin: bool, password: str | None = None
) -> MadeUser:
    """Makes an active user, with a generated password if none is given. Raises ValidationFailed, Conflict."""
    made = None if password else secrets.token_urlsafe(12)
    checked("EMAIL", Email, email)
    chosen = checked("--password", Password, password or made)
    hashed = await services.passwords.hash(chosen)
    async with audited(services, "user.create"), services.db.session.begin() as session:
        row = await make_user(
            session,
            credit=services.settings.signup_credit,
            email=email,
            display_name=email.partition("@")[0][:64],
            roles=[Role.admin, Role.user] if admin else [Role.user],
            password_hash=hashed,
        )
        limit_countries(session, row, services.settings.new_user_countries)
    return MadeUser(row.id, made)


class PaymentTexts(TypedDict, total=False):
    """The limits of an API token as an operator writes them."""

    account_ids: Sequence[str]
    spend_per_day: str | None
    messages_per_day: str | None
    approval_above: str | None


async def create_token(
    services: Services,
    email: str,
    name: str,
    scopes: Sequence[str] = (),
    networks: Sequence[str] = (),
    *,
    expires_at: str | None = None,
    **limits: Unpack[PaymentTexts],
) -> str:
    """Makes an API token and returns its text, which is not stored.

    `scopes` are permissions or presets, `expires_at` is a time of ISO 8601. Raises NotFound, ValidationFailed,
    BadRequest, Forbidden.
    """
    spend, count = limits.get("spend_per_day"), limits.get("messages_per_day")
    above = limits.get("approval_above")
    new_token = NewApiToken(
        name=checked("--name", TokenName, name),
        scopes=[*chain.from_iterable(_scopes_of(each) for each in scopes)] or None,
        networks=[*networks] or None,
        account_ids=[checked("--account", UUID, each) for each in limits.get("account_ids", ())] or None,
        spend_per_day=None if spend is None else checked("--spend-per-day", SpendPerDay, spend),
        messages_per_day=None if count is None else checked("--messages-per-day", MessagesPerDay, count),
        approval_above=None if above is None else checked("--approval-above", ApprovalAbove, above),
        expires_at=None if expires_at is None else checked("--expires-at", Timestamp, expires_at),
    )
    require_future(services.db.now(), new_token)
    async with audited(services, "token.create"), services.db.session.begin() as session:
        row = await user_by_email(session, email)
        if row is None:
            raise _no_user(email)
        viewer = Viewer(row.id, frozenset(row.roles))
        columns = limits_of(viewer, new_token)
        await require_money(services, columns)
        await require_payable(services.db, viewer, models.ApiToken(**columns))
        return (await issue_api_token(session, row.id, new_token, columns)).token


async def set_password(services: Services, email: str, password: str | None = None) -> str | None:
    """Sets the password of a user who has forgotten it, and ends all logins of the user. API tokens go on.

    Returns the password if it was generated. Raises NotFound, ValidationFailed, Conflict (the user was invited, and has
    not joined yet).
    """
    made = None if password else secrets.token_urlsafe(12)
    hashed = await services.passwords.hash(checked("--password", Password, password or made))
    async with audited(services, "user.password"), services.db.session.begin() as session:
        row = await user_by_email(session, email)
        if row is None:
            raise _no_user(email)
        if row.status == UserStatus.invited:
            raise Conflict(
                f"{email} was invited, and sets a password by accepting that. Send the invitation again."
            )
        row.password_hash = hashed
        await session.flush()
        await end_everything(services, session, row.id, "password set by the operator", api_tokens=False)
    return made


async def remove_second_factor(services: Services, email: str) -> int:
    """Removes the second factors of a user, who has lost them, and the recovery codes.

    Returns how many factors there were. Raises NotFound.
    """
    async with audited(services, "user.second_factor"), services.db.session.begin() as session:
        row = await user_by_email(session, email)
        if row is None:
            raise _no_user(email)
        return await second_factors.remove_all(services, session, row.id)


async def move_user(services: Services, id: UUID, to: UserStatus, *, having: str | None = None) -> bool:
    """Suspends a user, also the last administrator, or makes a suspended one active again.

    Returns False, and changes nothing, if the user has this status already or another password hash than `having`.
    """
    async with audited(services, f"user.{to.value}"), services.db.session.begin() as session:
        row = await session.get(models.User, id, with_for_update=True)
        if row is None or to not in users.MOVES[row.status]:
            return False
        if having is not None and row.password_hash != having:
            return False
        await users.set_status(services, session, row, to)
        return True


@asynccontextmanager
async def audited(services: Services, command: str) -> AsyncIterator[None]:
    """Has the audit tell of what a command changes."""
    with audit.command(command, await audit.hasher(services)):
        yield


def _scopes_of(text: str) -> Iterable[str]:
    """Returns the permissions of a preset, or the text itself."""
    return PRESETS[TokenPreset(text)] if text in set(TokenPreset) else [text]


async def credit(
    services: Services, email: str, amount: str, *, account_id: str | None, note: str
) -> models.Account:
    """Adds money to a user's account, the oldest if none is named.

    Raises ValidationFailed, NotFound, Conflict.
    """
    money = checked("AMOUNT", Amount, amount)
    requested_id = None if account_id is None else checked("--account", UUID, account_id)
    async with audited(services, "credit"), services.db.session.begin() as session:
        row = await user_by_email(session, email)
        if row is None:
            raise _no_user(email)
        theirs = select(models.Account.id).where(models.Account.owner_id == row.id)
        if requested_id is not None:
            theirs = theirs.where(models.Account.id == requested_id)
        target_id = await session.scalar(theirs.order_by(models.Account.id).limit(1))
        if target_id is None:
            raise NotFound(
                f"{email} has no account with this id. Leave out --account to use the oldest one."
                if requested_id
                else f"{email} has no account. Log in as this user and open one with POST /accounts."
            )
        input = Credit(account_id=target_id, amount=money, note=checked("--note", Note, note))
        return await accounts.put(session, input, created_by=None)


def checked(name: str, type: Any, value: str | None) -> Any:
    """Returns the value of an argument or option. Raises ValidationFailed that names it."""
    try:
        return TypeAdapter(type).validate_python(value)
    except ValidationError as error:
        problems = [sentence(name, item, "free of control characters") for item in error.errors()]
        raise ValidationFailed(problems) from error


def _no_user(email: str) -> NotFound:
    return NotFound(f"There is no user {email}. Create one: postern user create {email}")


async def user_by_email(session: AsyncSession, email: str) -> models.User | None:
    """Returns the user with this login address, or None."""
    row: models.User | None = await session.scalar(
        select(models.User).where(models.User.email == normal_email(email))
    )
    return row
