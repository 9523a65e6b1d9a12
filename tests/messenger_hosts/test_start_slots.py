"""Accounts whose drivers run child processes start a few at a time, as the machine allows."""

import asyncio
from functools import partial

import pytest

from engine.messengers import start_slots
from messengers.port import Change
from shapes.messenger_accounts import AccountState
from tests.messenger_hosts.scripted import Connection, Scripted, use, works
from tests.support.hosts import account, becomes, clear, row, want
from tests.support.waits import PATIENCE, until


class Children(Scripted):
    """A driver like that of WhatsApp: `start` returns at once, and the child reports later."""

    runs_processes = True

    def __init__(self) -> None:
        super().__init__(self._begin)
        self.starting = self.most = 0
        self.go = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def _begin(self, connection: Connection) -> None:
        await connection.sink.changed(Change(AccountState.starting))
        self._tasks.add(asyncio.create_task(self._child(connection)))

    async def _child(self, connection: Connection) -> None:
        self.starting += 1
        self.most = max(self.most, self.starting)
        await self.go.wait()
        await asyncio.sleep(0.05)
        self.starting -= 1
        await works(connection)


async def test_a_start_lasts_until_the_driver_has_reported(services, ada, host, monkeypatch):
    """All twelve would start at once if a slot was free again as soon as `start` returns."""
    monkeypatch.setattr(start_slots, "processors", lambda: 1)
    monkeypatch.setattr(start_slots, "load", lambda: 0.0)
    monkeypatch.setattr(start_slots, "BOUND_SECONDS", 2 * PATIENCE)
    driver = use(host, Children())
    ids = [await account(services, ada.id, f"ada-{number}") for number in range(12)]
    await until(lambda: driver.starting == 2)
    # An account that waits for a slot is stopped at once.
    waiting = next(id for id in reversed(ids) if not driver.of(id))
    await becomes(services, waiting, "starting")
    await want(services, waiting, False)
    await becomes(services, waiting, "stopped")
    driver.go.set()
    for id in set(ids) - {waiting}:
        await becomes(services, id, "working")
    assert driver.most == 2
    assert len(driver.made) == 11


async def test_accounts_that_are_logged_out_start_a_few_at_a_time(services, ada, host, monkeypatch):
    """Their child processes started all at once, as when a user with many accounts is deleted."""
    monkeypatch.setattr(start_slots, "processors", lambda: 1)
    monkeypatch.setattr(start_slots, "load", lambda: 0.0)
    use(host, Scripted())
    ids = [await account(services, ada.id, f"ada-{number}") for number in range(8)]
    for id in ids:
        await becomes(services, id, "working")
        await want(services, id, False)
    for id in ids:
        await becomes(services, id, "stopped")
    children = use(host, Children())
    for id in ids:
        await clear(services, id)
    await until(lambda: children.starting == 2)
    children.go.set()
    for id in ids:
        await until(partial(_cleared, services, id))
    assert children.most == 2
    assert [connection.did for connection in children.made] == [["forget"]] * len(ids)


async def test_a_logout_that_waits_for_its_slot_is_left_to_the_next_process(services, ada, host, monkeypatch):
    monkeypatch.setattr(start_slots, "processors", lambda: 1)
    monkeypatch.setattr(start_slots, "load", lambda: 1000.0)
    driver = use(host, Scripted())
    first, second = [await account(services, ada.id, name) for name in ("one", "two")]
    for id in (first, second):
        await becomes(services, id, "working")
        await want(services, id, False)
        await becomes(services, id, "stopped")
    children = use(host, Children())
    for id in (first, second):
        await clear(services, id)
    await until(lambda: len(host.runners) == 2 and children.starting == 1)
    waiting = next(id for id in (first, second) if not children.of(id))
    host.runners[waiting].leave()
    await until(lambda: waiting not in host.runners or children.of(waiting))
    assert not await _cleared(services, waiting)
    assert (await row(services, waiting))["session_encrypted"] is not None
    assert len(driver.made) == 2
    children.go.set()
    for id in (first, second):  # this host takes it again
        await until(partial(_cleared, services, id))


async def _cleared(services, id):
    return not (await row(services, id))["clearing"]


@pytest.mark.parametrize(
    ("processors", "of_host", "load", "most"),
    [
        (2, 2, 0.5, 4),
        (2, 2, 6.0, 2),
        (2, 2, 60.0, 1),
        (64, 64, 1.0, 20),
        (1, 1, 0.0, 2),
        (2, 64, 60.0, 4),  # a container of a host that is busy, but not too much
        (2, 64, 192.0, 2),
    ],
)
def test_the_machine_bounds_the_starts(monkeypatch, processors: int, of_host: int, load: float, most: int):
    monkeypatch.setattr("os.cpu_count", lambda: of_host)
    monkeypatch.setattr(start_slots, "processors", lambda: processors)
    monkeypatch.setattr(start_slots, "load", lambda: load)
    assert start_slots.most_processes() == most
