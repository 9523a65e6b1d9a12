"""The sandbox driver: simulated accounts for both sources. Everything can be tried, and nothing leaves the server.

Sandbox accounts live in a simulation (`simulator/simulation.py`) in which they can write to each other, from any
process with the same Redis. An account is reached at its phone's digits, or at its login: `+15005559999`, `@ada`. Magic
numbers as logins or recipients cause failures (`simulator/scenarios.py`; the tables are in docs/messengers.md). The
right code is 12345, the right password `sandbox`.
"""

from typing import Any, ClassVar, Literal

from messengers.port import Account, Sink
from messengers.sandbox.connection import SandboxConnection
from messengers.sandbox.simulator.connections import Conflict, Home
from messengers.sandbox.simulator.contacts import Somebody
from messengers.sandbox.simulator.scenarios import RIGHT_CODE, RIGHT_PASSWORD
from messengers.sandbox.simulator.simulation import Simulation
from shapes.messenger_accounts import MessengerSource


class SandboxDriver:
    """The driver `sandbox`; its connections share one Simulation."""

    name: ClassVar[str] = "sandbox"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset(MessengerSource)
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]] = frozenset(
        {"qr", "code", "pairing", "password"}
    )
    idempotent: ClassVar[bool] = True
    renews: ClassVar[float] = 4.0
    runs_processes: ClassVar[bool] = False

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def connect(self, account: Account, sink: Sink) -> SandboxConnection:
        return SandboxConnection(account, sink, self.simulation)

    async def close(self) -> None:
        await self.simulation.close()


def driver(settings: Any) -> SandboxDriver:
    """Makes the driver from `core.settings.Settings`, which say where Redis is and how long a moment lasts."""
    url = settings.redis_url
    return SandboxDriver(Simulation(url.get_secret_value() if url else None, settings.sandbox_moment))


__all__ = [
    "RIGHT_CODE",
    "RIGHT_PASSWORD",
    "Conflict",
    "Home",
    "SandboxConnection",
    "SandboxDriver",
    "Simulation",
    "Somebody",
    "driver",
]
