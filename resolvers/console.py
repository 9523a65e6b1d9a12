"""The console's own login: one token for its cookie, which ends with the login (decision 0037)."""

from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Unauthenticated
from core.tokens import TokenKind
from db import models
from resolvers.auth import by_password
from resolvers.sessions import end_sessions, store_session
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.auth import Credentials


@dataclass(frozen=True, slots=True)
class ConsoleLogin:
    """The value of the cookie, and the seconds for which it is valid."""

    token: str = field(repr=False)
    seconds: int


@operation(Permission.public, "outside")
async def log_in(op: Op, input: Credentials) -> ConsoleLogin:
    """Opens a login for the console. It lasts as long as a refresh token. Raises what `auth.login` raises."""

    async def open(session: AsyncSession, user: models.User) -> ConsoleLogin:
        # Nobody gets the refresh token: its row says until when the login lasts.
        family, _ = await store_session(op, session, user)
        seconds = int(timedelta(days=op.services.settings.refresh_token_days).total_seconds())
        token = op.services.tokens.issue(user.id, family, user.token_version, seconds, TokenKind.console)
        return ConsoleLogin(token, seconds)

    return await by_password(op, input, open)


@operation(Permission.public)
async def log_out(op: Op) -> None:
    """Ends the login of the cookie, unless it has ended already."""
    try:
        viewer = await op.ctx.viewer()
    except Unauthenticated:
        return
    if viewer.session_id is not None:
        await end_sessions(op, op.session, [viewer.session_id], "logout")
