"""Telethon's client, adapted to a service.

The differences: a request is tried once, never sleeps and always ends (Telethon repeats and sleeps by itself, and a
request that was queued when the connection ended would wait for ever). Updates are not dispatched one by one to
handlers but passed on in packets after they were applied, so that they can be stored together with the new position. A
change of the data center is raised, not followed silently. Nothing is logged.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from telethon import TelegramClient, errors, utils
from telethon.sessions import StringSession
from telethon.tl import functions, types

from messengers.bugs import BUGS
from messengers.proxy import Proxy
from messengers.telegram import telethon_logs
from messengers.telegram.errors import Moved, NotSent, Unanswered
from messengers.telegram.tcp import TcpConnection

Batch = Callable[[list[Any]], Awaitable[None]]
Learn = Callable[[Iterable[Any], Iterable[Any]], None]
Late = Callable[[Any, Any], None]
RequestTimeout = Callable[[], float]  # returns the seconds for one request

_DELETIONS = (types.UpdateDeleteMessages, types.UpdateDeleteChannelMessages)
_MOVES = (errors.PhoneMigrateError, errors.NetworkMigrateError, errors.UserMigrateError)


@dataclass(frozen=True, slots=True)
class Api:
    """The application that Telegram knows us by: its id and hash."""

    id: int
    hash: str


@dataclass(frozen=True, slots=True)
class Listener:
    """Holds the functions that a client calls with the updates that it receives."""

    batch: Batch
    learn: Learn
    late: Late


class Client(TelegramClient):  # type: ignore[misc]  # Telethon has no types
    """One connection to Telegram; `session` outlives it."""

    def __init__(
        self,
        session: StringSession,
        api: Api,
        listener: Listener,
        *,
        proxy: Proxy | None,
        request_timeout: RequestTimeout,
        floods: dict[int, float],
        authorised: bool,
        catch_up: bool,
    ) -> None:
        super().__init__(
            session,
            api.id,
            api.hash,
            base_logger=telethon_logs.logger,
            use_ipv6=":" in (session.server_address or ""),
            proxy=proxy,
            connection=TcpConnection,
            timeout=min(request_timeout(), 10),
            connection_retries=1,  # Telethon adds one more; TelegramConnection makes the pauses
            retry_delay=0.1,
            auto_reconnect=False,
            flood_sleep_threshold=0,
            catch_up=catch_up,
            app_version="1.0",
            device_model="Postern",
        )
        self._request_timeout = request_timeout
        self.authorised = authorised
        self.fatal: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        self.synced = asyncio.Event()  # the missed updates have been passed on
        self.missed = False  # Telegram did not return the missed updates: they must be looked up
        self.missed_channels: set[int] = set()
        self._deletions: list[Any] = []  # deletions of a difference, until the rest of it is applied
        self._floods = floods
        self._listener = listener
        self._dcs: Any = None

    async def _call(
        self, sender: Any, request: Any, ordered: bool = False, flood_sleep_threshold: Any = None
    ) -> Any:
        """Sends a request. Raises NotSent, Unanswered, Moved, RPCError."""
        if utils.is_list_like(request):
            return [await self._call(sender, each) for each in request]
        await request.resolve(self, utils)
        pause = self._floods.get(request.CONSTRUCTOR_ID, 0) - time.time()
        if pause > 0:
            raise errors.FloodWaitError(request=request, capture=int(pause) + 1)
        try:
            future = sender.send(request)
        except ConnectionError as error:
            raise NotSent(str(error)) from None
        future.add_done_callback(seen)
        gone = sender._disconnected  # noqa: SLF001  `disconnected` makes a new future per call
        await asyncio.wait(
            {future, gone}, timeout=self._request_timeout(), return_when=asyncio.FIRST_COMPLETED
        )
        if not future.done() or future.cancelled():
            future.add_done_callback(partial(self._came_late, request))
            raise Unanswered("no answer")
        try:
            result = future.result()
        except errors.RPCError as error:
            await self._failed(request, error)
            raise
        except (errors.AuthKeyNotFound, ValueError):
            raise  # nothing was executed
        except Exception as error:  # the connection ended, or the answer can't be parsed
            if isinstance(error, BUGS):
                raise
            raise Unanswered(type(error).__name__) from None
        self._noticed(result)
        return result

    async def _failed(self, request: Any, error: errors.RPCError) -> None:
        if isinstance(error, _MOVES):
            dc = await self._get_dc(error.new_dc)
            raise Moved(dc.id, dc.ip_address, dc.port) from None
        if isinstance(error, errors.SlowModeWaitError):
            return  # applies to one chat only
        if isinstance(seconds := getattr(error, "seconds", None), int):
            self._floods[request.CONSTRUCTOR_ID] = time.time() + seconds
        elif isinstance(error, errors.UnauthorizedError | errors.AuthKeyError):
            if self.authorised and not self.fatal.done():
                self.fatal.set_result(error)
            return
        if isinstance(request, functions.updates.GetDifferenceRequest):
            self.missed = True
            self.synced.set()

    def _noticed(self, result: Any) -> None:
        self.session.process_entities(result)
        self._listener.learn(getattr(result, "users", None) or (), getattr(result, "chats", None) or ())
        # Telethon drops these deletions: its position is already after the difference, so it takes them for known.
        others = getattr(result, "other_updates", None) or ()
        self._deletions.extend(each for each in others if isinstance(each, _DELETIONS))
        if isinstance(result, types.updates.DifferenceTooLong):
            self.missed = True
        elif isinstance(result, types.updates.ChannelDifferenceTooLong):
            self.missed_channels.add(result.dialog.peer.channel_id)

    def _came_late(self, request: Any, future: "asyncio.Future[Any]") -> None:
        """Handles an answer after the caller gave up: the request was executed all the same."""
        if not future.cancelled() and future.exception() is None:
            self._noticed(future.result())
            self._listener.late(request, future.result())

    async def _get_dc(self, dc_id: int, cdn: bool = False) -> Any:
        """Returns a data center's address. Telethon's own list is shared by all clients of the process, even of other
        servers."""
        if self._dcs is None:
            self._dcs = (await self(functions.help.GetConfigRequest())).dc_options
        for each in self._dcs:
            if each.id == dc_id and bool(each.cdn) == cdn and bool(each.ipv6) == self._use_ipv6:
                return each
        raise Unanswered(f"data center {dc_id} is not known")

    async def _switch_dc(self, new_dc: int) -> None:
        dc = await self._get_dc(new_dc)
        raise Moved(dc.id, dc.ip_address, dc.port)

    async def _preprocess_updates(self, updates: Any, users: Any, chats: Any) -> list[Any]:
        """Receives each packet of updates from Telethon once, after they were applied to its position."""
        made = await super()._preprocess_updates(updates, users, chats)
        self._listener.learn(users, chats)
        for number in self.missed_channels & self._message_box.getting_diff_for:
            self._message_box.end_get_diff(number)  # Telethon does not end it, and would ask again and again
        deletions, self._deletions = self._deletions, []
        await self._listener.batch([*made, *deletions])
        if not self._message_box.getting_diff_for:
            self.synced.set()
        return []

    def position(self) -> dict[str, Any]:
        """Returns the position in the stream of updates."""
        account, channels = self._message_box.session_state()
        entities = {number: self._mb_entity_cache.get(number) for number in channels}
        return {
            "pts": account["pts"],
            "qts": account["qts"],
            "date": int(account["date"].timestamp()),
            "seq": account["seq"],
            "channels": {
                str(number): [pts, entities[number].hash]
                for number, pts in channels.items()
                if entities[number]
            },
        }

    @property
    def positioned(self) -> bool:
        return not self._message_box.is_empty()

    async def entered(self, user: Any) -> None:
        """Sets the position after a login."""
        await self._on_login(user)
        self.authorised = True
        self.synced.set()

    def abort(self) -> None:
        """Aborts the connection without waiting."""
        if (connection := self._sender._connection) is not None:  # noqa: SLF001  no public attribute
            connection.abort()

    @property
    def gone(self) -> "asyncio.Future[None]":
        """Returns a future that is done when the connection has ended."""
        future: asyncio.Future[None] = self._sender._disconnected  # noqa: SLF001  see above
        return future

    @property
    def why(self) -> BaseException | None:
        """Returns the error that ended the connection, if it is known."""
        error: BaseException | None = self._updates_error
        if error is None and self.gone.done() and not self.gone.cancelled():
            error = self.gone.exception()
        return error

    @property
    def offset(self) -> int:
        """Returns the seconds that Telegram's clock is ahead of ours."""
        seconds: int = self._sender._state.time_offset  # noqa: SLF001  no public way
        return seconds


def seen(future: "asyncio.Future[Any]") -> None:
    """Marks a future's exception as retrieved: the caller may be gone, and asyncio would log a warning."""
    if not future.cancelled():
        future.exception()


def restore(session: StringSession, cursor: Mapping[str, Any]) -> bool:
    """Restores a position into the session. Returns False if the cursor has none."""
    if not cursor.get("pts"):
        return False
    date = datetime.fromtimestamp(cursor.get("date", 1), UTC)
    session.set_update_state(
        0, types.updates.State(cursor["pts"], cursor.get("qts", 0), date, cursor.get("seq", 0), 0)
    )
    for number, (pts, access_hash, *_) in cursor.get("channels", {}).items():
        session.set_update_state(int(number), types.updates.State(pts, 0, date, 0, 0))
        peer = types.InputPeerChannel(int(number), access_hash)
        session.process_entities(types.contacts.ResolvedPeer(None, [peer], []))
    return True
