"""An exchange on loopback, a driver whose children use the stand-in library, and accounts of it."""

import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from messengers.port import Account
from messengers.whatsapp import WhatsApp
from messengers.whatsapp.connection import Connection
from messengers.whatsapp.process import Bounds
from shapes.messenger_accounts import AccountState
from tests.messengers.recorder import Live
from tests.messengers.rig import How
from tests.messengers.rigs.whatsapp import WhatsAppRig
from tests.support.waits import until
from tests.whatsapp.exchange import Exchange, exchange

S = AccountState
Make = Callable[..., Awaitable["One"]]


class One(Live):
    """An account, with a look at its child."""

    connection: Connection

    @property
    def pid(self) -> int:
        child = self.connection._child
        assert child is not None
        return child.process.pid

    @property
    def folder(self) -> Path:
        assert self.connection._folder is not None
        return self.connection._folder.path

    async def came_to(self, state: AccountState, code: str | None = None) -> None:
        """It is told, at some time from now on or before."""
        await until(
            lambda: any(change.state is state and code in (None, change.code) for change in self.told.changes)
        )


@pytest.fixture
async def messenger() -> AsyncIterator[Exchange]:
    async with exchange() as made:
        yield made


@pytest.fixture
async def rig(
    request: pytest.FixtureRequest, messenger: Exchange, tmp_path: Path
) -> AsyncIterator[WhatsAppRig]:
    made = WhatsAppRig(messenger)
    messenger.pause = 30
    made.driver = WhatsApp(
        command=(sys.executable, "-m", "tests.whatsapp.stage", str(messenger.port)), base_folder=tmp_path
    )
    yield made
    await made.driver.close()
    if request.node.get_closest_marker("leaves_events"):
        for left in tmp_path.glob("postern-whatsapp-*/*/left.db"):
            shutil.rmtree(left.parents[1])
    assert not list(tmp_path.glob("postern-whatsapp-*"))


@pytest.fixture
async def new_account(rig: WhatsAppRig) -> AsyncIterator[Make]:
    """`await new_account()` gives a new account that works; `how`, `start`, `bounds`, `session` and others of Account
    as given.
    """
    made: list[One] = []

    async def make(
        how: How = How.qr, *, start: bool = True, bounds: Bounds | None = None,
        command: tuple[str, ...] | None = None, account: Account | None = None, **more: object,
    ) -> One:  # fmt: skip
        driver = rig.driver
        if bounds is not None or command is not None:
            driver = WhatsApp(
                command=command or driver._command, bounds=bounds or Bounds(), base_folder=driver._where
            )
        account = replace(account or rig.account(how), **more)  # type: ignore[arg-type]
        rig.messenger.pause = 30
        one = One(rig, account)
        driver._process_folder = rig.driver._process_folder
        one.connection = driver.connect(account, one.told)
        made.append(one)
        if start and account.session is None:
            await one.log_in(how)
        elif start:
            await one.start()
            await one.at(S.working)
        return one

    yield make
    for live in made:
        await live.connection.close()
        assert not live.told.wrong


def gone(pid: int) -> bool:
    """It has ended; a zombie that nobody waited for yet counts."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True
