"""NewClient, by threads and a socket. What Go does, it does: an event waits for the one before, a device is known
only when it is paired, a secret is written down before its message leaves.

As in whatsmeow, what arrives is handled in order by one thread: it steps the Signal session, puts the event into a
channel of 100, and then acknowledges it. Python takes events out of that channel, also after `disconnect`; what was
not handled by then is not acknowledged, and comes again. A message whose counter was seen is acknowledged and dropped;
one that no Signal session can open is asked for again.
"""

import base64
import ctypes
import itertools
import json
import os
import queue
import secrets
import signal
import socket
import sqlite3
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from neonize.events import Event
from neonize.proto import Neonize_pb2 as proto
from neonize.utils.enum import ClientName

ADDRESS = ("127.0.0.1", 0)  # set by tests/whatsapp/stage.py
FAILS_TO_CONNECT = False
_TABLES = """
CREATE TABLE IF NOT EXISTS whatsmeow_device (jid TEXT PRIMARY KEY, push_name TEXT);
CREATE TABLE IF NOT EXISTS whatsmeow_sessions (their_id TEXT PRIMARY KEY, steps INTEGER, counter INTEGER);
CREATE TABLE IF NOT EXISTS whatsmeow_message_secrets (
    our_jid TEXT, chat_jid TEXT, sender_jid TEXT, message_id TEXT, key BLOB NOT NULL,
    PRIMARY KEY (our_jid, chat_jid, sender_jid, message_id)
);
CREATE TABLE IF NOT EXISTS whatsmeow_event_buffer (plaintext BLOB);
"""


CHANNEL, NODES = 100, 2048  # the sizes of neonize's channel and of whatsmeow's queue


class NeonizeError(Exception):
    pass


class PairPhoneError(NeonizeError):
    pass


class SendMessageError(NeonizeError):
    pass


@dataclass
class ProxySettings:
    proxy_address: str
    no_websocket: bool = False
    only_login: bool = False
    no_media: bool = False


class ContactStore:
    def __init__(self, client):
        self._client = client

    def get_contact(self, user):
        if self._client._jid is None:  # as the Go library does
            os.kill(os.getpid(), signal.SIGSEGV)
        contact = self._client._ask("contact", jid=_text(user))
        return proto.ContactInfo(Found=True, PushName=contact or "")


class NewClient:
    def __init__(self, name, jid=None, props=None, uuid=None, new_device=False):
        self.name, self.props = name, props
        self.uuid = (uuid or name).encode()
        self.event = Event(self)
        self.contact = ContactStore(self)
        self._events = queue.Queue(CHANNEL)
        self._nodes = queue.Queue(NODES)
        self._dials = 0  # what arrived on an earlier connection is not handled any more
        self._answers = {}
        self._ids = itertools.count(1)
        self._socket = None
        self._write = threading.Lock()
        self._stopped = self._expected = False
        self._paired = threading.Event()
        self._login = queue.Queue()
        self._jid = self._push_name = None
        self._logged_in = False

    def __onLoginStatus(self, uuid, status):
        print(status)

    # connecting

    def connect(self, proxy_settings=None):
        if FAILS_TO_CONNECT:
            raise TypeError("a callback wants another argument")
        self._database = sqlite3.connect(self.name, check_same_thread=False, isolation_level=None, timeout=5)
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_TABLES)
        row = self._database.execute("SELECT jid, push_name FROM whatsmeow_device").fetchone()
        if row is not None:
            self._jid, self._push_name = row
            self._paired.set()
        try:
            self._dial()
        except OSError as error:
            raise NeonizeError(f"failed to dial whatsapp web websocket: {error}") from None
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._handle, daemon=True).start()
        if self._jid is None:
            self._log_in()
        self._paired.wait()
        while True:
            name, plain = self._events.get()
            if name == "Connected":
                self._logged_in = True
            if name in ("Disconnected", "LoggedOut"):
                self._logged_in = False
            handler = self.event.handlers.get(name)
            if handler is not None:
                handler(self, getattr(proto, name).FromString(json.dumps(plain).encode()))

    def _dial(self):
        self._socket = socket.create_connection(ADDRESS, timeout=10)
        self._socket.settimeout(None)
        self._dials += 1
        self._say({"do": "hello", "device": self._jid})

    def _log_in(self):
        """The QR channel: each QR for its time, then how it ended; no event comes before that."""
        pause, codes = None, []
        while True:
            try:
                what = self._login.get(timeout=pause)
            except queue.Empty:
                what = {"push": "next"}
            if what["push"] == "qr":
                pause, codes = what["pause"], list(what["codes"])
            elif what["push"] == "login":
                self._login_status(what["how"])
                if what["how"].startswith(("passkey-", "err-scanned-")):
                    continue  # the person can go on
                return None
            if not codes:
                self._expected = True
                self._socket.shutdown(socket.SHUT_RDWR)
                return self._login_status("timeout")
            self.event._qr(self, codes.pop(0).encode())

    def _login_status(self, how):
        text = ctypes.create_string_buffer(how.encode())
        self.__onLoginStatus(0, ctypes.addressof(text))

    def _read(self):
        while not self._stopped:
            try:
                for line in self._socket.makefile("rb"):
                    self._take(json.loads(line))
            except (OSError, ValueError):
                pass
            for waiting in list(self._answers.values()):
                waiting.put({"error": "websocket disconnected before info query returned response"})
            if self._stopped or self._expected:
                return
            if self._jid is None:
                self._login.put({"push": "login", "how": "timeout"})
                return
            self._events.put(("Disconnected", {"status": True}))
            while not self._stopped:
                try:
                    self._dial()
                    break
                except OSError:
                    time.sleep(0.05)

    def _take(self, what):
        if "n" in what:
            waiting = self._answers.get(what["n"])
            if waiting is not None:
                waiting.put(what)
            return
        match what["push"]:
            case "qr":
                self._login.put(what)
            case "paired":
                self._jid, self._push_name = what["jid"], what["name"]
                self._database.execute(
                    "INSERT INTO whatsmeow_device VALUES (?, ?)", (self._jid, self._push_name)
                )
                self._login.put({"push": "login", "how": "success"})
                self._events.put(("PairStatus", {"Status": 2}))
                self._paired.set()
            case "login":
                self._login.put(what)
            case "event":
                if what.get("end"):
                    self._expected = True
                if what["type"] == "LoggedOut":
                    self._database.execute("DELETE FROM whatsmeow_device")
                self._nodes.put((self._dials, what))
            case "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "hang":
                time.sleep(3600)

    def _handle(self):
        while not self._stopped:
            dial, what = self._nodes.get()
            if self._stopped:
                return  # it is not acknowledged
            if dial != self._dials:
                continue
            if what["type"] != "Message" or self._decrypted(what):
                self._events.put((what["type"], what["data"]))
            with suppress(OSError):
                self._say({"do": "ack", "number": what["number"]})

    def _decrypted(self, what):
        """Steps the Signal session of the chat. Returns whether the message is new and could be opened."""
        chat, signal_ = what["data"]["Info"]["MessageSource"]["Chat"]["User"], what.get("signal")
        if signal_ is not None:
            row = self._database.execute(
                "SELECT counter FROM whatsmeow_sessions WHERE their_id = ?", (f"{chat}:0",)
            ).fetchone()
            if row is None and not signal_["prekey"]:
                self._say({"do": "retry", "number": what["number"]})
                return False
            if row is not None and signal_["counter"] <= (row[0] or 0):
                return False
        self._step(chat)
        if signal_ is not None:
            self._database.execute(
                "UPDATE whatsmeow_sessions SET counter = ? WHERE their_id = ?",
                (signal_["counter"], f"{chat}:0"),
            )
        return True

    def _say(self, what):
        data = json.dumps(what).encode() + b"\n"
        with self._write:
            self._socket.sendall(data)

    def _ask(self, do, *, seconds=75.0, error=NeonizeError, **more):
        if self._socket is None:
            raise error("websocket not connected")
        number, waiting = next(self._ids), queue.Queue()
        self._answers[number] = waiting
        try:
            self._say({"n": number, "do": do, **more})
            answer = waiting.get(timeout=seconds)
        except OSError:
            raise error("websocket not connected") from None
        except queue.Empty:
            raise error("timed out waiting for message send response") from None
        finally:
            del self._answers[number]
        if "bug" in answer:
            raise TypeError(answer["bug"])
        if "error" in answer:
            raise error(answer["error"])
        return answer["ok"]

    def _step(self, chat, device=0):
        self._database.execute(
            "INSERT INTO whatsmeow_sessions VALUES (?, 1, NULL) ON CONFLICT (their_id) DO UPDATE SET steps = steps + 1",
            (f"{chat}:{device}",),
        )

    def disconnect(self):
        self._stopped = self._expected = True
        if self._socket is not None:
            self._socket.shutdown(socket.SHUT_RDWR)  # closing alone does not wake the thread that reads

    def logout(self):
        self._need()
        self._ask("logout")
        self._expected = True
        self._database.execute("DELETE FROM whatsmeow_device")

    def PairPhone(self, phone, show_push_notification, client_name=ClientName.LINUX, client_type=None):
        if self._socket is None:
            raise PairPhoneError("client is nil: ensure client is connected before calling PairPhone")
        return self._ask("pair_code", phone=phone, error=PairPhoneError)

    def _need(self, error=NeonizeError):
        if self._jid is None:
            raise error("the store doesn't contain a device JID")

    # what is asked

    @property
    def is_connected(self):
        return self._socket is not None

    @property
    def is_logged_in(self):
        return self._logged_in

    def get_me(self):
        if self._jid is None:
            return proto.Device(LID=proto.JID())
        return proto.Device(JID=_jid(self._jid), PushName=self._push_name)

    def send_message(
        self,
        to,
        message,
        link_preview=False,
        ghost_mentions=None,
        mentions_are_lids=False,
        add_msg_secret=False,
    ):
        self._need(SendMessageError)
        id = "3EB0" + secrets.token_hex(9).upper()
        if secret := message.messageContextInfo.messageSecret:
            self._database.execute(
                "INSERT INTO whatsmeow_message_secrets VALUES (?, ?, ?, ?, ?)",
                (self._jid, _text(to), self._jid, id, secret),
            )
        for device in self._ask("encrypted", jid=_text(to)):
            self._step(to.User, device)
        answer = self._ask("send", to=_text(to), id=id, message=message._plain(), error=SendMessageError)
        return proto.SendResponse(ID=id, Timestamp=answer["at"])

    def upload(self, binary, media_type=None):
        where = self._ask("upload", data=base64.b64encode(binary).decode(), kind=media_type.name)
        return proto.UploadResponse(
            url=f"https://mmg.whatsapp.net{where}", DirectPath=where, MediaKey=b"k" * 32, FileEncSHA256=b"e" * 32,
            FileSHA256=b"s" * 32, FileLength=len(binary),
        )  # fmt: skip

    def download_any(self, message, path=None):
        for field in ("imageMessage", "videoMessage", "audioMessage", "documentMessage", "stickerMessage"):
            if message.HasField(field):
                answer = self._ask("download", where=getattr(message, field).directPath)
                return base64.b64decode(answer)
        raise NeonizeError("no url present")

    def is_on_whatsapp(self, *numbers):
        users = self._ask("on_whatsapp", numbers=list(numbers))
        return [
            proto.IsOnWhatsAppResponse(Query=number, JID=_jid(jid or "@"), IsIn=jid is not None)
            for number, jid in users
        ]

    def get_user_devices(self, *jids):
        users = self._ask("devices", jids=[_text(jid) for jid in jids])
        return [_device(user, number) for user, numbers in users for number in numbers]

    def get_user_info(self, *jid):
        users = self._ask("users", jids=[_text(user) for user in jid])
        return [proto.GetUserInfoSingleReturnFunction(JID=_jid(user)) for user in users]

    def get_group_info(self, jid):
        name = self._ask("group", jid=_text(jid))
        return proto.GroupInfo(JID=jid, GroupName=proto.GroupName(Name=name))

    def get_pn_from_lid(self, jid):
        return _jid(self._ask("phone_of", jid=_text(jid)))

    def get_profile_picture(self, jid, extra=proto.GetProfilePictureParams()):
        return proto.ProfilePictureInfo(URL=self._ask("picture", jid=_text(jid)))

    def send_chat_presence(self, jid, state, media):
        self._ask("presence", jid=_text(jid), state=state.name, media=media.name)

    def send_presence(self, presence):
        self._ask("online", presence=presence.name)

    def mark_read(self, *message_ids, chat, sender, receipt, timestamp=None):
        self._ask(
            "mark_read", ids=list(message_ids), chat=_text(chat), sender=_text(sender), receipt=receipt.name
        )

    def get_blocklist(self):
        return self._ask("blocklist")


def _text(jid):
    return f"{jid.User}@{jid.Server}"


def _device(text, number):
    user, _, server = text.rpartition("@")
    return proto.JID(User=user, Server=server, Device=number)


def _jid(text):
    user, _, server = text.rpartition("@")
    return proto.JID(User=user, Server=server)
