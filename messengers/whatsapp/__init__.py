"""The WhatsApp driver: a linked device through neonize (whatsmeow, in Go), one child process per account.

A nil pointer in Go ends its process, so no account shares a process with another account or with the server. The driver
and the child exchange the frames of frames.py; the driver's process imports nothing of the library. The library is an
optional extra: `make setup-whatsapp`.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Literal

from messengers.port import Account, Sink
from messengers.whatsapp.binding import HOW, missing
from messengers.whatsapp.connection import Connection
from messengers.whatsapp.folder import ProcessFolder
from messengers.whatsapp.process import COMMAND, Bounds
from shapes.messenger_accounts import MessengerSource

__all__ = ["DriverMissing", "WhatsApp", "driver", "missing"]


class DriverMissing(ValueError):
    """The message says what the machine lacks, and how to get it."""


class WhatsApp:
    """The driver `whatsapp`. `command` starts a child; tests use it to replace neonize by a simulated library."""

    name: ClassVar[str] = "whatsapp"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset({MessengerSource.whatsapp})
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]] = frozenset({"qr", "pairing"})
    # The library chooses a message's ID itself. Sent messages are recorded, and found again after a crash of the child;
    # if the driver's process is killed, the last half minute of these records is lost.
    idempotent: ClassVar[bool] = False
    renews: ClassVar[float] = 10.0
    runs_processes: ClassVar[bool] = True

    def __init__(
        self, *, command: Sequence[str] = COMMAND, bounds: Bounds = Bounds(), base_folder: Path | None = None
    ) -> None:
        self._command, self._bounds, self._where = tuple(command), bounds, base_folder
        self._process_folder: ProcessFolder | None = None

    def connect(self, account: Account, sink: Sink) -> Connection:
        if self._process_folder is None:
            self._process_folder = ProcessFolder(self._where)
        return Connection(account, sink, self._process_folder, self._command, self._bounds)

    async def close(self) -> None:
        if self._process_folder is not None:
            with suppress(OSError):
                self._process_folder.close()
            self._process_folder = None


def driver(settings: Any = None) -> WhatsApp:
    """Makes the driver. Raises DriverMissing, with instructions, when this machine can't run it."""
    if (what := missing()) is not None:
        raise DriverMissing(f"The WhatsApp driver can't run here: {what} {HOW}")
    return WhatsApp()
