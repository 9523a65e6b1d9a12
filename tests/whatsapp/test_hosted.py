"""Sessions of WhatsApp accounts under the real host and its real sink: what a stop keeps, and what a crash must not."""

import sqlite3
from contextlib import asynccontextmanager, closing
from types import SimpleNamespace
from uuid import uuid4

import pytest

from engine.messengers.host import hosting
from messengers.port import Outgoing
from messengers.whatsapp.folder import DEVICE, ProcessFolder
from shapes.messenger_accounts import AccountState, MessengerDriver
from tests.support.hosts import account, becomes, clear, row, want
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

    async def log_in(self, owner):
        self.id = await account(self.services, owner, source="whatsapp", driver="whatsapp")
        self.rig.phones[self.id] = phone()
        await becomes(self.services, self.id, "waitQr")
        value = await until(lambda: self.live.value)
        await self.rig.admit(SimpleNamespace(id=self.id), value)
        await becomes(self.services, self.id, "working")

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

    @property
    def live_steps(self):
        return _steps(self.live.connection._folder.path / DEVICE)


def _steps(path):
    with closing(sqlite3.connect(path)) as opened:
        row = opened.execute("SELECT steps FROM whatsmeow_sessions").fetchone()
    return row and row[0]


async def _nothing():
    """The driver is the test's."""


@pytest.fixture
def hosted(services, rig, tmp_path):
    return Hosted(services, rig, tmp_path)


async def test_an_account_that_is_stopped_goes_on_with_the_counters_that_it_had(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 5)
        await hosted.off()
        assert await hosted.steps() == 5
        await hosted.on()
        await hosted.send(peer, 1)
        assert hosted.live_steps == 6


async def test_a_worker_that_is_stopped_leaves_the_counters_to_the_next(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 5)
    assert await hosted.steps() == 5
    async with hosted.in_host():
        await until(lambda: hosted.id in hosted.host.runners and hosted.works)
        await hosted.send(peer, 1)
        assert hosted.live_steps == 6


async def test_after_a_crash_no_counter_is_used_twice(ada, hosted, rig):
    """A killed process has stored less than it had sent, so the next one makes new Signal sessions."""
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 5)
        await hosted.off()
        await hosted.on()
        await until(lambda: hosted.works)
        stored = await hosted.stored()
        assert await hosted.steps(stored.replace("wa1:", "wa2:", 1)) == 5
        await hosted.send(peer, 3)
        await hosted.off()
        # As if it had been killed after the three: what it kept when it began to work is all that is there.
        sealed = hosted.services.vault.seal(stored, f"messenger_accounts.session:{hosted.id}")
        await hosted.services.db.fetch(
            "UPDATE messenger_accounts SET session_encrypted = $2 WHERE id = $1", hosted.id, sealed
        )
        assert await hosted.steps() is None
        await hosted.on()
        await hosted.send(peer, 1)
        assert hosted.live_steps == 1


async def test_a_session_that_is_cleared_does_not_come_back(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 2)
        await clear(hosted.services, hosted.id)
        await until(lambda: hosted.id not in hosted.host.runners)
        assert await hosted.stored() is None


async def test_a_worker_that_lost_its_account_writes_no_session(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 2)
        before = await hosted.stored()
        hosted.live.abandon()
        await until(lambda: hosted.id not in hosted.host.runners)
        assert await hosted.stored() == before
