"""WhatsApp linked devices: the driver's real child processes, on a library that stands in for neonize."""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

from messengers.port import Account, Action, Media
from messengers.whatsapp import WhatsApp
from shapes.chats import ContentKind
from shapes.messenger_accounts import MessengerSource
from tests.messengers.rig import Can, Got, How, Trouble
from tests.whatsapp.exchange import USER, Exchange, Peer, exchange, phone

NAMES = ("whatsapp",)
_TROUBLES = {
    Trouble.refused: "nobody",
    Trouble.throttled: "server returned error 429",
    Trouble.unreachable: "failed to get device list: websocket not connected",
    Trouble.uncertain: "timed out waiting for message send response",
}
_FIELDS = {
    ContentKind.image: "imageMessage", ContentKind.video: "videoMessage", ContentKind.audio: "audioMessage",
    ContentKind.voice: "audioMessage", ContentKind.file: "documentMessage",
}  # fmt: skip


class WhatsAppPeer:
    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.to = peer.to

    async def write(self, text: str = "", *, media: Media | None = None, reply_to: str | None = None) -> None:
        context = (
            {"contextInfo": {"stanzaID": reply_to, "participant": self.peer.account}} if reply_to else {}
        )
        if media is None:
            message = (
                {"extendedTextMessage": {"text": text, **context}} if context else {"conversation": text}
            )
        else:
            where = f"/{uuid4()}"
            self.peer.exchange.media[where] = media.data
            part = {"directPath": where, "mimetype": media.mime, "fileLength": len(media.data), **context}
            if text:
                part["caption"] = text
            if media.kind is ContentKind.file:
                part["fileName"] = media.name
            if media.kind is ContentKind.voice:
                part["PTT"] = True
            message = {_FIELDS[media.kind]: part}
        self.peer.tell(message)

    async def got(self) -> Sequence[Got]:
        texts = {message["id"]: _read(message["message"])[0] for message in self.peer.messages}
        messages = []
        for sent in self.peer.messages:
            if sent["ours"]:
                text, part, context = _read(sent["message"])
                media = [] if part is None else [self._medium(*part)]
                messages.append(Got(text, media, texts.get(context.get("stanzaID")), sent["id"]))
        return messages

    def _medium(self, field: str, part: dict[str, object]) -> Media:
        kind = next(kind for kind, name in _FIELDS.items() if name == field)
        kind = ContentKind.voice if part.get("PTT") else kind
        data = self.peer.exchange.media[str(part["directPath"])]
        return Media(kind, data, str(part["mimetype"]), part.get("fileName"))  # type: ignore[arg-type]

    async def read(self) -> None:
        self.peer.receipt([message["id"] for message in self.peer.messages if message["ours"]], 4)

    async def react(self, provider_id: str, emoji: str | None) -> None:
        key = {"remoteJID": self.peer.account, "fromMe": False, "ID": provider_id}
        self.peer.tell({"reactionMessage": {"key": key, "text": emoji or ""}})

    async def acts(self) -> Sequence[Action]:
        return self.peer.shown  # type: ignore[return-value]

    async def saw_read(self) -> bool:
        his = [message["id"] for message in self.peer.messages if not message["ours"]]
        return bool(his) and his[-1] in self.peer.seen_by_us


def _read(
    message: dict[str, dict[str, object]],
) -> tuple[str, tuple[str, dict[str, object]] | None, dict[str, str]]:
    if "conversation" in message:
        return str(message["conversation"]), None, {}
    if "extendedTextMessage" in message:
        part = message["extendedTextMessage"]
        return str(part["text"]), None, part.get("contextInfo", {})  # type: ignore[return-value]
    for field in _FIELDS.values():
        if field in message:
            part = message[field]
            caption, context = str(part.get("caption", "")), part.get("contextInfo", {})
            return caption, (field, part), context  # type: ignore[return-value]
    return "", None, {}


class WhatsAppRig:
    hows = frozenset({How.qr, How.pairing})
    # WhatsApp keeps no history, and what a device has taken it doesn't give again: no `gap` by a cursor.
    can = frozenset(Can) - {Can.history, Can.gap}
    troubles = frozenset(Trouble)
    right_code = "no such thing"
    right_password = "no such thing"
    secrets: Sequence[str] = ("proxy-pass",)

    def __init__(self, messenger: Exchange) -> None:
        self.messenger = messenger
        self.driver = WhatsApp(command=(sys.executable, "-m", "tests.whatsapp.stage", str(messenger.port)))
        self.phones: dict[UUID, str] = {}

    def account(self, how: How) -> Account:
        number, id = phone(), uuid4()
        self.phones[id] = number
        self.messenger.pause = 0.5
        return Account(
            id=id, source=MessengerSource.whatsapp, login=number, phone=number if how is How.pairing else None,
            proxy="socks5://somebody:proxy-pass@127.0.0.1:1",
        )  # fmt: skip

    async def admit(self, account: Account, value: str) -> None:
        wire = self.messenger.showing.pop(value, None)
        if wire is not None and wire in self.messenger.wires and wire.device is None:
            self.messenger.pair(wire, self.phones[account.id])

    async def peer(self, account: Account) -> WhatsAppPeer:
        return WhatsAppPeer(Peer(self.messenger, self.phones[account.id]))

    async def trouble(self, account: Account, trouble: Trouble) -> str:
        number = phone()
        self.messenger.troubles[number] = _TROUBLES[trouble]
        return f"+{number}"

    async def taken(self, account: Account, to: str) -> int:
        return self.messenger.taken[to.lstrip("+")]

    async def elsewhere(self, account: Account, peer: WhatsAppPeer, text: str) -> None:
        peer.peer.tell({"conversation": text}, mine=True)

    async def drop(self, account: Account) -> None:
        for wire in self.messenger.live(self._device(account)):
            wire.cut()

    async def revoke(self, account: Account) -> None:
        device = self._device(account)
        self.messenger.devices.discard(device)
        for wire in self.messenger.live(device):
            self.messenger.event(wire, "LoggedOut", {"OnConnect": False, "Reason": 2}, end=True)

    async def ban(self, account: Account) -> None:
        for wire in self.messenger.live(self._device(account)):
            self.messenger.event(wire, "TemporaryBan", {"Code": 4, "Expire": 3600}, end=True)

    async def connections(self, account: Account) -> int:
        device = self._device(account)
        if device in self.messenger.devices:
            return len(self.messenger.live(device))
        return len([wire for wire in self.messenger.wires if wire.device in (None, device)])

    def _device(self, account: Account) -> str:
        return f"{self.phones[account.id]}@{USER}"


@asynccontextmanager
async def rig(name: str) -> AsyncIterator[WhatsAppRig]:
    async with exchange() as messenger:
        made = WhatsAppRig(messenger)
        yield made
        await made.driver.close()
