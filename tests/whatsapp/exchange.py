"""A messenger on loopback that the stand-in library talks to: people, devices, media, and what may go wrong."""

import asyncio
import base64
import itertools
import json
import os
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from tests.support.tcp import serving

USER, HIDDEN, GROUP = "s.whatsapp.net", "lid", "g.us"
_numbers = itertools.count(os.getpid() % 10_000 * 10_000)


def phone() -> str:
    """Digits."""
    return f"1415{next(_numbers) % 10**7:07d}"


def jid(text: str) -> dict[str, Any]:
    user, _, server = text.rpartition("@")
    return {"User": user, "Server": server}


class Wire:
    """Holds one connection of a device."""

    def __init__(
        self, exchange: "Exchange", reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.exchange, self.reader, self.writer = exchange, reader, writer
        self.device: str | None = None

    def say(self, what: dict[str, Any]) -> None:
        self.writer.write(json.dumps(what).encode() + b"\n")

    def cut(self) -> None:
        self.writer.transport.abort()


class Exchange:
    def __init__(self) -> None:
        self.port = 0
        self.pause = 30.0  # seconds that a QR lives
        self.per_round = 3
        self.wires: set[Wire] = set()
        self.showing: dict[str, Wire] = {}  # by QR or code
        self.asked_code: dict[str, str] = {}  # phone by code
        self.devices: set[str] = set()
        self.people: dict[str, Peer] = {}  # by phone
        self.hidden: dict[str, str] = {}  # phone by hidden user
        self.groups: dict[str, str] = {}
        self.media: dict[str, bytes] = {}
        self.undelivered: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)  # by device
        self.counters: dict[tuple[str, str], int] = defaultdict(int)  # of Signal, by device and chat
        self.retries = 0  # messages that a device could not open
        self.troubles: dict[str, str] = {}  # by phone: error text, or "crash" or "silent"
        self.taken: dict[str, int] = defaultdict(int)
        self.sent: list[dict[str, Any]] = []
        self.locked = False  # the account may write to nobody who never wrote to it
        self.tried: list[str] = []  # users to whom a message was put on the wire
        self.linked: dict[
            str, list[int]
        ] = {}  # numbers of a person's devices, by user; otherwise the phone alone
        self.bugs: set[str] = set()  # what the library's own code fails at, as by a wrong argument
        self.keyless: set[str] = set()  # users for whose devices there are no keys
        self.online: list[str] = []
        self._events = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(self, reader, writer)
        self.wires.add(wire)
        try:
            while line := await reader.readline():
                request = json.loads(line)
                if request["do"] == "hello":
                    self.hello(wire, request["device"])
                elif request["do"] == "ack":
                    self.undelivered[wire.device or ""].pop(request["number"], None)
                elif request["do"] == "retry":
                    self.send_again(wire.device or "", request["number"])
                else:
                    task = asyncio.create_task(self.answer(wire, request))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
        except ValueError:
            pass
        finally:
            self.wires.discard(wire)

    def hello(self, wire: Wire, device: str | None) -> None:
        if device is None:
            values = [f"2@{secrets.token_urlsafe(24)},{number}" for number in range(self.per_round)]
            self.showing |= dict.fromkeys(values, wire)
            wire.say({"push": "qr", "codes": values, "pause": self.pause})
            return
        wire.device = device
        if device not in self.devices:
            self.event(wire, "LoggedOut", {"OnConnect": True, "Reason": 2}, end=True)
            return
        for other in [
            connection for connection in self.wires if connection is not wire and connection.device == device
        ]:
            self.event(other, "StreamReplaced", {}, end=True)
            other.device = None
        self.event(wire, "Connected", {"status": True})
        for number, what in sorted(self.undelivered[device].items()):
            wire.say(what | {"number": number})

    def event(self, wire: Wire, kind: str, data: dict[str, Any], *, end: bool = False) -> None:
        wire.say({"push": "event", "type": kind, "data": data, "end": end, "number": next(self._events)})

    def deliver(self, device: str, kind: str, data: dict[str, Any]) -> None:
        """Kept until the device says that it has it."""
        what: dict[str, Any] = {"push": "event", "type": kind, "data": data}
        if kind == "Message":
            what["signal"] = self.signal(device, data)
        self.put(device, what)

    def signal(self, device: str, data: dict[str, Any], *, new_session: bool = False) -> dict[str, Any]:
        """Encrypts a message, as it were: with the next counter, and with the keys of a session if that is new."""
        key = device, data["Info"]["MessageSource"]["Chat"]["User"]
        self.counters[key] += 1
        return {"counter": self.counters[key], "prekey": new_session or self.counters[key] == 1}

    def send_again(self, device: str, number: int) -> None:
        """Sends a message again, in a new Signal session: the device could not open it."""
        if (what := self.undelivered[device].pop(number, None)) is not None:
            self.retries += 1
            self.put(device, what | {"signal": self.signal(device, what["data"], new_session=True)})

    def put(self, device: str, what: dict[str, Any]) -> None:
        number = next(self._events)
        self.undelivered[device][number] = what
        for wire in self.live(device):
            wire.say(what | {"number": number})

    def live(self, device: str) -> list[Wire]:
        return [wire for wire in self.wires if wire.device == device]

    def pair(self, wire: Wire, own: str) -> None:
        device = f"{own}@{USER}"
        self.devices.add(device)
        wire.device = device
        wire.say({"push": "paired", "jid": device, "name": "Ada"})
        self.event(wire, "Connected", {"status": True})

    # what devices ask

    async def answer(self, wire: Wire, request: dict[str, Any]) -> None:
        try:
            if request["do"] in self.bugs:
                what: dict[str, Any] | None = {"bug": "it wants another argument"}
            else:
                what = getattr(self, f"on_{request['do']}")(wire, request)
        except LookupError as error:
            what = {"error": str(error)}
        if what is not None:
            with suppress(ConnectionError):
                wire.say({"n": request["n"]} | what)

    def on_pair_code(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        if len(request["phone"]) <= 6:
            return {"error": "phone number too short"}
        code = "-".join(secrets.token_hex(2).upper() for _ in range(2))
        self.showing[code], self.asked_code[code] = wire, request["phone"]
        return {"ok": code}

    def on_send(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any] | None:
        user, _, _ = request["to"].partition("@")
        trouble = self.troubles.get(user)
        self.tried.append(user)
        known = self.people.get(self.hidden.get(user, user))
        if self.locked and not (known and any(not message["ours"] for message in known.messages)):
            return {"error": "server returned error 463"}
        if trouble not in (
            None,
            "crash",
            "crash first",
            "silent",
            "timed out waiting for message send response",
        ):
            return {"error": trouble}
        if trouble == "crash first":
            wire.say({"push": "crash"})
            return None
        self.taken[user] += 1
        self.sent.append(request)
        if trouble == "crash":
            wire.say({"push": "crash"})
        if trouble in ("crash", "silent"):
            return None
        if trouble is not None:
            return {"error": trouble}
        peer = self.people.get(self.hidden.get(user, user))
        if peer is not None:
            peer.take(wire.device or "", request)
        return {"ok": {"at": int(time.time())}}

    def on_upload(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        where = f"/{request['kind']}/{secrets.token_hex(8)}"
        self.media[where] = base64.b64decode(request["data"])
        return {"ok": where}

    def on_download(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        if request["where"] not in self.media:
            return {"error": "download failed with status code 410"}
        return {"ok": base64.b64encode(self.media[request["where"]]).decode()}

    def on_on_whatsapp(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        numbers = {**self.people, **self.troubles}

        def address(phone: str) -> str | None:
            return f"{phone}@{USER}" if phone in numbers and self.troubles.get(phone) != "nobody" else None

        return {"ok": [[number, address(number[1:])] for number in request["numbers"]]}

    def on_devices(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": [[jid, self.linked.get(jid.partition("@")[0], [0])] for jid in request["jids"]]}

    def on_encrypted(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        user = request["jid"].partition("@")[0]
        return {"ok": [] if user in self.keyless else self.linked.get(user, [0])}

    def on_users(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        return {
            "ok": [jid for jid in request["jids"] if jid.partition("@")[0] in {**self.people, **self.hidden}]
        }

    def on_contact(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": self.people[request["jid"].partition("@")[0]].name}

    def on_picture(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        return {"error": "that user or group does not have a profile picture"}

    def on_group(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": self.groups[request["jid"]]}

    def on_phone_of(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        number = self.hidden.get(request["jid"].partition("@")[0])
        return {"ok": f"{number}@{USER}"} if number else {"error": "No PN found"}

    def on_presence(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        peer = self.people.get(request["jid"].partition("@")[0])
        if peer is not None:
            recording = request["media"].endswith("AUDIO")
            peer.shown.append(
                "none" if request["state"].endswith("PAUSED") else "recording" if recording else "typing"
            )
        return {"ok": True}

    def on_online(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        self.online.append(request["presence"])
        return {"ok": True}

    def on_mark_read(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        user = request["chat"].partition("@")[0]
        peer = self.people.get(self.hidden.get(user, user))
        if peer is not None:
            peer.seen_by_us |= set(request["ids"])
        return {"ok": True}

    def on_blocklist(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": []}

    def on_logout(self, wire: Wire, request: dict[str, Any]) -> dict[str, Any]:
        self.devices.discard(wire.device or "")
        return {"ok": True}


class Peer:
    """Stands for a person with a phone, in one conversation with an account."""

    def __init__(
        self, exchange: Exchange, account: str, *, hidden: bool = False, group: str | None = None
    ) -> None:
        self.exchange, self.account, self.number = exchange, f"{account}@{USER}", phone()
        self.name = "Grace"
        self.hidden = f"9{self.number}" if hidden else None
        self.group = group
        self.shown: list[str] = []
        self.seen_by_us: set[str] = set()
        self.messages: list[dict[str, Any]] = []  # the peer's and ours
        exchange.people[self.number] = self
        if self.hidden:
            exchange.hidden[self.hidden] = self.number

    @property
    def to(self) -> str:
        return f"+{self.number}"

    def take(self, device: str, request: dict[str, Any]) -> None:
        self.messages.append({"id": request["id"], "message": request["message"], "ours": True})
        self.receipt([request["id"]], 1)

    def source(self, *, mine: bool = False) -> dict[str, Any]:
        address = f"{self.hidden}@{HIDDEN}" if self.hidden else f"{self.number}@{USER}"
        if mine:
            return {"Chat": jid(address), "Sender": jid(self.account), "IsFromMe": True}
        source: dict[str, Any] = {"Chat": jid(self.group or address), "Sender": jid(address)}
        if self.group:
            source["IsGroup"] = True
        if self.hidden:
            source["SenderAlt"] = jid(f"{self.number}@{USER}")
        return source

    def tell(self, message: dict[str, Any], *, mine: bool = False, edit: bool = False, **more: Any) -> str:
        id = secrets.token_hex(8).upper()
        self.messages.append({"id": id, "message": message, "ours": mine})
        info = {
            "ID": id,
            "MessageSource": self.source(mine=mine),
            "Timestamp": int(time.time() * 1000),
            "Pushname": self.name,
        }
        self.exchange.deliver(
            self.account, "Message", {"Info": info | more, "Message": message, "IsEdit": edit}
        )
        return id

    def receipt(self, ids: list[str], kind: int) -> None:
        data = {
            "MessageSource": self.source(),
            "MessageIDs": ids,
            "Timestamp": int(time.time()),
            "Type": kind,
        }
        self.exchange.deliver(self.account, "Receipt", data)


@asynccontextmanager
async def exchange() -> AsyncIterator[Exchange]:
    made = Exchange()
    async with serving(made.serve, limit=128 * 2**20) as made.port:
        yield made
