"""Stores updates together with the position in Telegram's stream at which they happened."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from telethon import errors, utils
from telethon.tl import functions, types

from messengers.port import Event, Message, Sink
from messengers.telegram import catch_up
from messengers.telegram.client import Client
from messengers.telegram.errors import ended
from messengers.telegram.parsing import Reader
from messengers.telegram.peers import Peers

SYNC = 20.0  # seconds for missed updates, after which the account counts as working in any case
AT_ONCE = 200  # events in one report


class Stream:
    """The stream of one account, through all its connections.

    `cursor` is where the next connection continues: `pts`, `qts`, `date`, `seq` and `channels` {id: [pts,
    access_hash, newest message]} as Telegram counts; `last`, the newest message of people and small groups; `user`,
    the own id.
    """

    def __init__(self, peers: Peers, reader: Reader, sink: Sink, cursor: Mapping[str, Any]) -> None:
        self.cursor: dict[str, Any] = dict(cursor)
        self._peers = peers
        self._reader = reader
        self._sink = sink
        self._lock = asyncio.Lock()

    async def took(self, client: Client, updates: list[Any]) -> None:
        """Stores a packet of updates that the client has applied to its position."""
        async with self._lock:
            last = self.cursor.get("last", 0)
            events = await self._missed(client, last)
            if any(self._peers.stranger(each) for each in updates):
                with contextlib.suppress(errors.RPCError):  # the newest dialogs include the sender
                    await client(functions.messages.GetDialogsRequest(None, 0, types.InputPeerEmpty(), 20, 0))
            for each in updates:
                events.extend(self._reader.events(each))
            await self._report(events, self._after(client, events, last))

    async def fill(self, client: Client) -> None:
        """Looks up updates that Telegram did not return, even if no further update comes."""
        if client.missed or client.missed_channels:
            await self.took(client, [])

    async def _missed(self, client: Client, last: int) -> list[Event]:
        events: list[Event] = []
        if client.missed:
            client.missed = False
            events.extend(await catch_up.fill(client, self._reader, last) if last else ())
        while client.missed_channels:
            number = client.missed_channels.pop()
            _, access_hash, newest = _channel(self.cursor, str(number))
            peer = types.InputPeerChannel(number, access_hash)
            events.extend(await catch_up.fill_channel(client, self._reader, peer, newest))
        return events

    def _after(self, client: Client, events: Sequence[Event], last: int) -> dict[str, Any]:
        """Returns the position after these events, with the newest message of each sequence."""
        position = client.position()
        newest: dict[str, int] = {}
        for each in events:
            if isinstance(each, Message):
                number, kind = utils.resolve_id(int(each.thread))
                channel = str(number) if kind is types.PeerChannel else ""
                newest[channel] = max(newest.get(channel, 0), int(each.provider_id))
        for number, state in position["channels"].items():
            state.append(max(newest.get(number, 0), _channel(self.cursor, number)[2]))
        return {**position, "last": max(last, newest.get("", 0)), "user": self._peers.me.id}

    async def _report(self, events: Sequence[Event], cursor: dict[str, Any] | None) -> None:
        """Reports the events. A position without events stays in memory: reading it again after a crash is harmless."""
        while len(events) > AT_ONCE:
            await self._sink.apply_events(events[:AT_ONCE])
            events = events[AT_ONCE:]
        if events or not self.cursor.get("pts"):
            await self._sink.apply_events(events, cursor)
        if cursor is not None:
            self.cursor = cursor

    async def settle(self, client: Client) -> None:
        """Sets the position after a login. If the same user was logged in before, the updates of the meantime are
        reported.
        """
        _, newest = await catch_up.reconcile(client, self._reader, report_reads=False)
        events: Sequence[Event] = []
        last = self.cursor.get("last", 0) if self.cursor.get("user") == self._peers.me.id else 0
        if last:
            events = await catch_up.fill(client, self._reader, last)
        cursor = {**client.position(), "last": newest, "user": self._peers.me.id}
        async with self._lock:
            self.cursor = {}
            await self._report(events, cursor)

    async def sync(self, client: Client) -> None:
        """Reports messages that were missed and read since the stored session's last connection."""
        had = bool(self.cursor.get("pts"))
        if had:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SYNC):
                    await client.synced.wait()
            await self.fill(client)
        try:
            events, newest = await catch_up.reconcile(client, self._reader, report_reads=had)
        except errors.RPCError as error:
            if ended(error) is not None:
                raise
            return  # rate limited, or an error at Telegram: later read marks are reported anyway
        async with self._lock:
            last = max(newest, self.cursor.get("last", 0))
            cursor = {**client.position(), "last": last, "user": self._peers.me.id}
            await self._report(events, None if had else cursor)


def _channel(cursor: Mapping[str, Any], number: str) -> tuple[int, int, int]:
    """Returns pts, access_hash and newest message of a channel."""
    pts, access_hash, newest = [*cursor.get("channels", {}).get(number, ()), 0, 0, 0][:3]
    return pts, access_hash, newest
