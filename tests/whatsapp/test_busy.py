"""Children beside an event loop that stands still: they live as long as the account's lease, and restart a few at a
time.
"""

import os
import signal
import time

import pytest

from engine.messengers import leases, start_slots
from messengers.whatsapp.process import Bounds, Child
from runtime import leases as renewal
from tests.support.hosts import becomes
from tests.support.waits import PATIENCE, until
from tests.whatsapp.conftest import gone
from tests.whatsapp.hosted import Hosted

pytestmark = pytest.mark.rotating

FENCES = "SELECT array_agg(DISTINCT fence) FROM messenger_holds"


@pytest.fixture
def hosted(services, rig, tmp_path):
    return Hosted(services, rig, tmp_path)


@pytest.mark.alone
async def test_a_busy_loop_loses_no_child(ada, hosted):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        child = hosted.live.connection._child
        child.bounds = Bounds(stuck=4.0)  # its answers are not read either while the loop is busy
        time.sleep(12)
        await hosted.services.db.fetch(
            "SELECT pg_sleep(1)"
        )  # in which the host looks at its leases several times
        assert not gone(child.process.pid)
        assert hosted.live.connection._child is child
        assert await hosted.services.db.fetchval(FENCES) == [1]


@pytest.mark.alone
@pytest.mark.leaves_events
async def test_the_children_of_a_loop_that_hangs_end_with_its_leases(ada, hosted, monkeypatch):
    """Nothing in this process could end them, and another process may take the account."""
    monkeypatch.setattr(renewal, "LOOP_SECONDS", 1.0)
    monkeypatch.setattr(leases, "LEASE_SECONDS", 6.0)
    monkeypatch.setattr(leases, "VALID_SECONDS", 4.5)
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        pid = hosted.live.connection._child.process.pid
        time.sleep(15)
        assert gone(pid)


async def test_children_that_crashed_restart_a_few_at_a_time(ada, services, rig, hosted, monkeypatch):
    monkeypatch.setattr(start_slots, "most_processes", lambda: 1)
    monkeypatch.setattr(start_slots, "BOUND_SECONDS", 2 * PATIENCE)
    async with hosted.in_host():
        ids = [await hosted.log_in(ada.id, f"ada-{number}") for number in range(4)]
        connections = [hosted.host.runners[id].connection for id in ids]
        first = {connection._child for connection in connections}
        again, most, start = [], [], Child.start.__func__

        async def counted(*arguments):
            child = await start(Child, *arguments)
            again.append(child)
            most.append(sum(not (each.hello.is_set() or each.over.is_set()) for each in again))
            return child

        monkeypatch.setattr(Child, "start", counted)
        for child in first:
            os.kill(child.process.pid, signal.SIGSEGV)
        await until(lambda: not first & {connection._child for connection in connections})
        for id in ids:
            await becomes(services, id, "working")
        assert max(most) == 1
