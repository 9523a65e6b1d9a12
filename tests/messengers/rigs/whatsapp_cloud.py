"""WhatsApp Cloud: Meta's API on loopback. Meta calls back by HTTP; here its bodies are read at once, and told."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

from messengers.port import Account, Action, Lost, Media, Sink
from messengers.whatsapp_cloud import CloudConnection, CloudDriver, hook
from shapes.chats import ContentKind
from shapes.messenger_accounts import MessengerSource
from tests.channels.http_stub import Wire
from tests.messengers.rig import Can, Got, How, Trouble
from tests.whatsapp_cloud.meta import Meta, Number, callback, came, error, meta, report, value

NAMES = ("whatsapp-cloud",)
_TYPES = {
    ContentKind.image: "image",
    ContentKind.video: "video",
    ContentKind.audio: "audio",
    ContentKind.file: "document",
}
_KINDS = {name: kind for kind, name in _TYPES.items()}
_TROUBLES = {
    Trouble.refused: "15005550010",
    Trouble.throttled: "15005550040",
    Trouble.unreachable: "15005550030",
    Trouble.uncertain: "15005550050",
}


class Driver(CloudDriver):
    """Remembers whom to tell what Meta calls back."""

    def __init__(self, url: str) -> None:
        super().__init__(url, pauses=(0.05,))
        self.live: dict[UUID, list[tuple[CloudConnection, Sink]]] = {}

    def connect(self, account: Account, sink: Sink) -> CloudConnection:
        made = super().connect(account, sink)
        self.live.setdefault(account.id, []).append((made, sink))
        return made

    def open(self, id: UUID) -> list[tuple[CloudConnection, Sink]]:
        return [opened for opened in self.live.get(id, []) if opened[0]._client is not None]

    async def called_back(self, id: UUID, *changes: tuple[str, Any]) -> None:
        """Applies a callback on the open connections. tests/whatsapp_cloud tests callbacks that come while no worker
        has the account.
        """
        events = [parsed.event for parsed in hook.read(callback(*changes))]
        for connection, sink in self.open(id):
            try:
                await sink.apply_events(events)
            except Lost:
                await connection.close()


class CloudPeer:
    def __init__(self, rig: "CloudRig", account: Account, phone: str) -> None:
        self.rig, self.account, self.phone = rig, account, phone
        self.to = f"+{phone}"
        self.number = rig.number(account)
        self.wrote: dict[str, str] = {}  # wamid → text

    async def write(self, text: str = "", *, media: Media | None = None, reply_to: str | None = None) -> None:
        more: dict[str, Any] = {"context": {"from": self.number.phone, "id": reply_to}} if reply_to else {}
        kind, inside = "text", {"body": text}
        if media is not None:
            kind = _TYPES[media.kind]
            id = self.rig.meta.keep(self.number, media.data, media.mime)
            inside = {"id": id, "mime_type": media.mime, "caption": text, "filename": media.name or ""}
        message = came(self.number, self.phone, kind, inside, **more)
        self.wrote[message["messages"][0]["id"]] = text
        await self.tell(message)

    async def tell(self, message: dict[str, Any]) -> None:
        await self.rig.driver.called_back(self.account.id, ("messages", message))

    def mine(self) -> list[dict[str, Any]]:
        return [message for message in self.number.taken if message["to"] == self.phone]

    async def got(self) -> Sequence[Got]:
        texts = {**self.wrote, **{message["wamid"]: _text(message) for message in self.mine()}}
        return [
            Got(
                _text(message),
                [self._media(message)] if message["type"] in _KINDS else [],
                texts.get(message.get("context", {}).get("message_id", "")),
                message["wamid"],
            )
            for message in self.mine()
        ]

    def _media(self, message: dict[str, Any]) -> Media:
        mime, data, _ = self.rig.meta.media[message[message["type"]]["id"]]
        return Media(_KINDS[message["type"]], data, mime, message[message["type"]].get("filename"))

    async def read(self) -> None:
        for message in self.mine():
            for status in ("sent", "delivered", "read"):
                back = message["biz_opaque_callback_data"]
                status_report = report(
                    self.number, self.phone, message["wamid"], status, biz_opaque_callback_data=back
                )
                await self.tell(status_report)

    async def react(self, provider_id: str, emoji: str | None) -> None:
        inside = {"message_id": provider_id, **({"emoji": emoji} if emoji else {})}
        await self.tell(came(self.number, self.phone, "reaction", inside))

    async def acts(self) -> Sequence[Action]:
        return ["typing" for mark in self.number.marked if "typing_indicator" in mark]

    async def saw_read(self) -> bool:
        return any(mark["message_id"] == list(self.wrote)[-1] for mark in self.number.marked)


def _text(message: dict[str, Any]) -> str:
    inside = message[message["type"]]
    return str(inside.get("body") or inside.get("caption") or "")


class CloudRig:
    hows = frozenset({How.session})
    # Not: session (there is none), history and person (Meta has neither), gap (what comes comes to the hook, whoever is
    # away), drop (there is no connection), revoke and ban (Meta tells them at the next call: tests/whatsapp_cloud),
    # acts (only in answer to what was read, and without an end: there, too), recording, unused.
    can = frozenset({Can.replies, Can.reactions, Can.media, Can.seen, Can.read, Can.elsewhere})
    troubles = frozenset(Trouble)
    right_code = right_password = "there is none"

    def __init__(self, meta: Meta) -> None:
        self.meta = meta
        self.driver = Driver(meta.url)
        self.accounts: dict[UUID, Number] = {}
        self.phones = iter(range(16505550000, 16505559999))
        meta.wrong = {
            _TROUBLES[Trouble.refused]: error(400, 131026, "Message undeliverable."),
            _TROUBLES[Trouble.throttled]: error(400, 130429, "Too many", retry_after="7"),
            _TROUBLES[Trouble.unreachable]: error(503, 131016, "Service overloaded"),
        }
        meta.after = {_TROUBLES[Trouble.uncertain]: Wire.reset}

    @property
    def secrets(self) -> Sequence[str]:
        return [
            secret
            for account in self.accounts.values()
            for secret in (account.token, account.app_secret, account.verify_token)
        ]

    def number(self, account: Account) -> Number:
        return self.accounts[account.id]

    def account(self, how: How) -> Account:
        number = self.meta.number()
        made = Account(uuid4(), MessengerSource.whatsapp, number.phone, credentials=number.credentials)
        self.accounts[made.id] = number
        return made

    async def admit(self, account: Account, value: str) -> None:
        raise NotImplementedError("there is no login")

    async def peer(self, account: Account) -> CloudPeer:
        return CloudPeer(self, account, str(next(self.phones)))

    async def trouble(self, account: Account, trouble: Trouble) -> str:
        return f"+{_TROUBLES[trouble]}"

    async def taken(self, account: Account, to: str) -> int:
        return sum(message["to"] == to.lstrip("+") for message in self.number(account).taken)

    async def elsewhere(self, account: Account, peer: CloudPeer, text: str) -> None:
        """Writes in the WhatsApp Business app, of a number that has both."""
        number = self.number(account)
        echo = came(number, number.phone, "text", {"body": text}, to=peer.phone)["messages"]
        message = value(number, message_echoes=echo)
        await self.driver.called_back(account.id, ("smb_message_echoes", message))

    async def drop(self, account: Account) -> None:
        raise NotImplementedError

    async def revoke(self, account: Account) -> None:
        self.number(account).refused = (401, 190)

    async def ban(self, account: Account) -> None:
        self.number(account).refused = (403, 131031)

    async def connections(self, account: Account) -> int:
        return len(self.driver.open(account.id))


@asynccontextmanager
async def rig(name: str) -> AsyncIterator[CloudRig]:
    async with meta() as server:
        made = CloudRig(server)
        try:
            yield made
        finally:
            await made.driver.close()
