"""Looks up the events while the account was disconnected, where Telegram's difference does not return it."""

from collections.abc import Sequence
from typing import Any

from telethon import utils
from telethon.tl import functions, types

from messengers.port import Event, Message
from messengers.telegram.client import Client
from messengers.telegram.parsing import Reader, thread_of

DIALOGS = 100  # dialogs whose read marks are checked
PAGES = 10  # pages of a hundred dialogs that are searched for messages
MESSAGES = 1000  # messages of one dialog


async def reconcile(client: Client, reader: Reader, *, report_reads: bool) -> tuple[list[Event], int]:
    """Returns read marks of the newest dialogs (a difference may drop them), and the newest message's id.

    `report_reads` False: the account has just logged in, and earlier read marks are not reported.
    """
    page = await _dialogs(client, types.InputPeerEmpty(), None, 0)
    events: list[Event] = []
    newest = 0
    for each in _plain(page):
        events.extend(reader.read(each.peer, each.read_outbox_max_id))
        if not isinstance(each.peer, types.PeerChannel):
            newest = max(newest, each.top_message)
    return (events if report_reads else []), newest


async def fill(client: Client, reader: Reader, last: int) -> list[Event]:
    """Returns all messages of people and small groups after `last`, oldest first; they share one sequence of ids."""
    messages: dict[int, Message] = {}
    offset: Any = types.InputPeerEmpty()
    date, number = None, 0
    for _ in range(PAGES):
        page = await _dialogs(client, offset, date, number)
        dialogs = [each for each in _plain(page) if not isinstance(each.peer, types.PeerChannel)]
        fresh = [each for each in dialogs if each.top_message > last]
        for each in fresh:
            for message in await _after(client, _input(page, each.peer), last):
                if (made := reader.message(message)) is not None:
                    messages[message.id] = made
        if not fresh or isinstance(page, types.messages.Dialogs):
            break
        top = dialogs[-1]
        offset, number = _input(page, top.peer), top.top_message
        date = next((each.date for each in page.messages if each.id == number), None)
    return [messages[each] for each in sorted(messages)]


async def fill_channel(client: Client, reader: Reader, channel: Any, last: int) -> Sequence[Event]:
    """Returns the messages of a channel after `last`; each channel has its own sequence. Without `last` it returns
    none."""
    if not last:
        return []
    messages = await _after(client, channel, last)
    made = (reader.message(each) for each in sorted(messages, key=lambda each: each.id))
    return [each for each in made if each is not None]


async def _after(client: Client, peer: Any, last: int) -> list[Any]:
    messages: list[Any] = []
    before = 0
    while len(messages) < MESSAGES:
        page = await client(functions.messages.GetHistoryRequest(peer, before, None, 0, 100, 0, last, 0))
        fresh = [each for each in getattr(page, "messages", ()) if each.id > last]
        messages.extend(fresh)
        if len(fresh) < 100:
            break
        before = fresh[-1].id
    return messages


async def _dialogs(client: Client, offset: Any, date: Any, number: int) -> Any:
    return await client(functions.messages.GetDialogsRequest(date, number, offset, DIALOGS, 0))


def _plain(page: Any) -> list[Any]:
    return [each for each in getattr(page, "dialogs", ()) if isinstance(each, types.Dialog)]


def _input(page: Any, peer: Any) -> Any:
    for each in (*page.users, *page.chats):
        if utils.get_peer_id(each) == int(thread_of(peer)):
            return utils.get_input_peer(each)
    return types.InputPeerEmpty()
