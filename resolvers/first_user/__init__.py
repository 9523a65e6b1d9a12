"""The first administrator of an installation (contract §9.4): by the command line, or by the one-time link that
`postern serve` prints to a terminal.

A link is a secret of 256 bits, of which Redis keeps the hash for LINK_SECONDS. It opens nothing once there is an active
administrator. Registration makes ordinary users only.
"""

import hmac
from typing import Any

from sqlalchemy import text

from core.errors import Gone, Unavailable
from core.rate_limits import Limit
from core.tokens import digest, new_secret
from db.session import Database, driver_connection
from resolvers import purposes
from resolvers.auth.login_limits import limit_address, remember_address
from resolvers.auth.new_users import limit_countries, make_user
from resolvers.auth.sessions import open_session
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.auth import AuthTokens
from shapes.first_user import FirstUser
from shapes.users import Role

LINK_SECONDS = 900

_KEY = (
    "first-user"  # of the hash of the newest link: a start that makes one ends the link of an earlier start
)
_HAS_ADMIN = "SELECT EXISTS (SELECT FROM users WHERE status = 'active' AND 'admin' = ANY (roles))"
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('postern:first-user', 0))")


async def has_admin(db: Database) -> bool:
    """Returns whether an active administrator exists."""
    exists: bool = await db.fetchval(_HAS_ADMIN)
    return exists


async def new_link(services: Services) -> str | None:
    """Returns the secret of a new link; None while Redis can't keep its hash."""
    secret = new_secret()

    async def store(redis: Any) -> str:
        await redis.set(_KEY, digest(secret), ex=LINK_SECONDS)
        return secret

    return await services.store.attempt(store, None)


@operation(Permission.public, "outside")
async def create(op: Op, input: FirstUser) -> AuthTokens:
    """Makes the first administrator by the one-time link that `postern serve` has printed to its terminal, and logs in.
    Once an administrator exists, no link works.

    Of several concurrent calls one succeeds. Raises Gone (alike for a link that is wrong, too old or used, and where an
    administrator exists), Conflict (a taken email), RateLimited, Unavailable.
    """
    settings = op.services.settings
    await limit_address(op, Limit.parse("first-user", settings.limit_login), "attempts")
    # b"" if there is none: None says that Redis has not answered.
    stored = await op.services.store.attempt(_stored, None)
    if stored is None:
        raise Unavailable("The link can't be checked, because Redis is unreachable. Try again in a moment.")
    if not hmac.compare_digest(stored, digest(input.token)) or await has_admin(op.db):
        raise _dead_link()
    hashed = await op.services.passwords.hash(input.password)
    async with op.tx() as session:
        await session.execute(_LOCK)
        if await session.scalar(text(_HAS_ADMIN)):
            raise _dead_link()
        user = await make_user(
            session,
            credit=settings.signup_credit,
            email=input.email,
            display_name=input.display_name or "",
            roles=[Role.admin, Role.user],
            password_hash=hashed,
        )
        limit_countries(session, user, settings.new_user_countries)
        await purposes.choose_first(op.services, await driver_connection(session), input.purposes, user.id)
        tokens = await open_session(op, session, user)
    op.services.choices.forget()
    await op.services.store.attempt(lambda redis: redis.delete(_KEY), 0)
    await remember_address(op, "login", digest(user.email), hashed)
    return tokens


async def _stored(redis: Any) -> bytes:
    return await redis.get(_KEY) or b""


def _dead_link() -> Gone:
    return Gone(
        "This link is wrong, older than 15 minutes, or was used, or there is an administrator already. Log in,"
        " or ask the operator for a new link: postern open",
        code="first_user_link_gone",
    )
