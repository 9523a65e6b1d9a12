"""Accounts of no messenger, for both sources: everything can be tried, and nothing leaves.

Sandbox accounts live in a world (`world.py`) in which they can write to each other, from any process with the same
Redis. An account is reached at its phone's digits, or at its login: `+15005559999`, `@ada`. Logins and recipients
with magic numbers misbehave (`magic.py`; the tables are in docs/messengers.md): codes are right when they are 12345,
passwords when they are `sandbox`.
"""

from typing import Any, ClassVar, Literal

from messengers.port import Account, Sink
from messengers.sandbox.connection import SandboxConnection
from messengers.sandbox.magic import RIGHT_CODE, RIGHT_PASSWORD
from messengers.sandbox.people import Somebody
from messengers.sandbox.world import Conflict, Home, World
from schema.types.messenger_accounts import MessengerSource


class SandboxDriver:
    name: ClassVar[str] = "sandbox"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset(MessengerSource)
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]] = frozenset(
        {"qr", "code", "pairing", "password"}
    )
    idempotent: ClassVar[bool] = True
    renews: ClassVar[float] = 4.0

    def __init__(self, world: World) -> None:
        self.world = world

    def connect(self, account: Account, sink: Sink) -> SandboxConnection:
        return SandboxConnection(account, sink, self.world)

    async def close(self) -> None:
        await self.world.close()


def driver(settings: Any) -> SandboxDriver:
    """Of `postern.settings.Settings`: where Redis is, and how long a moment lasts."""
    url = settings.redis_url
    return SandboxDriver(World(url.get_secret_value() if url else None, settings.sandbox_moment))


__all__ = [
    "RIGHT_CODE",
    "RIGHT_PASSWORD",
    "Conflict",
    "Home",
    "SandboxConnection",
    "SandboxDriver",
    "Somebody",
    "World",
    "driver",
]
