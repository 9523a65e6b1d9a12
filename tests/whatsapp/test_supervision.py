"""The child process: what becomes of an account when it crashes, hangs, lies, or loses its parent."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from messengers.port import Message, Outgoing, Uncertain, Unreachable, WrongStep
from messengers.whatsapp import frames, lifecycle
from messengers.whatsapp.process import ROOT, Bounds, Child
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState
from tests.messengers.rig import How
from tests.messengers.rigs.whatsapp import WhatsAppRig
from tests.support.waits import eventually, freeze, until
from tests.whatsapp.conftest import Make, gone
from tests.whatsapp.exchange import phone

pytestmark = pytest.mark.servers

S = AccountState


def text(to: str, words: str = "hello") -> Outgoing:
    return Outgoing(uuid4(), to, words)


async def test_a_crash_is_a_state_and_another_child(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    first = live.pid
    for wire in rig.messenger.live(rig._device(live.account)):
        wire.say({"push": "crash"})
    await live.came_to(S.reconnecting, "driver_crashed")
    await until(lambda: live.told.state is S.working and live.pid != first)
    assert gone(first)
    assert not {S.waitQr, S.failed} & set(live.told.states[2:])
    peer = await rig.peer(live.account)
    await live.connection.send(text(peer.to, "still here"))
    assert [got.text for got in await peer.got()] == ["still here"]


@pytest.mark.leaves_events
async def test_nothing_more_is_said_while_the_child_of_a_lost_account_ends(
    rig: WhatsAppRig, new_account: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    live = await new_account()
    may, end = asyncio.Event(), Child.end

    async def slowly(child: Child) -> None:
        await may.wait()
        await end(child)

    monkeypatch.setattr(Child, "end", slowly)
    peer = await rig.peer(live.account)
    live.told.lost = True
    await peer.write("for whoever has it now")
    await until(lambda: live.told.told_after_lost)
    closing = asyncio.create_task(live.connection.close())  # which would say the session, for the last time
    await until(lambda: all(task.done() for task in live.connection._tasks))
    may.set()
    await closing
    assert live.told.told_after_lost == 1
    [left] = tmp_path.glob("postern-whatsapp-*/*/left.db")  # for the next connection on this machine
    left.unlink()
    left.parent.rmdir()


async def test_a_crash_hits_one_account(rig: WhatsAppRig, new_account: Make):
    live, other = await new_account(), await new_account()
    assert live.pid != other.pid
    before = len(other.told.changes)
    os.kill(live.pid, signal.SIGSEGV)
    await live.came_to(S.reconnecting, "driver_crashed")
    assert await other.connection.probe()
    assert len(other.told.changes) == before


async def test_a_crash_in_the_login_shows_a_new_qr(rig: WhatsAppRig, new_account: Make):
    live = await new_account(start=False)
    await live.start()
    first = (await live.at(S.waitQr)).value
    os.kill(live.pid, signal.SIGKILL)
    await live.came_to(S.reconnecting, "driver_crashed")
    again = await live.at(S.waitQr) if live.told.state is S.waitQr else None
    await until(lambda: live.told.state is S.waitQr)
    again = live.told.changes[-1]
    assert again.value != first
    await live.admit(S.waitQr)
    await live.at(S.working)


async def test_crashes_without_end_are_a_failure(new_account: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lifecycle, "_PAUSE_MOST", 0.1)
    live = await new_account(
        start=False, command=(sys.executable, "-c", "import os; os.kill(os.getpid(), 11)")
    )
    await live.start()
    await until(lambda: live.told.state is S.failed)
    assert live.told.changes[-1].code == "driver_crashed"
    assert [change.state for change in live.told.changes].count(S.reconnecting) == 4
    with pytest.raises(WrongStep):
        await live.connection.send(text("+14155550100"))


LIES = {
    "garbage": "os.write(1, b'\\xff' * 100)",
    "a huge head": "os.write(1, struct.pack('>II', 5 * 2**20, 0)); time.sleep(60)",
    "100 MB of data": "os.write(1, struct.pack('>II', 2, 100 * 2**20)); time.sleep(60)",
    "no JSON": "os.write(1, struct.pack('>II', 3, 0) + b'}}}'); time.sleep(60)",
    "no object": "os.write(1, struct.pack('>II', 2, 0) + b'[]'); time.sleep(60)",
    "an unknown kind": "say({'k': 'shutdown'}); time.sleep(60)",
    "an event that is a list": (
        "say({'k': 'hello', 'version': '1'}); say({'k': 'event', 'n': 1, 'e': [1]}); time.sleep(60)"
    ),
    "a state with a wrong value": "say({'k': 'hello', 'version': '1'});"
    " say({'k': 'event', 'n': 1, 'e': {'t': 'qr', 'value': 7, 'seconds': 'x'}}); time.sleep(60)",
    "half a frame": "os.write(1, struct.pack('>II', 100, 0) + b'{')",
    "silence": "time.sleep(60)",
    "the end at once": "pass",
}
_LIAR = (
    "import json, os, struct, time\n"
    "def say(what):\n"
    "    text = json.dumps(what).encode()\n"
    "    os.write(1, struct.pack('>II', len(text), 0) + text)\n"
)


@pytest.mark.parametrize("what", LIES.values(), ids=LIES.keys())
async def test_a_child_that_lies_is_ended_as_one_that_crashed(new_account: Make, what: str):
    live = await new_account(
        start=False, command=(sys.executable, "-c", _LIAR + what), bounds=Bounds(hello=1.0)
    )
    await live.start()
    await until(lambda: live.connection._child is not None)
    pid = live.pid
    await live.came_to(S.reconnecting, "driver_crashed")
    assert gone(pid)
    assert not live.told.events
    assert not live.told.sessions


async def test_events_that_nobody_acknowledged_are_bounded(new_account: Make):
    flood = (
        "say({'k': 'hello', 'version': '1'})\n"
        "while True: say({'k': 'event', 'n': 1, 'e': {'t': 'message', 'id': 'A', 'thread': '1@s.whatsapp.net',"
        " 'outgoing': False, 'at': 1, 'kind': 'user', 'text': 'x', 'content': [], 'reply_to': None, 'name': None}})"
    )
    live = await new_account(start=False, command=(sys.executable, "-c", _LIAR + flood))
    release = asyncio.Event()
    happened = live.told.apply_events

    async def slow(*args: object) -> None:
        await release.wait()
        await happened(*args)  # type: ignore[arg-type]

    live.told.apply_events = slow  # type: ignore[assignment]
    await live.start()
    await until(lambda: live.connection._child is not None and live.connection._child.broken)
    assert live.connection._child is not None
    assert live.connection._child.events.qsize() <= 2 * frames.WINDOW + 2
    release.set()


async def test_a_library_that_is_missing_is_a_failure_that_says_how_to_get_it(new_account: Make):
    absent = "import sys; sys.modules['neonize'] = None; from messengers.whatsapp import child; child.main()"
    live = await new_account(start=False, command=(sys.executable, "-c", absent))
    await live.start()
    await live.came_to(S.failed, "driver_missing")
    assert "make setup-whatsapp" in (live.told.changes[-1].reason or "")


async def test_a_frozen_child_is_no_answer_then_a_restart(rig: WhatsAppRig, new_account: Make):
    live = await new_account(bounds=Bounds(call=0.5, send=0.5))
    peer = await rig.peer(live.account)
    first, child = live.pid, live.connection._child
    assert child is not None
    freeze(first)
    with pytest.raises(Uncertain):
        await live.connection.send(text(peer.to, "into the ice"))
    with pytest.raises(Unreachable):
        await live.connection.me()
    # Of this child, and only now: one that is just starting is silent, too.
    child.bounds = Bounds(beat=0.2, stuck=3.0)
    assert not await live.connection.probe()
    await live.came_to(S.reconnecting, "driver_crashed")
    await until(lambda: live.told.state is S.working and live.pid != first)
    assert gone(first)


async def test_close_ends_a_frozen_child_within_its_bound(new_account: Make):
    live = await new_account()
    pid = live.pid
    freeze(pid)
    async with asyncio.timeout(30):
        await live.connection.close()
    assert gone(pid)


async def test_a_message_that_the_crash_caught_before_it_left_was_not_sent(
    rig: WhatsAppRig, new_account: Make
):
    live = await new_account()
    peer, number = await rig.peer(live.account), phone()
    await live.connection.send(text(peer.to))
    child = live.connection._child
    assert child is not None
    await live.connection.person(peer.to)
    freeze(live.pid)
    sending = asyncio.create_task(live.connection.send(text(f"+{number}")))
    await until(lambda: child._waiting)
    os.kill(live.pid, signal.SIGKILL)
    with pytest.raises(Unreachable):
        await sending
    assert not rig.messenger.taken[number]


@pytest.mark.parametrize("trouble", ["crash", "crash first"])
async def test_a_message_that_the_crash_caught_on_its_way_is_uncertain_and_never_sent_twice(
    rig: WhatsAppRig, new_account: Make, trouble: str
):
    live = await new_account()
    number = phone()
    rig.messenger.troubles[number] = trouble
    message = text(f"+{number}")
    with pytest.raises(Uncertain):
        await live.connection.send(message)
    taken = rig.messenger.taken[number]
    await live.came_to(S.reconnecting, "driver_crashed")
    await until(lambda: live.told.state is S.working)
    del rig.messenger.troubles[number]
    rig.messenger.people[number] = (await rig.peer(live.account)).peer
    with pytest.raises(Uncertain):
        await live.connection.send(message)
    assert rig.messenger.taken[number] == taken


async def test_an_answer_that_came_too_late_is_told(rig: WhatsAppRig, new_account: Make):
    live = await new_account(bounds=Bounds(send=0.5))
    peer = await rig.peer(live.account)
    await live.connection.person(peer.to)
    answer, held = rig.messenger.on_send, asyncio.Event()

    def slow(wire: object, request: dict[str, object]) -> None:
        async def later() -> None:
            await held.wait()
            wire.say({"n": request["n"]} | (answer(wire, request) or {}))  # type: ignore[attr-defined, arg-type]

        rig.messenger._tasks.add(asyncio.create_task(later()))

    rig.messenger.on_send = slow  # type: ignore[assignment]
    message = text(peer.to, "slowly")
    with pytest.raises(Uncertain):
        await live.connection.send(message)
    held.set()
    await until(lambda: [received for received in live.told.of(Message) if received.item == message.item])
    [echo] = [received for received in live.told.of(Message) if received.item == message.item]
    assert echo.outgoing
    assert echo.status is ChatMessageStatus.server
    live.connection._bounds = Bounds()  # this one is answered, however long that takes
    assert (await live.connection.send(message)).provider_id == echo.provider_id
    assert rig.messenger.taken[peer.peer.number] == 1


_PARENT = """
import asyncio, sys
from pathlib import Path
from uuid import uuid4
from messengers.port import Account
from messengers.whatsapp import WhatsApp
from shapes.messenger_accounts import MessengerSource
class Sink:
    async def changed(self, change):
        if change.value: print(connection._child.process.pid, file=sys.stderr, flush=True)
    async def session(self, session): pass
    async def apply_events(self, events, cursor=None): pass
    def seconds_left(self): return 4.0
    async def restarting(self): pass
async def main():
    global connection
    stage = (sys.executable, "-m", "tests.whatsapp.stage", sys.argv[1])
    driver = WhatsApp(command=stage, base_folder=Path(sys.argv[2]))
    connection = driver.connect(Account(uuid4(), MessengerSource.whatsapp, "x"), Sink())
    await connection.start()
    await asyncio.sleep(120)
asyncio.run(main())
"""


@pytest.fixture
async def parent(rig: WhatsAppRig, tmp_path: Path):
    """A process with one account in its login: it, the child's id, its ground."""
    ground = tmp_path / "theirs"
    ground.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(rig.messenger.port), str(ground)],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        yield process, int(await asyncio.to_thread(process.stderr.readline)), ground
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


async def test_the_child_dies_with_its_killed_parent(parent: tuple[subprocess.Popen[bytes], int, Path]):
    process, child, ground = parent
    assert not gone(child)
    process.kill()
    await until(lambda: gone(child))
    assert list(ground.iterdir())  # nobody could clean up; the next driver on the machine does


async def test_the_child_of_a_frozen_parent_lets_go_before_the_lease_ends(
    parent: tuple[subprocess.Popen[bytes], int, Path], rig: WhatsAppRig
):
    process, _, _ = parent
    await until(lambda: rig.messenger.wires)
    freeze(process.pid)
    await until(lambda: not rig.messenger.wires)
    process.send_signal(signal.SIGCONT)


async def test_a_frozen_child_of_a_killed_parent_is_gone_too(
    parent: tuple[subprocess.Popen[bytes], int, Path],
):
    process, child, _ = parent
    freeze(child)
    process.kill()
    await until(lambda: gone(child))


async def test_a_child_survives_what_a_service_manager_says_to_everybody(new_account: Make):
    live = await new_account()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(live.pid, number)
    assert await live.connection.probe()


async def test_a_child_knows_no_secret_of_the_service(new_account: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("POSTERN_SECRET_KEY", "the-operators-secret")
    live = await new_account(start=False)
    await live.start()
    await live.at(S.waitQr)
    environment = Path(f"/proc/{live.pid}/environ").read_bytes()
    assert b"the-operators-secret" not in environment
    assert b"POSTERN" not in environment
    command = Path(f"/proc/{live.pid}/cmdline").read_bytes()
    assert b"proxy-pass" not in environment + command


async def test_a_child_that_is_not_there_any_more_leaves_no_process(rig: WhatsAppRig, new_account: Make):
    lives = [await new_account() for _ in range(2)]
    pids = [live.pid for live in lives]
    await asyncio.gather(*(live.connection.close() for live in lives))
    eventually(lambda: all(map(gone, pids)), "they ended")
    assert not rig.messenger.wires or await until(lambda: not rig.messenger.wires)


async def test_an_unreachable_messenger_is_reconnecting_with_pauses_that_grow(
    rig: WhatsAppRig, new_account: Make
):
    command = (sys.executable, "-m", "tests.whatsapp.stage", "1")  # nobody listens there
    live = await new_account(start=False, command=command)
    await live.start()
    await until(lambda: len(live.told.changes) >= 3)
    assert live.told.states == [S.reconnecting]
    assert {change.code for change in live.told.changes} == {"network"}
    assert live.told.changes[-1].reason
    assert "127.0.0.1" not in (live.told.changes[-1].reason or "")


async def test_a_pairing_code_is_asked_for_once_a_round(rig: WhatsAppRig, new_account: Make):
    live = await new_account(How.pairing, start=False)
    await live.start()
    change = await live.at(S.showCode)
    assert list(rig.messenger.asked_code.values()) == [live.account.phone]
    assert change.value in rig.messenger.asked_code


async def test_a_phone_that_whatsapp_gives_no_code_for_is_a_failure(rig: WhatsAppRig, new_account: Make):
    live = await new_account(How.pairing, start=False, phone="12345")
    await live.start()
    await live.came_to(S.failed, "phone_invalid")
