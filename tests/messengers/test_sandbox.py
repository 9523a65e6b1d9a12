"""The sandbox's own: magic numbers, and a world that spans processes."""

import asyncio
import itertools
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
from core.settings import Settings
from messengers.port import (
    Account,
    CodeInvalid,
    Media,
    Message,
    MessengerError,
    Outgoing,
    PasswordInvalid,
    Progress,
    Sent,
    Throttled,
)
from messengers.sandbox import Home, SandboxDriver, Somebody, World, driver
from messengers.sandbox.simulator import contacts, scenarios, state
from messengers.sandbox.simulator import simulation as sandbox_world
from messengers.sandbox.simulator.simulation import MOST_FILES, Link
from postern.embedded import EmbeddedRedis
from shapes.chats import ChatMessageStatus, ContentKind
from shapes.messenger_accounts import AccountState, MessengerSource
from tests.docs.test_docs import plain, rows, section
from tests.messengers.recorder import Live
from tests.messengers.rig import How
from tests.messengers.rigs.sandbox import SandboxRig, patient
from tests.support import servers
from tests.support.waits import PATIENCE, freeze, until

S = AccountState
TELEGRAM, WHATSAPP = MessengerSource.telegram, MessengerSource.whatsapp
_numbers = itertools.count(os.getpid() % 10_000 * 1000)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with World(servers.redis_url(), 0.05) as made:
        patient(made)
        await made._shared.client.flushdb()
        yield made


@asynccontextmanager
async def account(
    world: World, login: str | None = None, phone: str | None = None, source: MessengerSource = TELEGRAM
) -> AsyncIterator[Live]:
    """A connection that was not started yet."""
    login = login or f"1777{next(_numbers):09d}"[:13]
    one = Live(SandboxRig(source, world), Account(uuid4(), source, login, phone))
    yield one
    await one.connection.close()
    assert not one.told.wrong


async def told(one: Live, *states: AccountState) -> None:
    """It went through these, in this order, others in between or not."""

    def there() -> bool:
        rest = iter(change.state for change in one.told.changes)
        return all(state in rest for state in states)

    await until(there)


# magic


def test_the_tables_of_the_documents_are_those_of_the_code():
    logins = list(rows(section("docs/messengers.md", "Magic logins"), "login or phone"))
    assert [plain(name).removeprefix("sandbox-").replace("-", "_") for _, name, _ in logins] == list(
        scenarios.Login
    )
    for number, name, _ in logins:
        by_number = scenarios.login(plain(number).replace("x", "7"), None)
        assert by_number == scenarios.login(plain(name), None) == scenarios.login(f"{plain(name)}-3", None)
    recipients = list(rows(section("docs/messengers.md", "Magic recipients"), "recipient"))
    assert [plain(name).removeprefix("@sandbox_") for _, name, _ in recipients] == list(scenarios.Recipient)
    for number, name, _ in recipients:
        address = scenarios.address(plain(number).replace("x", "7"))
        assert scenarios.recipient(address) == scenarios.recipient(scenarios.address(plain(name)))


def test_no_magic_word_is_both_a_login_and_a_recipient_that_would_swallow_its_messages():
    works = {
        scenarios.Login.plain,
        scenarios.Login.second,
        scenarios.Login.unused,
        scenarios.Login.late,
        scenarios.Login.dropping,
    }
    assert not {str(login) for login in works} & set(scenarios.Recipient)


@pytest.mark.parametrize(
    "number", ["15005550999", "15005551300", "1500555100", "150055510000", "25005551040"]
)
def test_other_numbers_are_ordinary(number: str):
    assert scenarios.login(number, None) is scenarios.Login.plain
    assert scenarios.recipient(number) is None


LOGINS = [
    ("15005551000", None, TELEGRAM, [S.starting, S.waitQr, S.syncing, S.working]),
    ("15005551000", "15005551000", WHATSAPP, [S.showCode, S.syncing, S.working]),
    ("15005551010", None, WHATSAPP, [S.waitQr, S.waitQr, S.working]),
    ("15005551020", None, TELEGRAM, [S.waitQr, S.waitQr, S.waitQr]),
    ("15005551020", "15005551020", WHATSAPP, [S.showCode, S.showCode, S.showCode]),
    ("15005551020", "15005551020", TELEGRAM, [S.waitCode, S.waitCode]),
    ("15005551030", None, TELEGRAM, [S.waitQr, S.waitPassword]),
    ("15005551040", None, TELEGRAM, [S.starting, S.blocked]),
    ("15005551050", None, TELEGRAM, [S.starting, S.failed]),
    ("15005551060", None, TELEGRAM, [S.working, S.blocked]),
    ("15005551070", None, TELEGRAM, [S.working, S.reconnecting, S.working, S.reconnecting, S.working]),
    ("15005551080", None, TELEGRAM, [S.working, S.loggedOut]),
    ("15005551090", None, TELEGRAM, [S.starting, S.waitQr, S.syncing, S.working]),
    ("15005551100", None, TELEGRAM, [S.starting, S.reconnecting, S.reconnecting]),
    ("15005551110", None, TELEGRAM, [S.starting, S.waitPhone]),
    ("15005551110", "15005551110", TELEGRAM, [S.starting, S.waitCode]),
]


@pytest.mark.parametrize(
    ("login", "phone", "source", "states"),
    LOGINS,
    ids=[
        f"{scenarios.login(login, phone)}-{source}{'-phone' * bool(phone)}"
        for login, phone, source, _ in LOGINS
    ],
)
async def test_magic_logins(
    world: World, login: str, phone: str | None, source: MessengerSource, states: list[AccountState]
):
    async with account(world, login, phone, source) as one:
        await one.start()
        await told(one, *states)
        if states[-1] is S.failed:
            change = one.told.changes[-1]
            assert change.code == "flood_wait"
            assert change.until is not None


@pytest.mark.parametrize("step", [S.waitCode, S.waitPassword], ids=str)
async def test_the_third_wrong_code_or_password_is_the_last(world: World, step: AccountState):
    async with account(world, "15005551030", "15005551030") as one:
        await one.start()
        await one.at(S.waitCode)
        if step is S.waitPassword:
            await one.connection.code("12345")
            await one.at(S.waitPassword)
        lefts = []
        for _ in range(3):
            call = one.connection.code if step is S.waitCode else one.connection.password
            with pytest.raises(CodeInvalid if step is S.waitCode else PasswordInvalid) as caught:
                await call("wrong")
            lefts.append(caught.value.attempts_left)
        assert lefts == [2, 1, 0]
        await until(lambda: one.told.state is S.failed)
        again = await one.again()
        await again.start()  # and it can always be started again
        await again.at(S.waitCode)
        await again.connection.close()


RECIPIENTS = {
    scenarios.Recipient.delivered: (None, ["delivered"]),
    scenarios.Recipient.failed: ("invalid_recipient", []),
    scenarios.Recipient.bounced: (None, ["errored"]),
    scenarios.Recipient.flaky: ("messenger_unavailable", ["delivered"]),
    scenarios.Recipient.throttled: ("throttled", []),
    scenarios.Recipient.timeout: ("uncertain", ["delivered"]),
    scenarios.Recipient.slow: (None, []),
    scenarios.Recipient.silent: ("uncertain", []),
    scenarios.Recipient.privacy: ("privacy", []),
    scenarios.Recipient.flood: ("throttled", []),
    scenarios.Recipient.answers: (None, ["delivered", "has_seen"]),
    scenarios.Recipient.stop: (None, ["delivered", "has_seen"]),
    scenarios.Recipient.reads: (None, ["delivered", "has_seen"]),
}


@pytest.mark.parametrize("recipient", list(scenarios.Recipient), ids=str)
async def test_magic_recipients(world: World, recipient: scenarios.Recipient):
    code, statuses = RECIPIENTS[recipient]
    message = Outgoing(uuid4(), f"@sandbox_{recipient}", "hello")
    async with account(world) as one:
        await one.log_in(How.session)
        first = await _send(one, message)
        assert getattr(first, "code", None) == code
        second = first if code is None else await _send(one, message)
        for_good = {"failed", "silent", "privacy", "flood"}
        assert isinstance(second, Sent) == (recipient not in for_good)
        if isinstance(second, Throttled):
            assert second.until is not None
        await until(lambda: [progress.status for progress in one.told.of(Progress)] == statuses)
        if recipient in (scenarios.Recipient.answers, scenarios.Recipient.stop):
            [answer] = await until(one.told.came)
            assert answer.text == ("STOP" if recipient is scenarios.Recipient.stop else "You wrote: hello")
            assert answer.thread == second.thread


async def _send(one: Live, message: Outgoing) -> Sent | MessengerError:
    try:
        return await one.connection.send(message)
    except MessengerError as error:
        return error


# the world


async def test_two_accounts_write_to_each_other_in_two_processes(world: World):
    """As in two processes: their worlds have nothing in common but Redis."""
    async with World(servers.redis_url(), 0.05) as other, account(world) as one, account(other, "Ada") as two:
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
        [act] = await world.acts(Home(TELEGRAM, one.account.login))
        assert (act.sender, act.action) == ("ada", "typing")


async def test_telegram_and_whatsapp_are_two_worlds(world: World):
    async with account(world) as one, account(world) as two:
        await asyncio.gather(one.log_in(How.session), two.log_in(How.session))
        there = Home(WHATSAPP, "16660000001")
        await contacts.write(world, there, two.account.login, "to a whatsapp account of that number")
        await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "to the telegram account"))
        await until(two.told.came)
        assert [message.text for message in two.told.came()] == ["to the telegram account"]


async def test_a_first_login_is_told_the_past_as_such(world: World):
    async with account(world) as one, account(world) as two:
        await one.log_in(How.session)
        await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "before you came"))
        await two.log_in(How.session)
        [message] = two.told.of(Message)
        assert message.past
        assert not two.told.came()


async def test_a_messenger_that_is_down_is_waited_for(world: World):
    async with account(world) as one:
        await one.log_in(How.session)
        home = Home(TELEGRAM, one.account.login)
        await world.down(home)
        await until(lambda: [change.state for change in one.told.changes].count(S.reconnecting) >= 3)
        assert not await one.connection.probe()
        await world.down(home, False)
        await one.at(S.working)


async def test_only_the_newest_contents_are_kept(world: World):
    for number in range(MOST_FILES + 1):
        await world.lay(Media(ContentKind.file, b"%d" % number), f"m{number}:0")
    assert await world.pick("m0:0") is None
    assert (await world.pick("m1:0")).data == b"1"
    await world.lay(Media(ContentKind.file, bytes(2**20 + 1)), "large:0")
    assert await world.pick("large:0") is None


@pytest.mark.parametrize(
    "cursor", [{"at": "x"}, {"at": None}, {"at": "-1--1"}, {"at": [1]}, {"at": "9" * 99}, {"x": 1}]
)
async def test_a_strange_cursor_is_no_crash(world: World, cursor: dict[str, object]):
    async with account(world) as one:
        one.account = replace(one.account, cursor=cursor)
        one.connection = SandboxDriver(world).connect(one.account, one.told)
        await one.log_in(How.session)
        assert await one.connection.probe()


async def test_the_driver_is_made_from_the_settings(settings: Settings):
    made = driver(settings)
    assert made.world.moment == settings.sandbox_moment == 1
    await made.close()


# one connection an account


@pytest.mark.parametrize("shared", [True, False], ids=["redis", "alone"])
async def test_two_live_connections_of_one_account_are_noticed(world: World, shared: bool):
    async with World(None, 0.05) as alone, World(servers.redis_url(), 0.05) as other:
        there, here = (other, world) if shared else (alone, alone)
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


async def test_one_after_the_other_is_no_conflict(world: World):
    async with World(servers.redis_url(), 0.05) as other, account(world) as first:
        one = first
        await one.log_in(How.session)
        for turn in range(6):
            await one.connection.close()
            one = await one.again()
            one.connection = SandboxDriver(other if turn % 2 else world).connect(one.account, one.told)
            await one.start()
            if turn % 3:
                await one.at(S.working)
        await one.connection.close()
        assert not await world.conflicts()
        assert not await world.live(one.account.id)


async def test_who_uses_a_connection_that_another_has_replaced_is_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    # A beat would bring the place back, or find out first that it is gone.
    monkeypatch.setattr(sandbox_world, "BEAT_SECONDS", 3600.0)
    async with account(world) as one:
        await one.log_in(How.session)
        line = one.connection._link
        await world._shared.leave(str(one.account.id), line.token)  # as if it had not beaten for long
        usurper = Link(line.home, one.account.id, "0-0")
        await world.join(usurper)
        assert not await world.conflicts()
        with pytest.raises(MessengerError) as caught:
            await one.connection.send(Outgoing(uuid4(), "+14155550100", "too late"))
        assert caught.value.code == "messenger_unavailable"
        assert {conflict.kind for conflict in await world.conflicts()} == {"stale"}
        await world.leave(usurper)


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
        await said(child, "working")
        yield child
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.communicate()


async def said(child: asyncio.subprocess.Process, what: str) -> None:
    assert child.stdout is not None
    async with asyncio.timeout(60):
        while (line := (await child.stdout.readline()).decode().strip()) != what:
            assert line or child.returncode is None, "it ended"


async def test_another_process_gets_what_is_written_here(world: World):
    async with account(world) as one, account(world) as two:
        await one.log_in(How.session)
        async with resident(two) as child:
            await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "over there"))
            await said(child, "over there")
            assert len(await world.live(two.account.id)) == 1
            home = Home(TELEGRAM, two.account.login)
            await Somebody(world, Home(TELEGRAM, "16660000002"), home).write("me too")
            await said(child, "me too")


async def test_a_process_that_was_killed_is_soon_no_conflict(world: World):
    async with account(world) as one:
        async with resident(one) as child:
            child.send_signal(signal.SIGKILL)
            await child.wait()

        async def gone() -> bool:
            return not await world.live(one.account.id)

        await until(gone)
        await one.log_in(How.session)
        assert not await world.conflicts()


async def test_a_process_that_was_frozen_finds_its_connection_gone(world: World):
    async with account(world) as one, resident(one) as child:
        freeze(child.pid)

        async def gone() -> bool:
            return not await world.live(one.account.id)

        await until(gone)
        await one.log_in(How.session)
        child.send_signal(signal.SIGCONT)
        await said(child, "lost")
        assert one.told.state is S.working
        assert not await world.conflicts()
        assert len(await world.live(one.account.id)) == 1


async def test_what_is_called_before_it_listens_waits_for_that(world: World, monkeypatch: pytest.MonkeyPatch):
    """A code that is scanned as soon as it is shown, by a process that has just begun."""
    assert world._shared is not None
    listen, go_on = world._shared.listen, asyncio.Event()

    async def slowly(*given: Any) -> None:
        await go_on.wait()
        await listen(*given)

    monkeypatch.setattr(world._shared, "listen", slowly)
    world.moment = PATIENCE  # the QR that is scanned has not expired by then
    async with account(world, "sandbox-unused-1") as one:
        await one.start()
        await asyncio.sleep(0.2)  # long enough to show the code, were it shown
        assert one.told.states == [S.starting]
        go_on.set()
        value = (await one.at(S.waitQr)).value
        await world.admit(one.connection.home, value or "")
        await one.at(S.working)


# Redis away


async def test_without_redis_it_goes_on_within_the_process(tmp_path):
    with EmbeddedRedis(tmp_path / "own") as redis:
        async with World(redis.url, 0.05) as world, account(world) as one, account(world) as two:
            await asyncio.gather(one.log_in(How.session), two.log_in(How.session))
            redis.stop()
            sent = await one.connection.send(Outgoing(uuid4(), f"+{two.account.login}", "still there?"))
            await until(two.told.came)
            await until(lambda: ChatMessageStatus.delivered in one.told.statuses(sent.provider_id))
            assert await one.connection.probe()
            redis.start()
            home = Home(TELEGRAM, two.account.login)

            async def moved() -> bool:
                return bool(await world._shared.newest(str(home)))

            await until(moved)
            async with World(redis.url, 0.05) as other:
                [letter] = [one for _, one in await other.newest(home) if isinstance(one, Message)]
                assert letter.text == "still there?"
                await Somebody(other, Home(TELEGRAM, "16660000003"), home).write("and from elsewhere")
                await until(lambda: "and from elsewhere" in [message.text for message in two.told.came()])
            assert not await world.conflicts()
            assert two.told.state is S.working


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
