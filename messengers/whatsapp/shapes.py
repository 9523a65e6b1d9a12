"""Reads neonize's protocol buffers into plain values and builds them. Nothing here touches the network.

An address (JID) is `user@server`. A person has two: one of the phone (s.whatsapp.net) and a hidden one (lid). A thread
is named by the phone's address wherever it is known, so that its name does not change.
"""

import base64
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

USER, HIDDEN, GROUP, BROADCAST, CHANNEL = "s.whatsapp.net", "lid", "g.us", "broadcast", "newsletter"
MAX_SHORT = 1024  # characters of an id, an address or a reaction
_VCARD = 32_768  # bytes of a contact card in a data: URL
_TEXT = 65_536
_PIXELS = 40_000_000  # pixels of the largest image that gets a preview
_PREVIEW = 96

# Fields of a message with a file, and its kind here. A sticker is an image.
_MEDIA = (
    ("imageMessage", "image"),
    ("videoMessage", "video"),
    ("ptvMessage", "video"),
    ("audioMessage", "audio"),
    ("documentMessage", "file"),
    ("stickerMessage", "image"),
)
_WITH_CONTEXT = (
    "extendedTextMessage",
    "imageMessage",
    "videoMessage",
    "ptvMessage",
    "audioMessage",
    "documentMessage",
    "stickerMessage",
    "locationMessage",
    "contactMessage",
)
_REVOKE = 0  # ProtocolMessage.Type: the message is deleted for everyone
_ADMIN_REVOKE = "8"  # the stanza's `edit`: an administrator deletes the message of another member
_CHOSEN = (
    ("buttonsResponseMessage", "selectedDisplayText"),
    ("templateButtonReplyMessage", "selectedDisplayText"),
    ("listResponseMessage", "title"),
)

ToPhone = Callable[[Any], Any]  # maps a hidden address to the phone's, if known


class Shapes:
    """Converts between plain values and the library's messages."""

    def __init__(self, proto: Any, e2e: Any) -> None:
        self.proto, self.e2e = proto, e2e

    def jid(self, text: str) -> Any:
        """Parses an address."""
        user, _, server = text.rpartition("@")
        return self.proto.JID(User=user, Server=server, RawAgent=0, Device=0, Integrator=0, IsEmpty=False)

    def source(self, source: Any, to_phone: ToPhone) -> dict[str, Any] | None:
        """Returns thread, sender and kind of an event; None if it belongs to no chat (statuses, lists)."""
        chat, sender = source.Chat, source.Sender
        if chat.Server == BROADCAST:
            if chat.User == "status" or source.IsFromMe:
                return None
            chat = sender
        kind = {GROUP: "group", CHANNEL: "channel"}.get(chat.Server, "user")
        thread = text_of(chat)
        if chat.Server == HIDDEN:
            thread = text_of(
                _phones(source.RecipientAlt if source.IsFromMe else source.SenderAlt) or to_phone(chat)
            )
        author = _phones(sender) or _phones(source.SenderAlt) or to_phone(sender)
        return {
            "thread": thread,
            "kind": kind,
            "chat": text_of(source.Chat),
            "sender": text_of(sender),
            "author": phone_or_address(text_of(author)),
            "outgoing": bool(source.IsFromMe),
        }

    def message(self, event: Any, to_phone: ToPhone) -> dict[str, Any] | None:
        """Returns a message, reaction or deletion as an event of the child; None for anything else.

        Also returns None if the id of the message is none.
        """
        info = event.Info
        source = self.source(info.MessageSource, to_phone)
        if source is None or info.Category == "peer":
            return None
        message, id, at = event.Message, info.ID, info.Timestamp / 1000
        if not message.HasField("protocolMessage"):
            return self._report(message, source, id, at, info.Pushname)
        change = message.protocolMessage
        if not change.HasField("editedMessage"):
            is_deletion = change.HasField("type") and change.type == _REVOKE and is_short(change.key.ID)
            return self._deletion(change.key.ID, source, info.Edit) if is_deletion else None
        report = self._report(change.editedMessage, source, change.key.ID, at, info.Pushname)
        return report and report | {"edited": True}

    def _deletion(self, id: str, source: dict[str, Any], edit: str) -> dict[str, Any]:
        """Returns a deletion. The key in it is the sender's claim: people delete their own messages, and only
        WhatsApp's server says who is the administrator of a group.
        """
        by_admin = source["kind"] == "group" and edit == _ADMIN_REVOKE
        by_member = source["kind"] == "group" and not by_admin and not source["outgoing"]
        return {
            "t": "deletion",
            "id": id,
            "thread": source["thread"],
            "outgoing": None if by_admin else source["outgoing"],
            "sender": source["author"] if by_member else None,
        }

    def history_message(self, web: Any, chat: str, to_phone: ToPhone) -> dict[str, Any] | None:
        """Returns a message of the phone's history as an event of the child, or None."""
        mine = bool(web.key.fromMe)
        jid = to_phone(self.jid(chat)) if chat.endswith(f"@{HIDDEN}") else self.jid(chat)
        sender = web.key.participant or web.participant or ("" if mine else chat)
        author = to_phone(self.jid(sender)) if sender else None
        source = {
            "thread": text_of(jid),
            "kind": "group" if chat.endswith(f"@{GROUP}") else "user",
            "chat": chat,
            "sender": sender,
            "author": phone_or_address(text_of(author)) if author is not None else None,
            "outgoing": mine,
        }
        report = self._report(web.message, source, web.key.ID, float(web.messageTimestamp), web.pushName)
        if report is None or report["t"] != "message":
            return None
        status = {2: "server", 3: "delivered", 4: "has_seen", 5: "has_seen"}.get(int(web.status))
        return report | {"past": True, "status": status if mine else None}

    def _report(
        self, message: Any, source: dict[str, Any], id: str, at: float, name: str
    ) -> dict[str, Any] | None:
        head = {"id": id, "thread": source["thread"], "outgoing": source["outgoing"], "at": at}
        if message.HasField("reactionMessage"):
            reaction = message.reactionMessage
            if not is_short(reaction.key.ID) or (reaction.text and not is_short(reaction.text)):
                return None
            return {
                **head,
                "t": "reaction",
                "id": reaction.key.ID,
                "sender": source["author"],
                "emoji": reaction.text or None,
            }
        text, content = text_in(message), list(content_in(message))
        if not is_short(id) or not (text or content):
            return None
        return {
            **head,
            "t": "message",
            "sender": source["author"],
            "kind": source["kind"],
            "text": text[:_TEXT],
            "content": content,
            "reply_to": answered(message),
            "name": name or None,
        }

    def outgoing(
        self,
        text: str,
        medium: tuple[str, str, str | None, bytes] | None,
        uploaded: Any,
        secret: bytes,
        context: Any | None,
    ) -> Any:
        """Builds a message. `medium`: kind, MIME type, name, data; `uploaded`: the result of its upload."""
        message = self.e2e.Message()
        message.messageContextInfo.messageSecret = secret
        if medium is None:
            if context is None:
                message.conversation = text
            else:
                message.extendedTextMessage.text = text
                message.extendedTextMessage.contextInfo.CopyFrom(context)
            return message
        kind, mime, name, data = medium
        part = getattr(
            message,
            {"image": "imageMessage", "video": "videoMessage", "file": "documentMessage"}.get(
                kind, "audioMessage"
            ),
        )
        part.URL, part.directPath, part.mediaKey = uploaded.url, uploaded.DirectPath, uploaded.MediaKey
        part.fileSHA256, part.fileEncSHA256 = uploaded.FileSHA256, uploaded.FileEncSHA256
        part.fileLength, part.mimetype = len(data), mime
        if kind in ("audio", "voice"):
            part.PTT = kind == "voice"
            if kind == "voice" and mime.startswith("audio/ogg"):
                part.mimetype = (
                    "audio/ogg; codecs=opus"  # WhatsApp's own apps accept only this type as a voice message
                )
                part.seconds = ogg_seconds(data)
        elif text:
            part.caption = text
        if kind == "file":
            part.fileName = name or "file"
            part.title = name or "file"
        if kind == "image":
            preview = preview_of(data)
            if preview is not None:
                part.JPEGThumbnail, part.width, part.height = preview
        if context is not None:
            part.contextInfo.CopyFrom(context)
        return message

    def reply_context(self, id: str, sender: str | None, content: bytes) -> Any:
        """Builds the context that makes a message a reply."""
        context = self.e2e.ContextInfo(stanzaID=id)
        if sender:
            context.participant = sender
        quoted = self.e2e.Message.FromString(content) if content else self.e2e.Message(conversation="")
        context.quotedMessage.CopyFrom(quoted)
        return context

    def remembered(self, message: Any) -> bytes:
        """Serializes a message without its preview and the quoted message, to be quoted or fetched later."""
        copy = self.e2e.Message()
        copy.CopyFrom(message)
        for field in _WITH_CONTEXT:
            if copy.HasField(field):
                part = getattr(copy, field)
                part.ClearField("contextInfo")
                if field in ("imageMessage", "videoMessage", "documentMessage", "extendedTextMessage"):
                    part.ClearField("JPEGThumbnail")
        copy.ClearField("messageContextInfo")
        return bytes(copy.SerializeToString())


def is_short(text: str) -> bool:
    """Returns whether the text can be an id or a reaction. Other people's devices choose both, and may send
    anything.
    """
    return 0 < len(text) <= MAX_SHORT and "\0" not in text


def text_of(jid: Any) -> str:
    """Returns the address as text, without the device."""
    return f"{jid.User}@{jid.Server}" if jid.User else str(jid.Server)


def phone_or_address(address: str) -> str:
    """Returns a phone's address as E.164, any other address unchanged."""
    user, _, server = address.rpartition("@")
    return f"+{user}" if server == USER and user.isdecimal() else address


def _phones(jid: Any) -> Any | None:
    return jid if jid.Server == USER and jid.User else None


def text_in(message: Any) -> str:
    """Returns the text of a message, or ""."""
    if message.conversation:
        return str(message.conversation)
    if message.HasField("extendedTextMessage"):
        return str(message.extendedTextMessage.text)
    for field in ("imageMessage", "videoMessage", "documentMessage"):
        if message.HasField(field):
            return str(getattr(message, field).caption)
    for field, words in _CHOSEN:
        if message.HasField(field):
            return str(getattr(getattr(message, field), words))
    if message.HasField("locationMessage"):
        location = message.locationMessage
        where = f"geo:{location.degreesLatitude:.6f},{location.degreesLongitude:.6f}"
        return " ".join(part for part in (location.name, location.address, where) if part)
    return ""


def content_in(message: Any) -> Iterator[dict[str, Any]]:
    """Yields the files of a message."""
    for field, kind in _MEDIA:
        if message.HasField(field):
            part = getattr(message, field)
            yield {
                "kind": "voice" if field == "audioMessage" and part.PTT else kind,
                "src": None,
                "mime": part.mimetype or None,
                "name": (part.fileName or None) if field == "documentMessage" else None,
                "size": int(part.fileLength) or None,
            }
    if message.HasField("contactMessage"):
        card = str(message.contactMessage.vcard).encode()[:_VCARD]
        yield {
            "kind": "file",
            "src": f"data:text/vcard;base64,{base64.b64encode(card).decode()}",
            "mime": "text/vcard",
            "name": message.contactMessage.displayName or None,
            "size": len(card),
        }


def answered(message: Any) -> str | None:
    """Returns the ID of the message that this one replies to, or None."""
    for field in _WITH_CONTEXT:
        if message.HasField(field):
            return str(getattr(message, field).contextInfo.stanzaID) or None
    return None


def ogg_seconds(data: bytes) -> int:
    """Returns the length of Opus in Ogg: the last page's granule position counts samples at 48 kHz (RFC 7845, 4)."""
    last = data.rfind(b"OggS")
    if last < 0 or last + 14 > len(data):
        return 0
    samples = struct.unpack_from("<q", data, last + 6)[0]
    return max(0, min(int(samples) // 48_000, 86_400))


def preview_of(data: bytes) -> tuple[bytes, int, int] | None:
    """Returns a small JPEG, width and height, or None. A preview is optional, so no error leaves this function."""
    with suppress(Exception):
        import importlib

        Image = importlib.import_module("PIL.Image")  # noqa: N806  it comes with neonize

        with Image.open(BytesIO(data)) as image:
            width, height = image.size
            if width * height > _PIXELS:
                return None
            image.draft("RGB", (_PREVIEW, _PREVIEW))
            small = image.convert("RGB")
            small.thumbnail((_PREVIEW, _PREVIEW))
            out = BytesIO()
            small.save(out, format="JPEG", quality=60)
            return out.getvalue(), width, height
    return None
