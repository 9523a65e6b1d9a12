"""A worker starts with many linked accounts, each with a real child process, while its event loop is busy.

`POSTERN_TEST_ACCOUNTS=60 pytest tests/whatsapp/test_many.py -s` takes some minutes and 40 MiB of memory an account, and
prints how it went.
"""

import asyncio
import os
import time

import pytest

from messengers.whatsapp.process import Child
from shapes.messenger_accounts import AccountState
from tests.messenger_hosts.test_busy import FENCES, spin
from tests.support.waits import PATIENCE
from tests.whatsapp.hosted import Hosted

pytestmark = pytest.mark.rotating

COUNT = int(os.environ.get("POSTERN_TEST_ACCOUNTS", "6"))
SECONDS_EACH = 8.0  # beyond PATIENCE


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.timeout(600 + 20 * COUNT)
async def test_a_busy_start_loses_no_lease_and_no_child(ada, services, rig, tmp_path, monkeypatch):
    hosted = Hosted(services, rig, tmp_path)
    async with hosted.in_host():
        ids = [await hosted.log_in(ada.id, f"ada-{number}") for number in range(COUNT)]
    started, start = [], Child.start.__func__

    async def counted(*arguments):
        started.append(child := await start(Child, *arguments))
        return child

    monkeypatch.setattr(Child, "start", counted)
    fences = await services.db.fetchval(FENCES)
    async with hosted.in_host():
        begun = time.monotonic()
        deadline = begun + PATIENCE + SECONDS_EACH * COUNT

        def working():
            runners = [hosted.host.runners.get(id) for id in ids]
            return [
                runner
                for runner in runners
                if runner is not None
                and runner.connection is not None
                and runner.connection._state is AccountState.working
            ]

        while len(working()) < COUNT and time.monotonic() < deadline:
            spin(1)  # nine tenths of the time
            await asyncio.sleep(0.1)
        seconds, runners = time.monotonic() - begun, working()
        leases = [runner.lease for runner in runners]
        time.sleep(12)
        await services.db.fetch("SELECT pg_sleep(1)")  # in which the host looks at its leases several times
        lost = sum(not lease.valid for lease in leases)
        restarted = len(started) - COUNT
        print(
            f"\n{COUNT} accounts: {len(runners)} work after {seconds:.0f} s; leases lost: {lost};"
            f" children restarted: {restarted}"
        )
        assert (len(runners), lost, restarted) == (COUNT, 0, 0)
        assert await services.db.fetchval(FENCES) == [fence + 1 for fence in fences]
        assert not [child for child in started if child.over.is_set()]
