"""The session: a database as text, told and restored; what lies on the disk meanwhile, and what a crash leaves."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from messengers.port import Outgoing
from messengers.whatsapp import folder, keeping
from messengers.whatsapp.folder import CACHE, DEVICE, Folder, ProcessFolder, Unusable
from messengers.whatsapp.process import ROOT
from shapes.messenger_accounts import AccountState
from tests.messengers.rig import How
from tests.messengers.rigs.whatsapp import WhatsAppRig
from tests.support.waits import until
from tests.whatsapp.conftest import Make

pytestmark = pytest.mark.servers

S = AccountState


def database(path: Path, rows: int = 10) -> None:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE whatsmeow_device (jid TEXT)")
        made.execute("INSERT INTO whatsmeow_device VALUES ('1@s.whatsapp.net')")
        made.execute("CREATE TABLE whatsmeow_event_buffer (plaintext BLOB)")
        made.execute("INSERT INTO whatsmeow_event_buffer VALUES ('a text that came')")
        made.execute("CREATE TABLE whatsmeow_contacts (name BLOB)")
        made.executemany(
            "INSERT INTO whatsmeow_contacts VALUES (?)", [(os.urandom(1000),) for _ in range(rows)]
        )
        made.execute("CREATE TABLE whatsmeow_message_secrets (message_id TEXT, key BLOB)")
        made.executemany(
            "INSERT INTO whatsmeow_message_secrets VALUES (?, ?)",
            [(f"M{n}", os.urandom(32)) for n in range(1500)],
        )


def count(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as opened:
        return int(opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.fixture
def made(tmp_path: Path):
    ground = ProcessFolder(tmp_path)
    yield ground.folder()
    ground.close()


def again(made: Folder) -> Folder:
    return Folder(Path(folder.tempfile.mkdtemp(dir=made.path.parent)))


def test_what_is_packed_is_laid_out_again(made: Folder):
    database(made.path / DEVICE)
    other = again(made)
    text = made.pack()
    assert text.isascii()
    other.unpack(text)
    assert count(other.path / DEVICE, "whatsmeow_device") == 1
    assert count(other.path / DEVICE, "whatsmeow_contacts") == 10
    assert count(other.path / DEVICE, "whatsmeow_message_secrets") == 1000
    assert count(other.path / DEVICE, "whatsmeow_event_buffer") == 0
    assert other.secret("an item") == made.secret("an item")
    assert other.sound()
    assert stat.S_IMODE((other.path / DEVICE).stat().st_mode) == 0o600
    assert stat.S_IMODE(other.path.stat().st_mode) == 0o700


def test_no_text_that_was_buffered_is_left_in_a_free_page(made: Folder):
    database(made.path / DEVICE)
    other = again(made)
    other.unpack(made.pack())
    assert b"a text that came" not in (other.path / DEVICE).read_bytes()


def test_one_that_is_too_large_goes_without_what_can_be_had_again(
    made: Folder, monkeypatch: pytest.MonkeyPatch
):
    database(made.path / DEVICE, rows=2000)
    monkeypatch.setattr(folder, "MAX_TEXT", 200_000)
    other = again(made)
    other.unpack(made.pack())
    assert count(other.path / DEVICE, "whatsmeow_contacts") == 0
    assert count(other.path / DEVICE, "whatsmeow_device") == 1
    monkeypatch.setattr(folder, "MAX_TEXT", 1000)
    with pytest.raises(Unusable):
        made.pack()


BAD = {
    "empty": "",
    "another kind": "1BQANOTEuMTA4LjU2",
    "no base64": "wa1:%%%%",
    "no zlib": "wa1:AAAA",
    "cut": None,
    "longer than it says": "more",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_what_is_no_session_is_refused(made: Folder, text: str | None):
    database(made.path / DEVICE)
    good = made.pack()
    with pytest.raises(Unusable) as caught:
        again(made).unpack(
            good[: len(good) // 8 * 4] if text is None else good + "AAAA" if text == "more" else text
        )
    assert good[:40] not in str(caught.value)


def test_a_bomb_is_refused(made: Folder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(folder, "MAX_FILES", 2**20)
    bomb = folder._text(b"k" * 32, bytes(3 * 2**20), b"")
    with pytest.raises(Unusable):
        again(made).unpack(bomb)


def test_an_attempt_is_found_by_its_secret(made: Folder):
    assert made.attempt.__doc__
    database(made.path / DEVICE)
    with closing(sqlite3.connect(made.path / DEVICE)) as opened, opened:
        opened.execute("INSERT INTO whatsmeow_message_secrets VALUES ('3EB0', ?)", (made.secret("item:0"),))
    assert made.attempt(made.secret("item:0")) == "3EB0"
    assert made.attempt(made.secret("item:1")) is None


def test_a_damaged_copy_is_noticed_and_removed(made: Folder):
    database(made.path / DEVICE, rows=200)
    with (made.path / DEVICE).open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(40_000))
    assert not made.sound()
    assert not list(made.path.iterdir())


_HOLDER = """
import sys, time
from pathlib import Path
from messengers.whatsapp.folder import ProcessFolder
ground = ProcessFolder(Path(sys.argv[1]))
(ground.folder().path / "device.db").write_text("keys")
print(ground.path, flush=True)
time.sleep(120)
"""


def test_what_killed_processes_left_is_removed_and_what_living_ones_have_is_not(tmp_path: Path):
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        theirs = Path(holder.stdout.readline().strip())
        (tmp_path / "postern-whatsapp-without-a-lock").mkdir()
        ProcessFolder(tmp_path).close()
        assert list(theirs.rglob("device.db"))
        holder.kill()
        holder.wait()
        ProcessFolder(tmp_path).close()
        assert not theirs.exists()
    finally:
        holder.kill()
        holder.wait()
        assert holder.stdout is not None
        holder.stdout.close()


# of a live account


async def test_a_login_tells_the_session_before_it_works_and_another_machine_goes_on_from_it(
    rig: WhatsAppRig, new_account: Make, tmp_path: Path
):
    live = await new_account()
    peer = await rig.peer(live.account)
    sent = await live.connection.send(Outgoing(uuid4(), peer.to, "from here"))
    await live.close()
    assert len(live.told.sessions) >= 2  # at the login, and what changed since at the end
    assert rig.messenger.devices
    other = await new_account(account=live.account, session=live.told.sessions[-1])
    assert S.waitQr not in other.told.states
    reply = await other.connection.send(Outgoing(uuid4(), peer.to, "from there", reply_to=sent.provider_id))
    assert reply.thread == sent.thread
    assert (await peer.got())[-1].reply_to == "from here"


async def test_one_item_is_one_message_over_two_machines(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = await rig.peer(live.account)
    message = Outgoing(uuid4(), peer.to, "once")
    first = await live.connection.send(message)
    assert await live.connection.send(message) == first
    await live.close()
    other = await new_account(account=live.account, session=live.told.sessions[-1])
    assert (await other.connection.send(message)).provider_id == first.provider_id
    assert [got.text for got in await peer.got()] == ["once"]


async def test_the_session_is_told_when_it_changed_and_not_when_it_did_not(
    rig: WhatsAppRig, new_account: Make, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(keeping, "_SAVE", 0.0)
    live = await new_account()
    peer = await rig.peer(live.account)
    before = len(live.told.sessions)
    await live.connection.send(Outgoing(uuid4(), peer.to, "a step of the ratchet"))
    await until(lambda: len(live.told.sessions) > before)
    mark = live.connection._folder.fingerprint()  # type: ignore[union-attr]
    await until(lambda: live.connection._saved_fingerprint == mark)
    count = len(live.told.sessions)
    await live.connection._save(force=False)
    await live.connection._save(force=True)
    assert len(live.told.sessions) == count


async def test_a_crash_of_the_child_loses_no_step(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = await rig.peer(live.account)
    await live.connection.send(Outgoing(uuid4(), peer.to, "one"))
    with closing(sqlite3.connect(live.folder / DEVICE)) as opened:
        before = opened.execute("SELECT steps FROM whatsmeow_sessions").fetchone()
    count = len(live.told.changes)
    os.kill(live.pid, signal.SIGKILL)
    await until(lambda: S.working in [change.state for change in live.told.changes[count:]])
    with closing(sqlite3.connect(live.folder / DEVICE)) as opened:
        assert opened.execute("SELECT steps FROM whatsmeow_sessions").fetchone() >= before


async def test_a_copy_that_a_crash_damaged_is_laid_out_anew(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    count = len(live.told.changes)
    os.kill(live.pid, signal.SIGSTOP)
    for name in (DEVICE, CACHE):
        (live.folder / name).write_bytes(os.urandom(50_000))
    os.kill(live.pid, signal.SIGKILL)
    await until(lambda: S.working in [change.state for change in live.told.changes[count:]])
    assert S.waitQr not in [change.state for change in live.told.changes[count:]]


async def test_a_login_that_nobody_finished_leaves_no_session(new_account: Make):
    live = await new_account(start=False)
    await live.start()
    await live.at(S.waitQr)
    await live.close()
    assert not live.told.sessions


@pytest.mark.parametrize("how", [How.qr, How.pairing], ids=str)
async def test_nothing_stays_on_the_machine(new_account: Make, how: How):
    live = await new_account(how)
    path = live.folder
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.iterdir()} == {0o600}
    await live.close()
    assert not path.exists()
