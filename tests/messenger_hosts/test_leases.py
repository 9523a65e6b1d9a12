"""One process and what it holds: one life an account, whatever database, clock and network do."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.ids import uuid7
from db.session import Database
from engine.messengers import call_handler, leases
from engine.messengers.host import Host
from engine.messengers.leases import Leases
from messengers.port import Change
from shapes.messenger_accounts import AccountState
from tests.messenger_hosts.scripted import Scripted, use
from tests.messenger_hosts.test_live import sends
from tests.support.hosts import account, becomes, row, want
from tests.support.tcp import Network, serving
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.rotating

EXPIRED = "UPDATE messenger_holds SET expires_at = '-infinity' WHERE account_id = $1"


@pytest.fixture
async def network(services) -> AsyncIterator[Network]:
    there = urlsplit(services.db.url)
    made = Network(there.hostname, there.port)
    async with serving(made.serve) as made.port:
        yield made


def through(network: Network, services) -> Database:
    """The same database, on the other side of it."""
    there = urlsplit(services.db.url)
    netloc = f"{there.netloc.rpartition('@')[0]}@127.0.0.1:{network.port}"
    # Without TLS, whose beginning asyncpg leaves half open when it is cancelled.
    options = services.db.options.model_copy(update={"tls": "disable"})
    return Database(there._replace(netloc=netloc).geturl(), options)


# a connection to the database


@pytest.mark.alone
async def test_a_connection_that_died_silently_does_not_keep_a_renewal(services, ada, network, monkeypatch):
    """Given back to its pool it would be waited for: twenty seconds, of which a hold lasts ten."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", 1.0)  # of which a statement may take half
    monkeypatch.setattr(leases, "VALID_SECONDS", PATIENCE)
    ours = Leases(through(network, services))
    await account(services, ada.id)
    (hold,) = await ours.acquire()

    def renewed() -> Any:
        return ours.thread.run(lambda connection: ours.renew(connection, [hold]), leases.LEASE_SECONDS / 2)

    for event in (
        renewed(),
        asyncio.wait_for(ours.acquire(), 0.2),
    ):  # bounded by itself, and by its caller
        assert network.silence() > 0
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            await event
        # Half a second, and a fifth. To wait for what is dead takes at least as long as a statement may.
        assert time.monotonic() - begun < 5
        await services.db.fetch("UPDATE messenger_holds SET expires_at = now() + interval '1 hour'")
        assert await renewed() == {hold}  # on another connection
    await ours.close()


# one life an account


async def test_a_clock_of_the_database_that_steps_forward_makes_no_second_life(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    first = host.runners[id]
    looks = looking(host)
    await services.db.fetch(EXPIRED, id)
    host.woken(id)
    await until(lambda: len(looks) > 1)
    await until(lambda: not driver.made[0].open)  # the next renewal finds out
    await until(lambda: host.runner_of(id) not in (first, None))
    await until(lambda: len(driver.made) == 2 and driver.made[1].open)
    await want(services, id, False)
    await becomes(services, id, "stopped")
    await until(lambda: not host.runners and id not in host.leases)  # given back a moment after its life
    assert [connection.open for connection in driver.made] == [
        False,
        False,
    ]  # a start beside another fails, and is tried again


def looking(host: Host) -> list[Any]:
    """Collects the answers of every `take` from now on."""
    taken: list[Any] = []
    take = host.leases.acquire

    async def seen(most: int = 25, *, excluding: Any = ()) -> Any:
        taken.append(await take(most, excluding=excluding))
        return taken[-1]

    host.leases.acquire = seen  # type: ignore[method-assign]
    return taken


async def test_a_hold_that_runs_out_while_another_is_asked_for_makes_no_second_life(services, ada, host):
    """The answer comes late, and the old connection is still closing."""
    driver = use(host, Scripted())
    driver.slow_close = 1.0
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    first, take = host.runners[id], host.leases.acquire
    taking, go = asyncio.Event(), asyncio.Event()

    async def late(most: int = 25, *, excluding: Any = ()) -> Any:
        taking.set()
        await go.wait()
        return await take(most, excluding=excluding)

    host.leases.acquire = late  # type: ignore[method-assign]
    host.woken(id)
    await taking.wait()
    await services.db.fetch(EXPIRED, id)
    first.lease.lost = True
    await until(lambda: not driver.made[0].open)
    go.set()
    await until(lambda: host.runner_of(id) not in (first, None))
    await until(lambda: len(driver.made) == 2 and driver.made[1].open)
    assert not first._disconnect_tasks
    await want(services, id, False)
    await becomes(services, id, "stopped")
    await until(lambda: not host.runners and id not in host.leases)  # given back a moment after its life


async def test_what_is_taken_though_it_is_here_is_left_alone_until_its_lease_is_over(
    services, ada, host, monkeypatch
):
    """It can't be. If it is, the account still has no two connections, and its hold is not renewed."""
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    first, take = host.runners[id], host.leases.acquire
    taken: list[Any] = []

    async def nothing() -> None: ...

    monkeypatch.setattr(host._renewal, "once", nothing)  # it would find out first

    async def anything(most: int = 25, *, excluding: Any = ()) -> Any:
        taken.extend(await take(most))
        return list(taken)

    host.leases.acquire = anything  # type: ignore[method-assign]
    await services.db.fetch(EXPIRED, id)
    host.woken(id)
    await until(lambda: taken)
    host.leases.acquire = take  # type: ignore[method-assign]
    await until(lambda: id not in host.runners)
    assert [connection.open for connection in driver.made] == [False]
    assert not first.lease.valid
    assert taken[0].lost
    assert id not in host.leases
    await services.db.fetch(EXPIRED, id)  # ten seconds later
    await until(lambda: host.runner_of(id) is not None)


# in good order


async def test_what_is_told_while_sends_come_to_their_end_is_written(services, ada, host, monkeypatch):
    monkeypatch.setattr(call_handler, "_LEAVE_SECONDS", PATIENCE)  # that the send at work has left
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    connection = driver.made[0]
    driver.gate.clear()
    sending = sends(services, id, "@bob", "wait", 1)
    await until(lambda: ("begin", "@bob", "wait") in connection.did)
    life = host.runners[id]
    closing = life.calls.close
    begun = asyncio.Event()

    async def close() -> None:
        begun.set()
        await closing()

    life.calls.close = close  # type: ignore[method-assign]
    await want(services, id, False)
    await begun.wait()
    await connection.sink.apply_events(
        [], {"pts": 11}
    )  # raised Lost, and a driver that hears it ends its connection
    assert (await row(services, id))["cursor"] == {"pts": 11}
    assert connection.open
    driver.gate.set()
    assert (await sending)["provider_id"]
    await becomes(services, id, "stopped")


async def test_a_start_is_told_once(services, ada, host):
    """The driver says so too, and that is no other start."""

    async def start(connection: Any) -> None:
        await connection.sink.changed(Change(AccountState.starting))
        await connection.sink.changed(Change(AccountState.working))

    use(host, Scripted(start))
    id = await account(services, ada.id, wanted=False)
    await services.db.fetch(
        "INSERT INTO webhooks (id, account_id, url, secret_encrypted, owner_id)"
        " VALUES ($1, $2, 'http://x.test/', 'x', $3)",
        uuid7(),
        id,
        ada.id,
    )
    await want(services, id, True)
    await becomes(services, id, "working")
    rows = await services.db.fetch("SELECT body FROM webhook_deliveries ORDER BY seq")
    states = [str(event["body"]) for event in rows]
    assert len([state for state in states if "starting" in state]) == 1
