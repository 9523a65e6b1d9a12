"""A WhatsApp account under the real host and its real sink, for tests of stops and crashes."""

import sqlite3
from contextlib import asynccontextmanager, closing
from types import SimpleNamespace
from uuid import uuid4

from engine.messengers.host import hosting
from messengers.port import Outgoing
from messengers.whatsapp.folder import DEVICE, ProcessFolder
from shapes.messenger_accounts import AccountState, MessengerDriver
from tests.support.hosts import account, becomes, row, want
from tests.support.waits import until
from tests.whatsapp.exchange import phone


class Hosted:
    """An account that is logged in and works, in a host that can be replaced by another."""

    def __init__(self, services, rig, tmp_path):
        self.services, self.rig, self.tmp_path = services, rig, tmp_path
        self.host = None
        self.id = None

    @asynccontextmanager
    async def in_host(self):
        async with hosting(self.services) as host:
            host.drivers._drivers[MessengerDriver.whatsapp] = self.rig.driver
            host.drivers.close = _nothing
            self.host = host
            yield

    async def log_in(self, owner, login="ada"):
        """Logs an account in, which the other methods are about from now on, and returns its id."""
        self.id = await account(self.services, owner, login, source="whatsapp", driver="whatsapp")
        self.rig.phones[self.id] = phone()
        await becomes(self.services, self.id, "waitQr")
        value = await until(lambda: self.live.value)
        await self.rig.admit(SimpleNamespace(id=self.id), value)
        await becomes(self.services, self.id, "working")
        return self.id

    @property
    def live(self):
        return self.host.runners[self.id]

    @property
    def works(self):
        connection = self.live.connection
        return connection is not None and connection._state is AccountState.working

    async def send(self, peer, count):
        for number in range(count):
            await self.live.connection.send(Outgoing(uuid4(), peer.to, f"text {number}"))

    async def off(self):
        await want(self.services, self.id, False)
        await becomes(self.services, self.id, "stopped")
        await until(lambda: self.id not in self.host.runners)

    async def on(self):
        await want(self.services, self.id, True)
        await becomes(self.services, self.id, "working")

    async def stored(self):
        sealed = (await row(self.services, self.id))["session_encrypted"]
        return sealed and self.services.vault.open(sealed, f"messenger_accounts.session:{self.id}")

    async def steps(self, session=None):
        """The counter of the Signal session with the only person who was written to; None: there is none."""
        ground = ProcessFolder(self.tmp_path)
        try:
            folder = ground.folder()
            folder.unpack(session or await self.stored())
            return _steps(folder.path / DEVICE)
        finally:
            ground.close()

    async def texts(self):
        """The texts that came in, in the order in which they were stored."""
        rows = await self.services.db.fetch(
            "SELECT text FROM messenger_messages WHERE account_id = $1 AND NOT outgoing ORDER BY seq", self.id
        )
        return [row["text"] for row in rows]

    @property
    def live_steps(self):
        return _steps(self.live.connection._folder.path / DEVICE)


def _steps(path):
    with closing(sqlite3.connect(path)) as opened:
        row = opened.execute("SELECT steps FROM whatsmeow_sessions").fetchone()
    return row and row[0]


async def _nothing():
    """The driver is the test's."""
