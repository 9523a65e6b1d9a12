"""Registration, logins and invitations (contract §1)."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import BadRequest, RateLimited, Unauthenticated, Unavailable
from core.ids import uuid7
from core.rate_limits import Limit
from core.tokens import digest, successor
from db import models
from db.query import of, p
from engine.direct import password_mail
from engine.jobs import JobName, enqueue
from engine.users import mails, undos
from engine.users.invitations import InvitationKind
from resolvers.auth import factors
from resolvers.auth.demo_users import may_be_used
from resolvers.auth.former_emails import check_password
from resolvers.auth.invitations import make_secret, may_mail
from resolvers.auth.login_limits import limit_address, limit_login, limit_tries, remember_address
from resolvers.auth.new_users import invitation, limit_countries, make_user, normal_email
from resolvers.auth.sessions import (
    end_everything,
    end_sessions,
    expiry,
    is_used,
    issued_successor,
    must_be_active,
    next_token,
    open_session,
    tokens_of,
)
from resolvers.auth.token_rows import (
    is_paused,
    lacks_own_login,
    require_fresh_factor,
    require_no_scopes,
    user_of,
)
from runtime.context import AttemptedLogin
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.auth import (
    AcceptInvitation,
    AuthTokens,
    ChangePassword,
    Credentials,
    Invitation,
    Invite,
    NewPassword,
    PasswordResetRequest,
    Refresh,
    Register,
    TokenLogin,
)
from shapes.users import Role, UserStatus

_Opened = TypeVar("_Opened")

_MAILS = Limit("password-mails", 3, 3600)  # to one email

_RESET = f"""
INSERT INTO password_resets (id, user_id, token_version, expires_at)
SELECT $1, u.id, u.token_version, now() + $3
FROM (VALUES ($2::text)) AS asked (email) LEFT JOIN users AS u
  ON u.status = 'active' AND (u.email = asked.email OR u.id = ({undos.HOLDER}))
RETURNING id
"""  # noqa: S608  our own condition

GRACE = timedelta(seconds=10)
"""For this time a used refresh token gives the same successor again, since the first answer may have been lost."""

_BY_ID = of(models.User, models.User.id == p("id"))


@operation(Permission.public, "outside")
async def register(op: Op, input: Register) -> models.User:
    """Creates a user and a first account. Raises Conflict for a taken email, RateLimited."""
    settings = op.services.settings
    await limit_address(op, Limit.parse("register", settings.limit_register), "registrations")
    # Hashing comes before the lookup, so that the response time does not show whether an email is taken.
    hashed = await op.services.passwords.hash(input.password)
    async with op.tx() as session:
        user = await make_user(
            session,
            credit=settings.signup_credit,
            email=input.email,
            display_name=input.display_name or "",
            locale=input.locale,
            roles=[Role.user],
            password_hash=hashed,
        )
        limit_countries(session, user, settings.new_user_countries)
        return user


@operation(Permission.public, "outside")
async def login(op: Op, input: Credentials) -> AuthTokens:
    """Exchanges an email and a password for an access token and a refresh token. Raises what `by_password` raises."""

    async def answer(
        session: AsyncSession, user: models.User, second_factor_at: datetime | None
    ) -> AuthTokens:
        return await open_session(op, session, user, second_factor_at=second_factor_at)

    return await by_password(op, input, answer)


_Open = Callable[[AsyncSession, models.User, datetime | None], Awaitable[_Opened]]
"""Opens a login for a user. The last argument is the time of the second factor's code, if one was given."""


async def by_password(op: Op, input: Credentials, open: _Open[_Opened]) -> _Opened:
    """Checks email, password and second factor, and opens a login by `open`, in a transaction in which the user's row
    is locked.

    Raises Unauthenticated (for a wrong email, a wrong password, or the demo's password from another machine alike;
    `second_factor_required` and `otp_invalid` only after a right password), Forbidden (the password is right, but the
    user is not active), RateLimited, Unavailable.
    """
    email = normal_email(input.email)
    await limit_tries(op, "login")
    user = await factors.USER_BY_EMAIL.first(op.db, email=email)
    op.ctx.attempted_login = AttemptedLogin(email, user.id if user else None)
    stored, factor_id = (user.password_hash, user.factor_id) if user else (None, None)
    await limit_login(op, "login", digest(email), factors.remembered_by(stored, factor_id))
    matches = await op.services.passwords.verify(stored, input.password)
    if not matches or user is None or not may_be_used(op, input.password):
        raise _bad_credentials()
    # From here to the missing code nothing waits, so its answer takes as long as the one to a wrong password.
    must_be_active(user)
    if factor_id is not None and input.otp is None:
        raise factors.code_required()
    counted = [] if factor_id is None else await factors.count_code(op, user, email)
    fresh = (
        await op.services.passwords.hash(input.password)
        if stored and op.services.passwords.outdated(stored)
        else None
    )
    async with op.tx() as session:
        row = await _unchanged(session, user)
        if row is None:
            raise _bad_credentials()
        if fresh is not None and row.password_hash == stored:
            row.password_hash = fresh
        second_factor_at = None
        if factor_id is not None and input.otp is not None:
            await factors.use_code(op, session, row.id, input.otp)
            second_factor_at = op.services.db.now()
        opened, stored = await open(session, row, second_factor_at), row.password_hash
    await factors.give_back(op, counted)
    await remember_address(op, "login", digest(email), factors.remembered_by(stored, factor_id))
    return opened


@operation(Permission.public, "outside")
async def exchange(op: Op, input: TokenLogin) -> AuthTokens:
    """Exchanges an API token for an access token and a refresh token. Both become invalid when the API token expires or
    is revoked. Raises Unauthenticated, Forbidden (the token is right, but its user is not active), RateLimited.
    """
    token_hash = digest(input.token)
    await limit_tries(op, "token-login")
    await limit_login(op, "token-login", token_hash)
    async with op.tx() as session:
        user, api_token = await user_of(op, session, token_hash)
        op.ctx.require_network(api_token.networks)
        tokens = await open_session(op, session, user, api_token)
        token_id = api_token.id
    op.ctx.token_used(token_id)
    await remember_address(op, "token-login", token_hash)
    return tokens


@operation(Permission.public)
async def refresh(op: Op, input: Refresh) -> AuthTokens:
    """Exchanges a refresh token for new tokens. A refresh token that is used twice ends the whole login.

    The end of the login is committed although the request fails. Raises Unauthenticated.
    """
    token = input.refresh_token
    joined = (
        await op.session.execute(
            select(models.RefreshToken, models.Session, models.User)
            .join(models.Session, models.Session.id == models.RefreshToken.session_id)
            .join(models.User, models.User.id == models.Session.user_id)
            .where(models.RefreshToken.token_hash == digest(token))
            .with_for_update(of=[models.RefreshToken, models.Session])
        )
    ).one_or_none()
    now = op.services.db.now()
    if joined is None:
        raise Unauthenticated("The refresh token is not valid. Log in again.", code="invalid_refresh_token")
    row, family, user = joined
    token_id = family.api_token_id
    paused = token_id is not None and await is_paused(
        op.session, await op.session.get_one(models.ApiToken, token_id)
    )
    if family.revoked_at is not None or row.expires_at <= now or user.status != UserStatus.active or paused:
        raise Unauthenticated("This login has ended. Log in again.", code="session_ended")

    until = await expiry(op.session, family)
    following = successor(op.services.key("refresh"), token)
    if row.used_at is not None:  # during a key rotation, another process may have issued the successor
        following = await issued_successor(op, token) or following
    if row.used_at is None:
        row.used_at = now
        op.session.add(next_token(op, family.id, following, until, parent=row.id))
    elif now - row.used_at > GRACE or await is_used(op.session, following):
        await end_sessions(op, op.session, [family.id], "refresh token reused")
        raise Unauthenticated(
            "This refresh token was used before, so the whole login has been ended. Log in again.",
            code="refresh_token_reused",
            commit=True,
        )
    if family.api_token_id is not None:
        op.ctx.token_used(family.api_token_id)
    return tokens_of(op, user, family.id, following, until)


@operation(Permission.profile_write)
async def logout(op: Op) -> None:
    """Ends this login; its access token is rejected at once. Raises BadRequest if the caller uses an API token."""
    if op.viewer.session_id is None:
        raise BadRequest("An API token is not a login. Revoke it with revokeApiToken.", code="not_a_login")
    await end_sessions(op, op.session, [op.viewer.session_id], "logout")


@operation(Permission.profile_write)
async def logout_everywhere(op: Op) -> None:
    """Ends all your logins. API tokens stay valid. Raises Forbidden if the caller uses a token with scopes."""
    require_no_scopes(op, "end your logins")
    await end_everything(op.services, op.session, op.viewer.id, "logout everywhere", api_tokens=False)


@operation(Permission.profile_read, "read")
async def me(op: Op) -> models.User:
    """Returns the calling user. Raises Unauthenticated if the user has been deleted."""
    user = await _BY_ID.first(op.db, id=op.viewer.id)
    if user is None:
        raise Unauthenticated("This user has been deleted. Log in as another user.")
    return user


@operation(Permission.profile_write, "outside")
async def change_password(op: Op, input: ChangePassword) -> AuthTokens:
    """Changes your password, ends all your logins and starts a new one. Raises Forbidden if the current password is
    wrong, the caller uses a token with scopes, or has a second factor and has not given a code lately; RateLimited.
    """
    require_no_scopes(op, "change the password")
    second_factor_at = await require_fresh_factor(op, "change the password")
    user = await check_password(op, op.viewer.id, input.current_password)
    hashed = await op.services.passwords.hash(input.new_password)
    async with op.tx() as session:
        row = await _unchanged(session, user)
        if row is None:
            raise Unauthenticated("This login has ended. Log in again.", code="session_ended")
        row.password_hash = hashed
        await session.flush()  # otherwise session.refresh below would discard the new password
        await end_everything(op.services, session, row.id, "password changed", api_tokens=False)
        await session.refresh(row)
        tokens = await open_session(op, session, row, second_factor_at=second_factor_at)
    await remember_address(op, "login", digest(row.email), factors.remembered_by(hashed, user.factor_id))
    return tokens


@operation(Permission.public, "outside")
async def request_password_reset(op: Op, input: PasswordResetRequest) -> None:
    """Mails a link to set a new password. The answer is the same whether a user has the email or not.

    The link works for half an hour. The work is the same whether there is such a user or not. Raises RateLimited,
    Unavailable (no mail can be sent).
    """
    settings = op.services.settings
    if not mails.is_available(op.services):
        raise Unavailable(
            "This installation can't mail a link: it has no email route or no POSTERN_PUBLIC_URL. Ask the operator to"
            " set your password: postern user password EMAIL",
            code="password_mail_unavailable",
        )
    await limit_address(op, Limit.parse("password-reset", settings.limit_register), "new passwords")
    email = normal_email(input.email)
    try:
        await op.services.limiter.enforce(_MAILS, digest(email).hex(), "mails")
    except RateLimited:
        return  # the answer is as always, and three mails an hour are enough for anybody
    async with op.services.db.transaction() as connection:
        id = await connection.fetchval(_RESET, uuid7(), email, timedelta(minutes=password_mail.MINUTES))
        await enqueue(connection, JobName.mail_password, id)


@operation(Permission.public, "outside")
async def reset_password(op: Op, input: NewPassword) -> None:
    """Sets a new password with the token of a mailed link, and ends all logins of the user.

    It opens no login: a second factor is asked at the next one, as always. Raises Unauthenticated (the link is invalid,
    too old, or used), RateLimited.
    """
    await limit_address(op, Limit.parse("register", op.services.settings.limit_register), "attempts")
    id = password_mail.TOKENS.row(op.services, input.token)
    if id is None:
        raise _bad_link()
    hashed = await op.services.passwords.hash(input.password)
    async with op.tx() as session:
        row = await session.get(models.PasswordReset, id, with_for_update=True)
        if row is None or row.user_id is None or row.used_at or row.expires_at <= op.services.db.now():
            raise _bad_link()
        user = await session.get(models.User, row.user_id, with_for_update={"key_share": True})
        if user is None or user.status != UserStatus.active or user.token_version != row.token_version:
            raise _bad_link()
        user.password_hash, row.used_at = hashed, op.services.db.now()
        await session.flush()
        await end_everything(op.services, session, user.id, "password reset", api_tokens=False)


@operation(Permission.users_admin, before=may_mail)
async def invite(op: Op, input: Invite) -> Invitation:
    """Creates an invited user and returns the invitation token; for administrators. A second call for the same email
    replaces the token. If this installation can send mail, the link is mailed, too (`mailed`). Raises Conflict if a
    user with this email has already joined, Forbidden if a token makes an administrator or changes the roles of an
    invited user.
    """
    lacking = await lacks_own_login(op, "make administrators, or change the roles of users")
    if Role.admin in input.roles and lacking is not None:
        raise lacking
    user = await op.session.scalar(
        select(models.User).where(models.User.email == normal_email(input.email)).with_for_update()
    )
    if user is None or user.status != UserStatus.invited:
        user = await make_user(
            op.session,
            credit=op.services.settings.signup_credit,
            email=input.email,
            display_name=input.display_name or "",
            roles=input.roles,
            status=UserStatus.invited,
        )
        limit_countries(op.session, user, op.services.settings.new_user_countries)
    else:  # the new invitation's name and roles replace the earlier ones
        if lacking is not None and {*input.roles} != {*user.roles}:
            raise lacking
        user.display_name = input.display_name or user.display_name
        user.roles = [role.value for role in input.roles]
    secret = await make_secret(op, InvitationKind.user, user.id, user.email)
    return invitation(op, user, secret.token, mailed=secret.mailed)


@operation(Permission.public, "outside")
async def accept_invitation(op: Op, input: AcceptInvitation) -> AuthTokens:
    """Sets the password of an invited user and logs the user in. Raises Unauthenticated for a bad or used token."""
    await limit_address(op, Limit.parse("register", op.services.settings.limit_register), "attempts")
    hashed = await op.services.passwords.hash(input.password)
    async with op.tx() as session:
        user = await session.scalar(
            select(models.User)
            .where(
                models.User.invitation_hash == digest(input.token),
                models.User.invitation_expires_at > op.services.db.now(),
                models.User.status == UserStatus.invited.value,
            )
            .with_for_update()
        )
        if user is None:
            raise Unauthenticated(
                "This invitation is invalid or has expired. Ask an administrator for a new one."
            )
        user.status, user.password_hash = UserStatus.active.value, hashed
        user.invitation_hash = user.invitation_expires_at = None
        if input.display_name:
            user.display_name = input.display_name
        tokens = await open_session(op, session, user)
    await remember_address(op, "login", digest(user.email), hashed)
    return tokens


async def _unchanged(session: AsyncSession, user: Any) -> models.User | None:
    """Returns the locked row, or None if all logins were ended since `user` was read.

    Checking a password takes time. If all logins are ended meanwhile (by a new password or a suspension), this login
    must not open a new one afterwards.
    """
    row = await session.get(models.User, user.id, with_for_update={"key_share": True})
    return row if row is not None and row.token_version == user.token_version else None


def _bad_link() -> Unauthenticated:
    return Unauthenticated(
        "This link is invalid, older than half an hour, or was used. Ask for another one.",
        code="invalid_reset_token",
    )


def _bad_credentials() -> Unauthenticated:
    return Unauthenticated(
        "The email or the password is wrong. Check both and try again.", code="bad_credentials"
    )
