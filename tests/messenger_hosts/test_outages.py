"""The database goes away and comes back: who can't renew lets go before somebody else could take it."""

import asyncio
from pathlib import Path

import pytest

from engine.messengers import leases
from engine.messengers.host import hosting
from postern.embedded import EmbeddedPostgres
from postern.process import prepare
from runtime.services import open_services
from tests.messenger_hosts.scripted import Scripted, use
from tests.support.hosts import account, becomes
from tests.support.people import People
from tests.support.waits import until

pytestmark = pytest.mark.rotating


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(leases, "LEASE_SECONDS", 4.0)
    monkeypatch.setattr(leases, "VALID_SECONDS", 3.0)


async def test_without_the_database_nobody_stays_connected(settings, tmp_path: Path, short):
    postgres = EmbeddedPostgres(tmp_path / "postgres")
    await asyncio.to_thread(postgres.start)
    own = settings.model_copy(update={"db_string": type(settings.db_string)(postgres.url)})
    services = open_services(own)
    try:
        await prepare(own)
        nobody: object = None
        ada = await People(services, nobody).make("ada@example.com")  # type: ignore[arg-type]
        async with hosting(services) as host:
            driver = use(host, Scripted())
            id = await account(services, ada.id)
            await becomes(services, id, "working")
            await asyncio.to_thread(postgres.stop)
            first = driver.made[-1]
            await until(lambda: not first.open)
            assert first.aborted
            assert host.runner_of(id) is None
            await asyncio.to_thread(postgres.start)
            await until(lambda: driver.made[-1] is not first and driver.made[-1].open)
            await becomes(services, id, "working")
            assert driver.made[-1].account.session == "a session"
    finally:
        await services.close()
        await asyncio.to_thread(postgres.stop)


async def test_what_was_told_meanwhile_waits_for_the_database(settings, tmp_path: Path, monkeypatch):
    """An outage that is shorter than the hold loses nothing and disconnects nobody."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", 700.0)
    monkeypatch.setattr(leases, "VALID_SECONDS", 600.0)
    postgres = EmbeddedPostgres(tmp_path / "postgres")
    await asyncio.to_thread(postgres.start)
    own = settings.model_copy(update={"db_string": type(settings.db_string)(postgres.url)})
    services = open_services(own)
    try:
        await prepare(own)
        nobody: object = None
        ada = await People(services, nobody).make("ada@example.com")  # type: ignore[arg-type]
        async with hosting(services) as host:
            driver = use(host, Scripted())
            id = await account(services, ada.id)
            await becomes(services, id, "working")
            await asyncio.to_thread(postgres.stop)
            telling = asyncio.create_task(driver.made[0].sink.apply_events([], {"pts": 9}))
            await asyncio.sleep(0.2)
            assert not telling.done()
            await asyncio.to_thread(postgres.start)
            await telling
            cursor = await services.db.fetchval("SELECT cursor FROM messenger_accounts WHERE id = $1", id)
            assert cursor == {"pts": 9}
            assert len(driver.made) == 1
            assert driver.made[0].open
    finally:
        await services.close()
        await asyncio.to_thread(postgres.stop)
