"""The calls about one chat: history, typing, read marks, files."""

import asyncio
from collections.abc import Sequence
from typing import Any

from telethon.tl import functions, types

from messengers.port import Action, Media, Message, Refused
from messengers.telegram.client import Client
from messengers.telegram.parsing import Reader, described, message_id, thread_of
from messengers.telegram.peers import Peers
from shapes.chats import ContentKind

MOST = 500  # messages per call
FILE_BYTES = 50 * 1024 * 1024
FETCH_SECONDS = 60.0
CHUNK = 256 * 1024

_ACTIONS: dict[Action, type[Any]] = {
    "typing": types.SendMessageTypingAction,
    "recording": types.SendMessageRecordAudioAction,
    "none": types.SendMessageCancelAction,
}


async def history(
    client: Client, peers: Peers, reader: Reader, thread: str, limit: int, before: str | None
) -> Sequence[Message]:
    """Returns a thread's messages, newest first; `[]` if there is no such thread."""
    peer = await peers.find(client, thread)
    if peer is None:
        return []
    offset = _number(before) if before else 0
    collected: list[Message] = []
    count = min(limit, MOST)
    while len(collected) < count:
        most = min(count - len(collected), 100)
        page = await client(functions.messages.GetHistoryRequest(peer, offset, None, 0, most, 0, 0, 0))
        messages = list(getattr(page, "messages", ()))
        made = (reader.message(each, past=True) for each in messages)
        collected.extend(each for each in made if each is not None)
        if len(messages) < most:
            break
        offset = messages[-1].id
    return collected


def _number(provider_id: str) -> int:
    if (number := message_id(provider_id)) is None:
        raise Refused("This account has no such message. Check the item.", code="message_not_found")
    return number


async def act(client: Client, peers: Peers, to: str, action: Action) -> None:
    """Shows typing or recording in a chat."""
    peer = await peers.require(client, to)
    await client(functions.messages.SetTypingRequest(peer, _ACTIONS[action]()))


async def read(client: Client, peers: Peers, thread: str, provider_id: str) -> None:
    """Marks a message and all before it as read."""
    peer = await peers.require(client, thread)
    newest = _number(provider_id)
    if isinstance(peer, types.InputPeerChannel):
        channel = types.InputChannel(peer.channel_id, peer.access_hash)
        await client(functions.channels.ReadHistoryRequest(channel, newest))
    else:
        await client(functions.messages.ReadHistoryRequest(peer, newest))


async def fetch(client: Client, peers: Peers, thread: str, provider_id: str, index: int) -> Media:
    """Downloads the file of a message. Raises Refused."""
    message = await _message(client, peers, thread, _number(provider_id))
    media = message.media if isinstance(message, types.Message) and index == 0 else None
    kind, name, mime = ContentKind.image, None, "image/jpeg"
    if isinstance(media, types.MessageMediaDocument) and isinstance(media.document, types.Document):
        file = media.document
        kind, name = described(file)
        mime = file.mime_type or "application/octet-stream"
        if file.size > FILE_BYTES:
            raise Refused(
                "The file is larger than 50 MiB. Open it in the messenger itself.", code="media_too_large"
            )
    elif isinstance(media, types.MessageMediaPhoto) and isinstance(media.photo, types.Photo):
        file = media.photo
    else:
        raise Refused(
            "The message does not have this file, or no longer has it. Read the message again.",
            code="media_gone",
        )
    data = bytearray()
    async with asyncio.timeout(FETCH_SECONDS):
        async for chunk in client.iter_download(file, request_size=CHUNK):
            data += chunk
            if len(data) > FILE_BYTES:
                raise Refused(
                    "The file is larger than 50 MiB. Open it in the messenger itself.", code="media_too_large"
                )
    return Media(kind, bytes(data), mime, name)


async def _message(client: Client, peers: Peers, thread: str, number: int) -> Any:
    """Fetches the message again: Telegram's file references are valid for hours only."""
    peer = await peers.require(client, thread)
    asked = [types.InputMessageID(number)]
    if isinstance(peer, types.InputPeerChannel):
        channel = types.InputChannel(peer.channel_id, peer.access_hash)
        page = await client(functions.channels.GetMessagesRequest(channel, asked))
    else:
        page = await client(functions.messages.GetMessagesRequest(asked))
    message = next(iter(getattr(page, "messages", ())), None)
    if isinstance(message, types.Message) and thread_of(message.peer_id) == thread:
        return message
    raise Refused("There is no such message in this thread. Check the item.", code="message_not_found")
