"""Worker processes die, freeze and lose their database: every event arrives, under one id, its thread in order."""

import asyncio
import itertools
import signal
from collections.abc import Sequence
from urllib.parse import urlsplit

import asyncpg
import pytest

from core.settings import Settings
from tests.support import prefork, servers
from tests.support.waits import PATIENCE, freeze, until
from tests.webhooks.conftest import Spawn
from tests.webhooks.receiver import Call, Receiver
from tests.webhooks.world import World

pytestmark = pytest.mark.rotating

EVENTS, THREADS = 60, 6
LEASE = 2.0  # of one that is to die

_END = "SELECT pg_terminate_backend(pid, $2::bigint) FROM pg_stat_activity WHERE datname = $1"


@pytest.fixture
async def events(world: World, receiver: Receiver) -> None:
    """Sixty events in six threads wait for the receiver."""
    await world.hook(receiver.url)
    for n in range(EVENTS // THREADS):
        for thread in range(THREADS):
            await world.say(f"{n}", thread=f"t{thread}")


def once_each(calls: Sequence[Call]) -> dict[str, list[str]]:
    """Returns the texts that arrived of each thread, without repetitions under the same id."""
    texts: dict[str, list[str]] = {}
    seen: set[str] = set()
    for call in calls:
        if call.id not in seen:
            seen.add(call.id)
            texts.setdefault(call.json["thread"], []).append(call.json["text"])
    return texts


COMPLETE = {f"t{thread}": [str(n) for n in range(EVENTS // THREADS)] for thread in range(THREADS)}


async def ended(child: prefork.Process) -> int:
    async with asyncio.timeout(PATIENCE):
        return await child.ended()


async def test_a_worker_delivers_what_is_put_while_it_runs(
    world: World, receiver: Receiver, spawn: Spawn
) -> None:
    """The job wakes the worker: this is the whole way as it runs."""
    await world.hook(receiver.url)
    child = spawn()
    for n in range(20):
        await world.say(f"{n}")
        await receiver.got(n + 1)
    assert receiver.texts() == [f"{n}" for n in range(20)]
    await world.empty()
    child.terminate()
    assert await ended(child) == 0


@pytest.mark.usefixtures("events")
async def test_killed_between_the_answer_and_its_writing_down(
    world: World, receiver: Receiver, spawn: Spawn
) -> None:
    child = spawn(LEASE, FAULT_AT="webhook.taken")
    assert await ended(child) == -signal.SIGKILL
    assert len(receiver.calls) == 1
    assert (await world.counts())[0] == EVENTS
    spawn()
    await world.empty()
    ids = [call.id for call in receiver.calls]
    assert len(ids) == EVENTS + 1
    assert ids.count(ids[0]) == 2
    assert once_each(receiver.calls) == COMPLETE


@pytest.mark.usefixtures("events")
async def test_killed_again_and_again(world: World, receiver: Receiver, spawn: Spawn) -> None:
    receiver.delay = 0.02
    for count in (5, 20, 40):
        child = spawn(LEASE)
        await until(lambda count=count: len({call.id for call in receiver.calls}) >= count)
        child.send_signal(signal.SIGKILL)
        await ended(child)
    spawn()
    await world.empty()
    assert once_each(receiver.calls) == COMPLETE


@pytest.mark.usefixtures("events")
async def test_killed_while_its_receiver_refuses_some_and_is_down(
    world: World, receiver: Receiver, spawn: Spawn
) -> None:
    """One request in ten is refused, each event once; then the receiver is away until it counts as down."""
    refused: set[str] = set()

    answers = itertools.count(1)  # calls that come at once are answered one after another

    def answer(call: Call) -> int:
        if next(answers) % 10 == 5 and call.id not in refused:
            refused.add(call.id)
            return 500
        return 200

    receiver.answer, receiver.delay = answer, 0.02
    for count in (5, 20):
        child = spawn(LEASE)
        await until(lambda count=count: len(receiver.taken) >= count)
        child.send_signal(signal.SIGKILL)
        await ended(child)
    child = spawn(LEASE)
    await until(lambda: len(receiver.taken) >= 25)
    await receiver.stop()
    child.send_signal(signal.SIGKILL)
    await ended(child)
    spawn(LEASE)
    await asyncio.sleep(1)
    await receiver.start()
    await world.empty()
    assert refused
    assert once_each(receiver.taken) == COMPLETE


@pytest.mark.usefixtures("events")
async def test_one_that_froze_and_wakes_finds_its_endpoint_gone(
    world: World, receiver: Receiver, spawn: Spawn
) -> None:
    receiver.delay = 0.05
    child = spawn(LEASE)
    await receiver.tried(3)
    freeze(child.pid)
    spawn()
    await world.empty()
    before = len(receiver.calls)
    child.send_signal(signal.SIGCONT)
    await world.say("after it", thread="t0")
    await until(lambda: "after it" in receiver.texts())
    child.terminate()
    assert await ended(child) == 0
    assert once_each(receiver.calls) == {**COMPLETE, "t0": [*COMPLETE["t0"], "after it"]}
    # What was on its way when it froze may come once more; nothing that it still had in memory does.
    assert len(receiver.calls) <= before + 1 + 8


@pytest.mark.usefixtures("events")
async def test_a_stop_gives_the_endpoint_back_at_once(world: World, receiver: Receiver, spawn: Spawn) -> None:
    """The lease is ten minutes: the next process would wait for it."""
    receiver.delay = 0.05
    child = spawn(600)
    await receiver.tried(3)
    child.terminate()
    assert await ended(child) == 0
    assert (await world.counts())[0] > 0
    spawn()
    await world.empty()
    assert once_each(receiver.calls) == COMPLETE
    assert len(receiver.calls) == EVENTS


@pytest.mark.usefixtures("events")
async def test_the_database_goes_away_meanwhile(
    world: World, receiver: Receiver, database: str, settings: Settings
) -> None:
    """Delivered events are remembered until that can be stored: nothing is sent twice."""
    assert settings.db_string is not None
    name = urlsplit(database).path.lstrip("/")
    receiver.delay = 0.01
    other = await asyncpg.connect(servers.named(database, "postgres"))
    async with world.delivering():
        await receiver.tried(10)
        await other.execute(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS false')
        # And waits until they have ended: one that has not yet would still take our next statement, and fail.
        await other.execute(_END, name, int(PATIENCE * 1000))
        await until(lambda: receiver.busy == 0 and len(receiver.calls) >= 10)
        await other.execute(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS true')
        await other.close()
        await world.empty()
    assert once_each(receiver.calls) == COMPLETE
    assert len(receiver.calls) == EVENTS
