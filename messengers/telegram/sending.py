"""Sends messages: how they are split for Telegram, and how each part is delivered once.

A request carries a `random_id`, derived from our message's id, and Telegram accepts none twice. So a request that may
or may not have arrived is repeated as soon as there is a connection again.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cachetools import FIFOCache
from telethon import errors, utils
from telethon.tl import functions, types

from messengers.port import Media, Outgoing, Refused, Sent, Uncertain, Unreachable, Unsupported, WrongStep
from messengers.telegram.client import Client
from messengers.telegram.errors import NotSent, Unanswered, failure
from messengers.telegram.parsing import Own, Reader, message_id
from messengers.telegram.peers import Peers
from shapes.chats import ContentKind

SECONDS = 25.0  # for a message, plus time for large files
BYTES_A_SECOND = 256 * 1024
CAPTION = 1024  # UTF-16 units; a longer text is sent as a message of its own
MOST_MEDIA = 10
PHOTO_BYTES = 10 * 1024 * 1024
PHOTOS = frozenset({"image/jpeg", "image/png", "image/webp"})
PART_KB = 256  # a part is encrypted at once, which blocks the event loop
REMEMBERED = 2000
SEARCHED = 100  # messages that are searched for one that was sent before

_NO_PHOTO = (
    errors.PhotoInvalidDimensionsError,
    errors.PhotoExtInvalidError,
    errors.PhotoSaveFileInvalidError,
    errors.ImageProcessFailedError,
    errors.PhotoInvalidError,
)
_LOST_PARTS = (errors.FilePartsInvalidError, errors.FilePart0MissingError, errors.FilePartMissingError)

Wait = Callable[[float], Awaitable[Client]]


@dataclass(frozen=True, slots=True)
class Part:
    """One message at Telegram."""

    random_id: int
    text: str
    media: Media | None
    reply_to: int | None


@dataclass(frozen=True, slots=True)
class Done:
    """The id and time of a delivered part."""

    id: int
    at: datetime


def random_id(item: UUID, index: int = 0) -> int:
    """Returns the random_id of a part; never 0, which Telegram refuses."""
    data = hashlib.sha256(b"postern:telegram:" + item.bytes + index.to_bytes(2, "big")).digest()
    return int.from_bytes(data[:8], "big", signed=True) or 1


def clean(text: str) -> str:
    """Returns the text without NUL and lone surrogates, which no messenger accepts."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def parts(message: Outgoing) -> list[Part]:
    """Splits a message for Telegram. Raises Refused."""
    if message.template is not None:
        raise Unsupported("Only WhatsApp Cloud accounts support templates. Send a text.")
    if len(message.media) > MOST_MEDIA:
        raise Refused(f"A message may have at most {MOST_MEDIA} files. Send fewer.", code="too_many_media")
    reply = None
    if message.reply_to is not None and (reply := message_id(message.reply_to)) is None:
        raise Refused("The message to reply to does not exist. Check replyTo.", code="reply_not_found")
    words = clean(message.text)
    if not words.strip() and not message.media:
        raise Refused("The message is empty. Send a text or a file.", code="empty_message")
    pieces: list[tuple[str, Media | None]] = [("", each) for each in message.media]
    if not pieces or len(words.encode("utf-16-le")) // 2 > CAPTION:
        pieces.insert(0, (words, None))
    else:
        pieces[0] = (words, message.media[0])
    return [
        Part(random_id(message.item, index), text, media, reply if index == 0 else None)
        for index, (text, media) in enumerate(pieces)
    ]


class Sender:
    """Sends the messages of one account, through all its connections. `wait` returns a working client within the
    seconds."""

    def __init__(self, peers: Peers, reader: Reader, wait: Wait) -> None:
        self._peers = peers
        self._reader = reader
        self._wait = wait
        self._done: FIFOCache[int, Done] = FIFOCache(REMEMBERED)

    async def send(self, client: Client, message: Outgoing) -> Sent:
        """Sends a message. Raises MessengerError."""
        todo = parts(message)
        size = sum(len(each.data) for each in message.media)
        deadline = asyncio.get_running_loop().time() + SECONDS + size / BYTES_A_SECOND
        peer = await self._peers.require(client, message.to)
        thread = self._thread(peer)
        sent: list[Done] = []
        for index, part in enumerate(todo):
            self._reader.sending(part.random_id, Own(thread, message.item, index))
            done = self._done.get(part.random_id) or await self._deliver(peer, part, deadline)
            self._remember(part.random_id, done)
            sent.append(done)
        return Sent(str(sent[0].id), thread, sent[0].at, parts=[str(each.id) for each in sent[1:]])

    def came_late(self, request: Any, result: Any) -> None:
        """Records the answer to a request whose caller gave up."""
        if isinstance(request, functions.messages.SendMessageRequest | functions.messages.SendMediaRequest):
            self._remember(request.random_id, answered(result, request.random_id))

    def _remember(self, number: int, done: Done) -> None:
        self._done[number] = done
        self._reader.sent(number, done.id)

    def _thread(self, peer: Any) -> str:
        return (
            str(self._peers.me.id) if isinstance(peer, types.InputPeerSelf) else str(utils.get_peer_id(peer))
        )

    async def _deliver(self, peer: Any, part: Part, deadline: float) -> Done:
        left = False
        request: Any = None
        as_file = False
        while True:
            try:
                client = await self._wait(deadline - asyncio.get_running_loop().time())
            except (Unreachable, WrongStep):
                if left:
                    raise Uncertain("The connection ended before Telegram answered.") from None
                raise
            try:
                if request is None:
                    request = await _request(client, peer, part, as_file=as_file)
            except Unanswered as error:  # of an upload, which is not visible yet
                if not client.gone.done():
                    raise failure(error) from error
                continue
            except NotSent:
                continue
            try:
                return answered(await client(request), part.random_id)
            except NotSent:
                continue
            except Unanswered:
                left = True
                if not client.gone.done():
                    raise Uncertain("Telegram took the message and did not answer in time.") from None
            except errors.RandomIdDuplicateError:
                return await self._find(client, peer, part)
            except _NO_PHOTO as error:
                if as_file or part.media is None:
                    raise failure(error) from error
                request, as_file = None, True
            except _LOST_PARTS as error:
                if not left:
                    raise failure(error) from error
                request = None

    async def _find(self, client: Client, peer: Any, part: Part) -> Done:
        """Finds a message that Telegram says it has already, among the newest own messages with the same content."""
        if (done := self._done.get(part.random_id)) is not None:
            return done
        taken = {each.id for each in self._done.values()}
        request = functions.messages.GetHistoryRequest(peer, 0, None, 0, SEARCHED, 0, 0, 0)
        page = await client(request)
        for each in getattr(page, "messages", ()):
            if not isinstance(each, types.Message) or not each.out or each.id in taken:
                continue
            if each.message == part.text.strip() and (part.media is None) == (_stored(each.media) is None):
                return Done(each.id, each.date)
        raise Uncertain(
            "Telegram has this message already, but it could not be found again.", code="sent_before"
        )


def _stored(media: Any) -> Any:
    return media if isinstance(media, types.MessageMediaPhoto | types.MessageMediaDocument) else None


def answered(result: Any, number: int) -> Done:
    """Returns id and time from Telegram's answer."""
    if isinstance(result, types.UpdateShortSentMessage):
        return Done(result.id, result.date)
    updates = getattr(result, "updates", ())
    made = next(
        each.id for each in updates if isinstance(each, types.UpdateMessageID) and each.random_id == number
    )
    for each in updates:
        message = getattr(each, "message", None)
        if isinstance(message, types.Message) and message.id == made:
            return Done(made, message.date)
    return Done(made, getattr(result, "date", None) or datetime.now(UTC))


async def _request(client: Client, peer: Any, part: Part, *, as_file: bool) -> Any:
    reply = types.InputReplyToMessage(part.reply_to) if part.reply_to else None
    if part.media is None:
        return functions.messages.SendMessageRequest(
            peer, part.text, reply_to=reply, random_id=part.random_id, entities=[]
        )
    media = await _uploaded(client, part.media, as_file=as_file)
    return functions.messages.SendMediaRequest(
        peer, media, part.text, reply_to=reply, random_id=part.random_id, entities=[]
    )


_ENDINGS = {
    ContentKind.image: "jpg",
    ContentKind.video: "mp4",
    ContentKind.audio: "mp3",
    ContentKind.voice: "ogg",
    ContentKind.file: "bin",
}


async def _uploaded(client: Client, media: Media, *, as_file: bool) -> Any:
    if not media.data:
        raise Refused("The file is empty. Send a file that has content.", code="empty_media")
    name = (media.name or "").strip() or f"{media.kind.value}.{_ENDINGS[media.kind]}"
    file = await client.upload_file(media.data, file_name=name[-120:], part_size_kb=PART_KB)
    fits = media.mime in PHOTOS and len(media.data) <= PHOTO_BYTES
    if media.kind == ContentKind.image and fits and not as_file:
        return types.InputMediaUploadedPhoto(file)
    attributes: list[Any] = []
    if media.kind == ContentKind.video:
        attributes.append(types.DocumentAttributeVideo(0, 1, 1, supports_streaming=True))
    elif media.kind in {ContentKind.audio, ContentKind.voice}:
        attributes.append(types.DocumentAttributeAudio(0, voice=media.kind == ContentKind.voice))
    if media.kind != ContentKind.voice:
        attributes.append(types.DocumentAttributeFilename(name[-120:]))
    mime = media.mime
    if media.kind == ContentKind.voice and mime == "application/octet-stream":
        mime = "audio/ogg"
    return types.InputMediaUploadedDocument(
        file, mime, attributes, force_file=media.kind == ContentKind.file or as_file or None
    )
