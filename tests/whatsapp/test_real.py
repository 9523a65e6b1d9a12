"""The real neonize, where it is installed: it loads, tells that it can't reach WhatsApp, and is as we use it.

What it does with WhatsApp itself can't be tried here. `make setup-whatsapp` installs it.
"""

import asyncio
import importlib
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from messengers.port import Account
from messengers.whatsapp import WhatsApp, driver, missing
from messengers.whatsapp.folder import DEVICE
from messengers.whatsapp.process import ROOT
from shapes.messenger_accounts import AccountState, MessengerSource
from tests.messengers.recorder import Recorder
from tests.support.tcp import serving
from tests.support.waits import until
from tests.whatsapp.conftest import gone

pytestmark = pytest.mark.servers

S = AccountState
STANDIN = Path(__file__).parent / "standin"
real = pytest.mark.skipif(missing() is not None, reason=f"{missing()} (make setup-whatsapp)")

# In a process of its own: the library is loaded once and for ever.
_FACTS = """
import importlib, inspect, json, sys
sys.path[:0] = [path for path in sys.argv[1:] if path]
def plain(kind):
    found = {}
    for name, value in vars(kind).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            found[name] = None if isinstance(value, property) else list(inspect.signature(value).parameters)
    return found
def fields(module):
    found = {}
    for name, kind in vars(module).items():
        if inspect.isclass(kind) and hasattr(kind, "DESCRIPTOR"):
            found[name] = {f.name: f.cpp_type for f in kind.DESCRIPTOR.fields}
        elif inspect.isclass(kind) and hasattr(kind, "FIELDS"):
            found[name] = {field: None for field in kind.FIELDS}
    return found
client = importlib.import_module("neonize.client")
enums = importlib.import_module("neonize.utils.enum")
proto = importlib.import_module("neonize.proto.Neonize_pb2")
e2e = importlib.import_module("neonize.proto.waE2E.WAWebProtobufsE2E_pb2")
history = web = common = None
out = {
    "client": plain(client.NewClient), "contact": plain(client.ContactStore),
    "hook": hasattr(client.NewClient, "_NewClient__onLoginStatus"),
    "hook_arguments": list(inspect.signature(client.NewClient._NewClient__onLoginStatus).parameters),
    "init": list(inspect.signature(client.NewClient.__init__).parameters),
    "proxy": list(inspect.signature(client.ProxySettings).parameters),
    "errors": [issubclass(getattr(client, name), client.NeonizeError)
               for name in ("PairPhoneError", "SendMessageError")],
    "enums": {name: list(getattr(enums, name).__members__) for name in (
        "MediaType", "ChatPresence", "ChatPresenceMedia", "Presence", "ReceiptType", "ClientName", "ClientType")},
    "proto": fields(proto), "e2e": fields(e2e),
    "reasons": list(proto.ConnectFailureReason.keys()),
    "bans": list(proto.TemporaryBan.TempBanReason.keys()),
    "receipts": [proto.Receipt.DELIVERED, proto.Receipt.READ, proto.Receipt.PLAYED],
    "success": proto.PairStatus.SUCCESS,
}
print("\\n" + json.dumps(out))
"""


def facts(path: str) -> dict[str, Any]:
    import orjson

    completed = subprocess.run(
        [sys.executable, "-c", _FACTS, path], cwd=ROOT, capture_output=True, check=True, timeout=120
    )
    report: dict[str, Any] = orjson.loads(completed.stdout.splitlines()[-1])
    return report


@real
def test_the_stand_in_has_the_names_and_types_of_the_real_one():
    there, ours = facts(""), facts(str(STANDIN))
    for kind in ("client", "contact"):
        for name, arguments in ours[kind].items():
            assert there[kind][name] == arguments, name
    for name in ("hook", "hook_arguments", "errors", "receipts", "success", "bans", "reasons"):
        assert there[name] == ours[name], name
    assert there["init"] == ours["init"]
    assert there["proxy"] == ours["proxy"]
    for name, members in ours["enums"].items():
        assert set(members) <= set(there["enums"][name]), name
    elsewhere = {
        "WebMessageInfo",
        "HistorySyncMsg",
        "Conversation",
        "MessageKey",
        "E2E",
    }  # in modules of their own
    for module in ("proto", "e2e"):
        for name, fields in ours[module].items():
            if name not in elsewhere:
                assert set(fields) <= set(there[module][name]), name


_HISTORY = """
import importlib
history = importlib.import_module("neonize.proto.waHistorySync.WAWebProtobufsHistorySync_pb2")
web = importlib.import_module("neonize.proto.waWeb.WAWebProtobufsWeb_pb2")
from neonize.proto import Neonize_pb2 as proto
from neonize.proto.waE2E import WAWebProtobufsE2E_pb2 as e2e
from messengers.whatsapp.shapes import Shapes, text_of
shapes = Shapes(proto, e2e)
one = web.WebMessageInfo(
    message=e2e.Message(conversation="from before"), messageTimestamp=1700000000, pushName="Grace", status=4)
one.key.remoteJID, one.key.fromMe, one.key.ID = "14155550100@s.whatsapp.net", True, "3EB0"
talk = history.Conversation(ID="14155550100@s.whatsapp.net", pnJID="", name="")
talk.messages.append(history.HistorySyncMsg(message=one))
event = proto.HistorySync(Data=history.HistorySync(syncType=history.HistorySync.RECENT, conversations=[talk]))
assert int(event.Data.syncType) in (0, 2, 3)
for conversation in event.Data.conversations:
    for message in conversation.messages:
        told = shapes.history_message(message.message, conversation.pnJID or conversation.ID, lambda jid: jid)
assert told == {
    "id": "3EB0", "thread": "14155550100@s.whatsapp.net", "outgoing": True, "at": 1700000000.0, "t": "message",
    "sender": None, "kind": "user", "text": "from before", "content": [], "reply_to": None, "name": "Grace",
    "past": True, "status": "has_seen",
}, told

def jid(text):
    return shapes.jid(text)
came = proto.Message(Info=proto.MessageInfo(ID="A", Timestamp=1700000000000, Pushname="Grace"))
came.Info.MessageSource.Chat.CopyFrom(jid("99@lid"))
came.Info.MessageSource.Sender.CopyFrom(jid("99@lid"))
came.Info.MessageSource.SenderAlt.CopyFrom(jid("14155550100@s.whatsapp.net"))
came.Message.audioMessage.PTT = True
came.Message.audioMessage.mimetype = "audio/ogg; codecs=opus"
came.Message.audioMessage.contextInfo.stanzaID = "B"
told = shapes.message(came, lambda jid: jid)
assert (told["thread"], told["sender"], told["reply_to"]) == ("14155550100@s.whatsapp.net", "+14155550100", "B"), told
assert told["content"][0]["kind"] == "voice"

context = shapes.reply_context("A", "1@s.whatsapp.net", shapes.remembered(came.Message))
upload = proto.UploadResponse(url="u", DirectPath="d", MediaKey=b"k", FileEncSHA256=b"e", FileSHA256=b"s", FileLength=3)
for kind, field in (("image", "imageMessage"), ("video", "videoMessage"), ("audio", "audioMessage"),
                    ("voice", "audioMessage"), ("file", "documentMessage")):
    file = (kind, "audio/ogg" if kind == "voice" else "x/y", "n", b"abc")
    made = shapes.outgoing("words", file, upload, b"s" * 32, context)
    assert made.HasField(field)
    assert made.messageContextInfo.messageSecret == b"s" * 32
    assert getattr(made, field).contextInfo.quotedMessage.audioMessage.PTT
    assert e2e.Message.FromString(shapes.remembered(made)).HasField(field)
assert shapes.outgoing("words", None, None, b"s" * 32, None).conversation == "words"
assert shapes.outgoing("words", None, None, b"s" * 32, context).extendedTextMessage.text == "words"

import io
from PIL import Image
from messengers.whatsapp.shapes import preview_of
out = io.BytesIO(); Image.new("RGBA", (640, 480)).save(out, format="PNG")
small, width, height = preview_of(out.getvalue())
assert (width, height) == (640, 480) and len(small) < 5000
assert preview_of(b"no image") is None

from messengers.whatsapp.binding import Library
library = Library()
from pathlib import Path
import sys
client = library.client(Path(sys.argv[1]) / "device.db")
assert type(client).__mro__[1].__name__ == "NewClient"
heard = []
client.on_login = heard.append
import ctypes
text = ctypes.create_string_buffer(b"timeout")
client._NewClient__onLoginStatus(0, ctypes.addressof(text))
assert heard == ["timeout"]
assert library.proxy("socks5://a:b@127.0.0.1:1").proxy_address.startswith("socks5")
from messengers.whatsapp.receiver import Receiver
from messengers.whatsapp.cache import MessageCache
hearing = Receiver(library, client, MessageCache(Path(sys.argv[1]) / "kept.db"), None, heard.append)
codes = set(client.event.list_func)
assert {1, 2, 3} - {1} <= codes and {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18} <= codes, codes
gone = proto.LoggedOut(OnConnect=True, Reason=proto.ConnectFailureReason.Value("MAIN_DEVICE_GONE"))
client.event.list_func[6](client, gone)
client.event.list_func[9](client, proto.ConnectFailure(Message="x"))
client.event.list_func[8](client, proto.TemporaryBan(Code=4, Expire=60))
assert heard[1:] == [
    {"t": "logged_out", "why": "MAIN_DEVICE_GONE"}, {"t": "refused", "why": "UNKNOWN"},
    {"t": "banned", "why": "SENT_TOO_MANY_SAME_MESSAGE", "seconds": 60}], heard
print("well")
import os; sys.stdout.flush(); os._exit(0)
"""


@real
def test_what_we_build_and_read_is_what_it_has(tmp_path: Path):
    completed = subprocess.run(
        [sys.executable, "-c", _HISTORY, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert completed.stdout.strip().endswith("well"), completed.stderr[-2000:]


@real
async def test_without_a_way_to_whatsapp_it_is_reconnecting_and_no_crash(tmp_path: Path):
    """The proxy is a port where nobody listens, so that no test ever reaches WhatsApp."""
    recorder = Recorder()
    made = WhatsApp(base_folder=tmp_path)
    account = Account(uuid4(), MessengerSource.whatsapp, "ada", proxy="socks5://user:proxy-pass@127.0.0.1:9")
    connection = made.connect(account, recorder)
    await connection.start()
    await until(lambda: len(recorder.changes) >= 2)
    assert recorder.states == [S.reconnecting]
    assert {change.code for change in recorder.changes} == {"network"}
    assert connection._folder is not None
    path = connection._folder.path / DEVICE
    with closing(importlib.import_module("sqlite3").connect(path)) as opened:
        assert opened.execute("SELECT count(*) FROM whatsmeow_device").fetchone() == (0,)
        columns = {row[1] for row in opened.execute("PRAGMA table_info(whatsmeow_message_secrets)")}
    assert {"message_id", "key"} <= columns
    assert connection._folder.attempt(b"secret") is None
    session = connection._folder.pack()
    await connection.close()
    again = made._process_folder.folder() if made._process_folder else None
    assert again is not None
    again.unpack(session)
    assert again.sound()
    await made.close()


@real
async def test_all_that_it_sends_goes_through_the_proxy(tmp_path: Path):
    requests: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")

    recorder, made = Recorder(), WhatsApp(base_folder=tmp_path)
    async with serving(proxy) as port:
        account = Account(
            uuid4(), MessengerSource.whatsapp, "ada", proxy=f"http://user:proxy-pass@127.0.0.1:{port}"
        )
        connection = made.connect(account, recorder)
        await connection.start()
        await until(lambda: requests and recorder.changes)
        assert requests[0].startswith(b"CONNECT web.whatsapp.com:443 ")
        assert b"Proxy-Authorization: Basic dXNlcjpwcm94eS1wYXNz" in requests[0]
        assert recorder.changes[-1].code == "network"
        assert "proxy-pass" not in repr(recorder.changes)
        await connection.close()
        await made.close()


@real
async def test_a_nil_pointer_in_go_ends_the_child_alone(tmp_path: Path):
    """Asking the library for a contact before a login dereferences nil; our calls never do, this child does."""
    command = (
        "import os, threading\n"
        "from messengers.whatsapp import child\n"
        "from messengers.whatsapp.binding import Library\n"
        "def crash(library, client, proxy, pipes):\n"
        "    try: client.connect(library.proxy('socks5://127.0.0.1:9'))\n"
        "    except Exception: pass\n"
        "    client.contact.get_contact(library.shapes.jid('1@s.whatsapp.net'))\n"
        "child._connect = crash\n"
        "child.main()\n"
    )
    recorder, made = Recorder(), WhatsApp(command=(sys.executable, "-c", command), base_folder=tmp_path)
    connection = made.connect(Account(uuid4(), MessengerSource.whatsapp, "ada"), recorder)
    await connection.start()
    await until(lambda: connection._child is not None)
    assert connection._child is not None
    pid = connection._child.process.pid
    await until(lambda: [change for change in recorder.changes if change.code == "driver_crashed"])
    assert gone(pid)
    assert recorder.changes[-1].state is S.reconnecting
    await connection.close()
    await made.close()


def test_the_driver_says_what_is_missing(monkeypatch: pytest.MonkeyPatch):
    from messengers.whatsapp import binding

    monkeypatch.setattr(binding.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"neonize is not installed.*make setup-whatsapp"):
        driver()


def test_the_service_imports_nothing_of_it():
    completed = subprocess.run(
        [sys.executable, "-c", "import sys, messengers.whatsapp; print([n for n in sys.modules if 'neonize' in n])"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert completed.stdout.strip() == "[]"
