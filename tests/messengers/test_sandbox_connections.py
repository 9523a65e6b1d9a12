"""One connection an account, also if several processes have the sandbox's simulation."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from core.installation import ROOT
from messengers.port import MessengerError, Outgoing
from messengers.sandbox import Home, SandboxDriver, Simulation, Somebody
from messengers.sandbox.simulator import simulation as sandbox_simulation
from messengers.sandbox.simulator.connections import Link
from tests.messengers.recorder import Live
from tests.messengers.rig import How
from tests.messengers.rigs.sandbox import SandboxRig
from tests.messengers.sandbox_accounts import TELEGRAM, S, account
from tests.support import servers
from tests.support.waits import PATIENCE, freeze, until

pytestmark = pytest.mark.servers


@pytest.mark.parametrize("shared", [True, False], ids=["redis", "alone"])
async def test_two_live_connections_of_one_account_are_noticed(simulation: Simulation, shared: bool):
    async with Simulation(None, 0.05) as alone, Simulation(servers.redis_url(), 0.05) as other:
        there, here = (other, simulation) if shared else (alone, alone)
        async with account(there) as one:
            await one.log_in(How.session)
            await there.join(one.connection._link)  # as a client does that has heard no answer
            assert not await here.conflicts()
            two = Live(SandboxRig(TELEGRAM, here), replace(one.account, session=one.told.sessions[-1]))
            await two.log_in(How.session)
            [conflict] = await here.conflicts()
            assert (conflict.kind, conflict.account) == ("second", str(one.account.id))
            assert conflict.holder.startswith(f"{os.getpid()}-")
            assert conflict.holder != conflict.other
            assert await there.conflicts() == [conflict]
            assert len(await here.live(one.account.id)) == 2
            await two.connection.close()


async def test_one_after_the_other_is_no_conflict(simulation: Simulation):
    async with Simulation(servers.redis_url(), 0.05) as other, account(simulation) as first:
        one = first
        await one.log_in(How.session)
        for turn in range(6):
            await one.connection.close()
            one = await one.again()
            one.connection = SandboxDriver(other if turn % 2 else simulation).connect(one.account, one.told)
            await one.start()
            if turn % 3:
                await one.at(S.working)
        await one.connection.close()
        assert not await simulation.conflicts()
        assert not await simulation.live(one.account.id)


async def test_who_uses_a_connection_that_another_has_replaced_is_noticed(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
):
    # A beat would bring the place back, or find out first that it is gone.
    monkeypatch.setattr(sandbox_simulation, "BEAT_SECONDS", 3600.0)
    async with account(simulation) as one:
        await one.log_in(How.session)
        line = one.connection._link
        await simulation._shared.leave(str(one.account.id), line.token)  # as if it had not beaten for long
        usurper = Link(line.home, one.account.id, "0-0")
        await simulation.join(usurper)
        assert not await simulation.conflicts()
        with pytest.raises(MessengerError) as caught:
            await one.connection.send(Outgoing(uuid4(), "+14155550100", "too late"))
        assert caught.value.code == "messenger_unavailable"
        assert {conflict.kind for conflict in await simulation.conflicts()} == {"stale"}
        await simulation.leave(usurper)


@asynccontextmanager
async def resident(one: Live) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process of its own that holds the account, and has said that it works."""
    session = one.told.sessions[-1] if one.told.sessions else ""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.messengers.resident",
        servers.redis_url(),
        str(one.account.id),
        one.account.login,
        session,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        await printed(child, "working")
        yield child
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.communicate()


async def printed(child: asyncio.subprocess.Process, what: str) -> None:
    assert child.stdout is not None
    async with asyncio.timeout(60):
        while (line := (await child.stdout.readline()).decode().strip()) != what:
            assert line or child.returncode is None, "it ended"


async def test_another_process_gets_what_is_written_here(simulation: Simulation):
    async with account(simulation) as one, account(simulation) as two:
        await one.log_in(How.session)
        async with resident(two) as child:
            await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "over there"))
            await printed(child, "over there")
            assert len(await simulation.live(two.account.id)) == 1
            home = Home(TELEGRAM, two.account.login)
            await Somebody(simulation, Home(TELEGRAM, "16660000002"), home).write("me too")
            await printed(child, "me too")


async def test_a_process_that_was_killed_is_soon_no_conflict(simulation: Simulation):
    async with account(simulation) as one:
        async with resident(one) as child:
            child.send_signal(signal.SIGKILL)
            await child.wait()

        async def gone() -> bool:
            return not await simulation.live(one.account.id)

        await until(gone)
        await one.log_in(How.session)
        assert not await simulation.conflicts()


async def test_a_process_that_was_frozen_finds_its_connection_gone(simulation: Simulation):
    async with account(simulation) as one, resident(one) as child:
        freeze(child.pid)

        async def gone() -> bool:
            return not await simulation.live(one.account.id)

        await until(gone)
        await one.log_in(How.session)
        child.send_signal(signal.SIGCONT)
        await printed(child, "lost")
        assert one.told.state is S.working
        assert not await simulation.conflicts()
        assert len(await simulation.live(one.account.id)) == 1


async def test_what_is_called_before_it_listens_waits_for_that(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
):
    """A code that is scanned as soon as it is shown, by a process that has just begun."""
    assert simulation._shared is not None
    listen, go_on = simulation._shared.listen, asyncio.Event()

    async def slowly(*arguments: Any) -> None:
        await go_on.wait()
        await listen(*arguments)

    monkeypatch.setattr(simulation._shared, "listen", slowly)
    simulation.moment = PATIENCE  # the QR that is scanned has not expired by then
    async with account(simulation, "sandbox-unused-1") as one:
        await one.start()
        await asyncio.sleep(0.2)  # long enough to show the code, were it shown
        assert one.told.states == [S.starting]
        go_on.set()
        value = (await one.at(S.waitQr)).value
        await simulation.admit(one.connection.home, value or "")
        await one.at(S.working)
