"""Turns Telegram's updates into the port's events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from cachetools import LRUCache
from telethon import utils
from telethon.tl import types

from messengers.port import Content, Deletion, Event, Message, Progress, Reaction
from messengers.telegram.peers import Peers, username
from shapes.chats import ChatMessageStatus, ContentKind

CHANNELS = r"^-\d{13,}$"  # threads of channels and large groups: each has its own sequence of message ids
MOST = 2000  # messages whose reactions, or whose items, are remembered


@dataclass(frozen=True, slots=True)
class Own:
    """A message at Telegram that we send. `index` 0 is the item itself; the others are its further parts."""

    thread: str
    item: UUID
    index: int


class Reader:
    """Reads the updates of one account; it remembers data that Telegram does not repeat."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers
        self._reactions: LRUCache[tuple[str, int], dict[str, str]] = LRUCache(MOST)
        self._sending: LRUCache[int, Own] = LRUCache(MOST)  # by random_id
        self._sent: LRUCache[tuple[str, int], Own] = LRUCache(MOST)  # by thread and message id
        self.read_up_to: dict[str, int] = {}  # thread → the newest own message that was read

    def sending(self, random_id: int, own: Own) -> None:
        """Records that a message is being sent."""
        self._sending[random_id] = own

    def sent(self, random_id: int, number: int) -> None:
        """Records the id that Telegram gave to a sent message."""
        if (own := self._sending.get(random_id)) is not None:
            self._sent[own.thread, number] = own

    def events(self, update: Any) -> Iterator[Event]:
        """Yields the events of an update."""
        if isinstance(update, types.UpdateMessageID):
            self.sent(update.random_id, update.id)
        elif isinstance(
            update,
            types.UpdateNewMessage
            | types.UpdateNewChannelMessage
            | types.UpdateEditMessage
            | types.UpdateEditChannelMessage,
        ):
            edited = isinstance(update, types.UpdateEditMessage | types.UpdateEditChannelMessage)
            if (made := self.message(update.message, edited=edited)) is not None:
                yield made
        elif isinstance(update, types.UpdateShortMessage | types.UpdateShortChatMessage):
            if (made := self.message(self._long(update))) is not None:
                yield made
        elif isinstance(update, types.UpdateReadHistoryOutbox):
            yield from self.read(update.peer, update.max_id)
        elif isinstance(update, types.UpdateReadChannelOutbox):
            yield from self.read(types.PeerChannel(update.channel_id), update.max_id)
        elif isinstance(update, types.UpdateMessageReactions):
            yield from self._reacted(update)
        elif isinstance(update, types.UpdateDeleteMessages):  # Telegram does not name the thread
            yield from (Deletion(str(each), apart=CHANNELS) for each in update.messages)
        elif isinstance(update, types.UpdateDeleteChannelMessages):
            thread = thread_of(types.PeerChannel(update.channel_id))
            yield from (Deletion(str(each), thread) for each in update.messages)

    def _long(self, update: Any) -> Any:
        """Returns a short update as a full message."""
        if isinstance(update, types.UpdateShortMessage):
            peer: Any = types.PeerUser(update.user_id)
            author = self._peers.me.id if update.out else update.user_id
        else:
            peer, author = types.PeerChat(update.chat_id), update.from_id
        return types.Message(
            id=update.id,
            peer_id=peer,
            from_id=types.PeerUser(author),
            date=update.date,
            message=update.message,
            out=update.out,
            reply_to=update.reply_to,
        )

    # messages

    def message(self, message: Any, *, edited: bool = False, past: bool = False) -> Message | None:
        """Returns a message as an event, or None for a service message or a later part of an own message."""
        if not isinstance(message, types.Message):
            return None
        if edited and (message.edit_hide or message.edit_date is None):
            return None  # a link preview was loaded, or a reaction changed
        thread = thread_of(message.peer_id)
        ours = self._sent.get((thread, message.id)) if message.out else None
        if ours is not None and ours.index > 0:
            return None
        private = isinstance(message.peer_id, types.PeerUser)
        chat = self._peers.user(message.peer_id.user_id) if private else self._peers.chat(message.peer_id)
        author = message.from_id or message.peer_id
        own = self._name(types.PeerUser(self._peers.me.id))
        kind: Literal["user", "group", "channel"] = "user"
        if not private:
            kind = "channel" if getattr(chat, "broadcast", False) else "group"
        out = bool(message.out)
        return Message(
            provider_id=str(message.id),
            thread=thread,
            outgoing=out,
            at=message.date,
            sender=own if out else self._name(author),
            recipient=self._name(message.peer_id) if out or not private else own,
            text=(message.message or _words(message.media)).replace("\0", ""),
            content=_content(message.media),
            reply_to=_reply(message),
            name=self._title(types.PeerUser(self._peers.me.id) if out else author),
            chat_kind=kind,
            chat_name=utils.get_display_name(chat) or None if chat is not None else None,
            status=self._status(thread, message.id) if out else None,
            item=ours.item if ours is not None and kind != "channel" else None,
            past=past,
            edited_at=message.edit_date if edited else None,
        )

    def _status(self, thread: str, number: int) -> ChatMessageStatus:
        seen = number <= self.read_up_to.get(thread, 0)
        return ChatMessageStatus.has_seen if seen else ChatMessageStatus.server

    def _entity(self, peer: Any) -> Any:
        return self._peers.user(peer.user_id) if isinstance(peer, types.PeerUser) else self._peers.chat(peer)

    def _name(self, peer: Any) -> str:
        """Returns the phone, else the user name, else the id."""
        entity = self._entity(peer)
        if isinstance(entity, types.User) and (phone := self._peers.phone(entity)):
            return phone
        return (username(entity) if entity is not None else None) or thread_of(peer)

    def _title(self, peer: Any) -> str | None:
        entity = self._entity(peer)
        return (utils.get_display_name(entity) or None) if entity is not None else None

    def read(self, peer: Any, up_to: int) -> Iterator[Progress]:
        """Yields the read mark of a thread, if it moved."""
        thread = thread_of(peer)
        if up_to <= self.read_up_to.get(thread, 0):
            return
        self.read_up_to[thread] = up_to
        yield Progress(thread, str(up_to), ChatMessageStatus.has_seen, up_to=True)

    def _reacted(self, update: Any) -> Iterator[Reaction]:
        """Yields the changed reactions: Telegram always reports all current ones of a message."""
        thread = thread_of(update.peer)
        key = (thread, update.msg_id)
        recent = update.reactions.recent_reactions or ()
        now = {thread_of(each.peer_id): _emoji(each.reaction) for each in recent}
        before = self._reactions.get(key, {})
        if key not in self._reactions and isinstance(update.peer, types.PeerUser):
            before = {thread: ""}  # the earlier reactions are unknown: report that there is none now
        self._reactions[key] = now
        at = {thread_of(each.peer_id): each.date for each in recent}
        for who in [*before, *(each for each in now if each not in before)]:
            if before.get(who) != now.get(who):
                yield Reaction(
                    thread=thread,
                    provider_id=str(update.msg_id),
                    sender=self._name(utils.get_peer(int(who))),
                    emoji=now.get(who),
                    at=at.get(who) or datetime.now(UTC),
                    outgoing=who == str(self._peers.me.id),
                )


def message_id(provider_id: str) -> int | None:
    """Returns Telegram's message id, or None if the text can't be one."""
    if provider_id.isascii() and provider_id.isdigit() and len(provider_id) <= 10:
        number = int(provider_id)
        return number if 0 < number < 2**31 else None
    return None


def thread_of(peer: Any) -> str:
    """Returns the name of a peer's thread."""
    return str(utils.get_peer_id(peer))


def _reply(message: Any) -> str | None:
    header = message.reply_to
    if (
        isinstance(header, types.MessageReplyHeader)
        and header.reply_to_msg_id
        and header.reply_to_peer_id is None
    ):
        return str(header.reply_to_msg_id)
    return None


def _emoji(reaction: Any) -> str:
    if isinstance(reaction, types.ReactionEmoji):
        return str(reaction.emoticon)
    return "⭐"  # a custom emoji, or a paid reaction


def _words(media: Any) -> str:
    """Returns a text for content that has none of its own."""
    if isinstance(media, types.MessageMediaContact):
        return " ".join(
            filter(None, (media.first_name, media.last_name, f"+{media.phone_number.lstrip('+')}"))
        )
    if isinstance(media, types.MessageMediaGeo | types.MessageMediaGeoLive | types.MessageMediaVenue):
        point = media.geo
        if isinstance(point, types.GeoPoint):
            return f"geo:{point.lat:.6f},{point.long:.6f}"
    if isinstance(media, types.MessageMediaDice):
        return str(media.emoticon)
    return ""


def _content(media: Any) -> tuple[Content, ...]:
    if isinstance(media, types.MessageMediaPhoto) and isinstance(media.photo, types.Photo):
        return (Content(ContentKind.image, mime="image/jpeg", size=_photo_size(media.photo)),)
    if isinstance(media, types.MessageMediaDocument) and isinstance(media.document, types.Document):
        document = media.document
        kind, name = described(document)
        return (Content(kind, mime=document.mime_type or None, name=name, size=document.size),)
    return ()


def _photo_size(photo: Any) -> int | None:
    size = photo.sizes[-1] if photo.sizes else None
    if isinstance(size, types.PhotoSizeProgressive):
        return max(size.sizes, default=None)
    return getattr(size, "size", None)


def described(document: Any) -> tuple[ContentKind, str | None]:
    """Returns kind and file name of a document."""
    kind = ContentKind.image if str(document.mime_type).startswith("image/") else ContentKind.file
    name: str | None = None
    for each in document.attributes:
        if isinstance(each, types.DocumentAttributeAudio):
            kind = ContentKind.voice if each.voice else ContentKind.audio
        elif isinstance(each, types.DocumentAttributeVideo):
            kind = ContentKind.video
        elif isinstance(each, types.DocumentAttributeFilename):
            name = each.file_name
    return kind, name
