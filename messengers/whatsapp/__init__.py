"""WhatsApp as a linked device, by neonize (whatsmeow, in Go): each account in a child process of its own.

A nil pointer in Go ends its process, so no account shares one with another, or with us. The child speaks frames.py;
the driver's process imports nothing of the library. It is an optional extra: `make setup-whatsapp`.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Literal

from messengers.port import Account, Sink
from messengers.whatsapp.binding import HOW, missing
from messengers.whatsapp.connection import Connection
from messengers.whatsapp.folder import Ground
from messengers.whatsapp.process import COMMAND, Bounds
from schema.types.messenger_accounts import MessengerSource

__all__ = ["DriverMissing", "WhatsApp", "driver", "missing"]


class DriverMissing(ValueError):
    """What the machine lacks, and how to get it."""


class WhatsApp:
    """`command`: how a child is started; tests start one on a library that stands in for neonize."""

    name: ClassVar[str] = "whatsapp"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset({MessengerSource.whatsapp})
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]] = frozenset({"qr", "pairing"})
    # The library chooses a message's ID itself. What was sent is written down, and found again after a crash of the
    # child; a process that is killed forgets the last half minute of it.
    idempotent: ClassVar[bool] = False
    renews: ClassVar[float] = 10.0

    def __init__(
        self, *, command: Sequence[str] = COMMAND, bounds: Bounds = Bounds(), ground: Path | None = None
    ) -> None:
        self._command, self._bounds, self._where = tuple(command), bounds, ground
        self._ground: Ground | None = None

    def connect(self, account: Account, sink: Sink) -> Connection:
        if self._ground is None:
            self._ground = Ground(self._where)
        return Connection(account, sink, self._ground, self._command, self._bounds)

    async def close(self) -> None:
        if self._ground is not None:
            with suppress(OSError):
                self._ground.close()
            self._ground = None


def driver(settings: Any = None) -> WhatsApp:
    """Raises DriverMissing when this machine can't run it, and says how to change that."""
    if (what := missing()) is not None:
        raise DriverMissing(f"The WhatsApp driver can't run here: {what} {HOW}")
    return WhatsApp()
