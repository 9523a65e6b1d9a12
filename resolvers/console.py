"""The console's own login: one token for its cookie, which ends with the login (decision 0037)."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from core.demo import ADMIN, PASSWORD, USER
from core.errors import Unauthenticated
from core.tokens import TokenKind
from db import models
from db.query import Query, p
from resolvers.auth import by_password
from resolvers.auth.demo_users import DemoUsers
from resolvers.auth.sessions import end_sessions, store_session
from runtime.installation import installation
from runtime.operation import Op, operation
from runtime.origins import at_this_machine
from runtime.permissions import Permission
from runtime.viewers import SessionCookie
from shapes.auth import ConsoleToken, Credentials, DemoLogin
from shapes.users import UserStatus

_EMAIL = Query(models.User, select(models.User.email.label("email")).where(models.User.id == p("user_id")))


@dataclass(frozen=True, slots=True)
class ConsoleLogin:
    """The value of the cookie, and the seconds for which it is valid."""

    token: str = field(repr=False)
    seconds: int


@operation(Permission.public, "outside")
async def log_in(op: Op, input: Credentials) -> ConsoleLogin:
    """Logs in to the console: sets a cookie that no script can read. Only pages of this service can call it.

    It lasts as long as a refresh token. Raises what `auth.login` raises.
    """

    async def open(
        session: AsyncSession, user: models.User, second_factor_at: datetime | None
    ) -> ConsoleLogin:
        # The refresh token is not returned: its row says until when the login lasts.
        family, _ = await store_session(op, session, user, second_factor_at=second_factor_at)
        seconds = int(timedelta(days=op.services.settings.refresh_token_days).total_seconds())
        token = op.services.tokens.issue(user.id, family, user.token_version, seconds, TokenKind.console)
        return ConsoleLogin(token, seconds)

    return await by_password(op, input, open)


@operation(Permission.public)
async def log_out(op: Op) -> None:
    """Ends the login of the cookie, if it has not ended, and removes the cookie."""
    try:
        viewer = await op.ctx.viewer()
    except Unauthenticated:
        return
    if viewer.session_id is not None:
        await end_sessions(op, op.session, [viewer.session_id], "logout")


@operation(Permission.public, "read")
async def access_token(op: Op) -> ConsoleToken | None:
    """Returns a short-lived access token of the console's login, which `/docs` sends with the requests that you try
    there. Only pages of this service can call it. It ends with the login.

    Returns None if no user is logged in (decision 0038). It ends no later than the cookie.
    """
    credential = op.ctx.credential
    if not isinstance(credential, SessionCookie) or not op.services.settings.has_console:
        return None
    try:
        viewer = await op.ctx.viewer()
    except Unauthenticated:
        return None
    assert viewer.session_id is not None
    tokens = op.services.tokens
    claims = tokens.read(credential.token, TokenKind.console)
    left = int(claims.expires_at - op.services.db.now().timestamp())
    seconds = max(0, min(tokens.lifetime, left))
    row: Any = await _EMAIL.first(op.db, user_id=viewer.id)
    token = tokens.issue(viewer.id, viewer.session_id, claims.version, seconds)
    return ConsoleToken(access_token=token, expires_in=seconds, email=row.email)


@operation(Permission.public, "outside")
async def demo_login(op: Op) -> DemoLogin | None:
    """Returns the logins of a demo installation, for the login page of a browser on the same machine. Only pages of
    this service can call it, and never through a proxy.

    Only a browser on this machine can use them. Returns None for any other caller, behind a proxy, with servers of
    one's own (DB_STRING), and unless both users of the demo are active and have its password.
    """
    if not at_this_machine(op.ctx.connection) or not installation(op.services).embedded:
        return None
    users = op.services.single(DemoUsers, lambda: DemoUsers(op.services.db, op.services.passwords))
    active = {row.email for row in await users.find() if row.status == UserStatus.active}
    return DemoLogin(email=USER, admin_email=ADMIN, password=PASSWORD) if active >= {USER, ADMIN} else None
