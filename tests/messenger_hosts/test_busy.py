"""Leases beside an event loop that has much to do: they are kept, unless the loop stands still."""

import asyncio
import time

import pytest

from engine.messengers import leases
from runtime import leases as renewal
from tests.messenger_hosts.scripted import Scripted, use
from tests.support.hosts import account, becomes
from tests.support.waits import until

pytestmark = pytest.mark.rotating

COUNT = 60
FENCES = "SELECT array_agg(DISTINCT fence) FROM messenger_holds"


def spin(seconds: float) -> None:
    """Computes, as rendering or parsing does: the event loop has to wait, and other threads compete for the
    interpreter.
    """
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(1000))


@pytest.mark.alone
async def test_a_busy_loop_loses_no_lease_of_sixty_accounts(services, ada, host):
    """From the start of all on each turn of the loop takes two seconds: a statement needs several turns, and a lease
    is relied on for 8.5 s.
    """
    driver = use(host, Scripted())
    ids = [await account(services, ada.id, f"ada-{number}") for number in range(COUNT)]
    begun = time.monotonic()
    while time.monotonic() - begun < 24:
        spin(2)
        await asyncio.sleep(0)
    for id in ids:
        await becomes(services, id, "working")
    assert len(driver.made) == COUNT
    assert not [connection for connection in driver.made if connection.aborted or not connection.open]
    assert await services.db.fetchval(FENCES) == [1]


@pytest.mark.alone
@pytest.mark.parametrize(("bound", "kept"), [(1.0, False), (60.0, True)])
async def test_a_loop_that_hangs_loses_its_leases_after_the_bound(
    services, ada, host, monkeypatch, bound: float, kept: bool
):
    """A process that hangs is no use to its accounts, although its thread could renew their leases for ever."""
    monkeypatch.setattr(renewal, "LOOP_SECONDS", bound)
    monkeypatch.setattr(leases, "LEASE_SECONDS", 6.0)
    monkeypatch.setattr(leases, "VALID_SECONDS", 4.5)
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    first = host.runners[id]
    time.sleep(15)
    assert first.lease.valid is kept
    if kept:
        await services.db.fetch("SELECT pg_sleep(1)")  # in which the host looks at its leases several times
        assert [connection.open for connection in driver.made] == [True]
    else:
        await until(lambda: driver.made[0].aborted)
        # Only a lease that had expired for the database, too, is taken again.
        await until(lambda: len(driver.made) == 2 and driver.made[1].open)
    assert await services.db.fetchval(FENCES) == [1 if kept else 2]
