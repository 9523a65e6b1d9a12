"""The simulated simulation of the sandbox, which spans processes."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from core.settings import Settings
from messengers.port import Media, Message, Outgoing, Unreachable
from messengers.sandbox import Home, SandboxDriver, Simulation, driver
from messengers.sandbox.simulator import contacts, state
from messengers.sandbox.simulator.simulation import MOST_FILES
from postern.embedded import EmbeddedRedis
from shapes.chats import ChatMessageStatus, ContentKind
from tests.messengers.rig import How
from tests.messengers.sandbox_accounts import TELEGRAM, WHATSAPP, S, account
from tests.support import servers
from tests.support.waits import until

pytestmark = pytest.mark.servers


async def test_two_accounts_write_to_each_other_in_two_processes(simulation: Simulation):
    """The two simulators share nothing but Redis, as in two processes."""
    async with (
        Simulation(servers.redis_url(), 0.05) as other,
        account(simulation) as one,
        account(other, "Ada") as two,
    ):
        await asyncio.gather(one.log_in(How.session), two.log_in(How.session))
        sent = await one.connection.send(Outgoing(uuid4(), "@ada", "hello"))
        [came] = await until(two.told.came)
        assert came.sender == f"+{one.account.login}"
        await until(lambda: ChatMessageStatus.delivered in one.told.statuses(sent.provider_id))
        await two.connection.read(came.thread, came.provider_id)
        await until(lambda: ChatMessageStatus.has_seen in one.told.statuses(sent.provider_id))
        await two.connection.send(Outgoing(uuid4(), came.thread, "yes?", reply_to=came.provider_id))
        [answer] = await until(one.told.came)
        assert (answer.thread, answer.reply_to) == (sent.thread, sent.provider_id)
        [newest, oldest] = await one.connection.history(sent.thread, 10)
        assert (newest.text, oldest.text) == ("yes?", "hello")
        assert oldest.status is ChatMessageStatus.has_seen
        await two.connection.act(came.thread, "typing")
        [act] = await simulation.acts(Home(TELEGRAM, one.account.login))
        assert (act.sender, act.action) == ("ada", "typing")


async def test_telegram_and_whatsapp_are_two_worlds(simulation: Simulation):
    async with account(simulation) as one, account(simulation) as two:
        await asyncio.gather(one.log_in(How.session), two.log_in(How.session))
        there = Home(WHATSAPP, "16660000001")
        await contacts.write(simulation, there, two.account.login, "to a whatsapp account of that number")
        await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "to the telegram account"))
        await until(two.told.came)
        assert [message.text for message in two.told.came()] == ["to the telegram account"]


async def test_a_first_login_is_told_the_past_as_such(simulation: Simulation):
    async with account(simulation) as one, account(simulation) as two:
        await one.log_in(How.session)
        await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "before you came"))
        await two.log_in(How.session)
        [message] = two.told.of(Message)
        assert message.past
        assert not two.told.came()


async def test_a_messenger_that_is_down_is_waited_for(simulation: Simulation):
    async with account(simulation) as one:
        await one.log_in(How.session)
        home = Home(TELEGRAM, one.account.login)
        await simulation.down(home)
        await until(lambda: [change.state for change in one.told.changes].count(S.reconnecting) >= 3)
        assert not await one.connection.probe()
        await simulation.down(home, False)
        await one.at(S.working)


async def test_only_the_newest_contents_are_kept(simulation: Simulation):
    for number in range(MOST_FILES + 1):
        await simulation.lay(Media(ContentKind.file, b"%d" % number), f"m{number}:0")
    assert await simulation.pick("m0:0") is None
    assert (await simulation.pick("m1:0")).data == b"1"
    await simulation.lay(Media(ContentKind.file, bytes(2**20 + 1)), "large:0")
    assert await simulation.pick("large:0") is None


@pytest.mark.parametrize(
    "cursor", [{"at": "x"}, {"at": None}, {"at": "-1--1"}, {"at": [1]}, {"at": "9" * 99}, {"x": 1}]
)
async def test_a_strange_cursor_is_no_crash(simulation: Simulation, cursor: dict[str, object]):
    async with account(simulation) as one:
        one.account = replace(one.account, cursor=cursor)
        one.connection = SandboxDriver(simulation).connect(one.account, one.told)
        await one.log_in(How.session)
        assert await one.connection.probe()


async def test_the_driver_is_made_from_the_settings(settings: Settings):
    made = driver(settings)
    assert made.simulation.moment == settings.sandbox_moment == 1
    await made.close()


async def test_without_redis_the_messenger_can_not_be_reached(tmp_path):
    with EmbeddedRedis(tmp_path / "own") as redis:
        async with (
            Simulation(redis.url, 0.05) as simulation,
            account(simulation) as one,
            account(simulation) as two,
        ):
            await asyncio.gather(one.log_in(How.session), two.log_in(How.session))
            redis.stop()
            message = Outgoing(uuid4(), f"+{two.account.login}", "still there?")
            with pytest.raises(Unreachable):
                await one.connection.send(message)
            await one.at(S.reconnecting)
            assert not await one.connection.probe()
            redis.start()
            await one.at(S.working)
            await two.at(S.working)
            await one.connection.send(message)
            await until(two.told.came)
            assert [came.text for came in two.told.came()] == ["still there?"]
            assert not await simulation.conflicts()


async def test_the_values_of_a_process_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "_BYTES", 100)
    monkeypatch.setattr(state, "_LEAST", 10)
    memory = state.Memory(lambda _: None)
    for number in range(20):
        await memory.keep(f"short {number}", "x")
    assert await memory.look("short 9", "short 10", "short 19") == [None, "x", "x"]
    await memory.keep("long", "x" * 91)
    assert await memory.look("short 19", "long") == [None, "x" * 91]
    await memory.keep("long", "y", 0)  # which is over at once
    assert await memory.look("long") == [None]
