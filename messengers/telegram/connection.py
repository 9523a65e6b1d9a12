"""One live account: connects, logs in, stays connected, and runs calls."""

import asyncio
import contextlib
import random
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

import structlog
from telethon import errors
from telethon.errors import AuthKeyNotFound
from telethon.sessions import StringSession
from telethon.tl import functions, types

from messengers.bugs import BUGS, MOST
from messengers.bugs import REASON as BUG
from messengers.port import (
    Account,
    Action,
    Change,
    Lost,
    Media,
    Message,
    Outgoing,
    Person,
    Sent,
    Sink,
    Unreachable,
    WrongStep,
)
from messengers.proxy import BadProxy
from messengers.telegram import chats
from messengers.telegram.client import Api, Client, Listener, restore, seen
from messengers.telegram.errors import Ended, Later, Moved, ended, failure, not_before
from messengers.telegram.login import Login
from messengers.telegram.parsing import Reader
from messengers.telegram.peers import Peers
from messengers.telegram.sending import Sender
from messengers.telegram.tcp import ProxyFailed, proxy
from messengers.telegram.updates import Stream
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("messengers.telegram")
T = TypeVar("T")

PING = 45.0  # seconds between pings
CLOSE, FORGET, PROBE = 4.0, 9.0, 5.0
_PASSING = (AccountState.starting, AccountState.syncing, AccountState.reconnecting)
_USUAL = (
    OSError,
    EOFError,
    BufferError,
    TimeoutError,
    AuthKeyNotFound,
    errors.RPCError,
)  # ends of connections
MOVES = 3  # moves between data centers without a pause
UNKNOWN_KEYS = 3  # answers in a row that the key is unknown, before the session counts as lost


class DriverSettings(Protocol):
    """Provides the data that a connection reads from its driver. The tests change `request_timeout` and `pauses` while
    it runs.
    """

    api_id: int
    api_hash: str
    request_timeout: float  # seconds for one request
    pauses: tuple[float, float]  # seconds between connections: the first, the longest

    def session(self, text: str | None) -> StringSession: ...


class TelegramConnection:
    """The port's `Connection` of a Telegram account."""

    def __init__(self, driver: DriverSettings, account: Account, sink: Sink) -> None:
        self._driver = driver
        self._account = account
        self._sink = sink
        self._session: StringSession = driver.session(account.session)
        self._saved = account.session  # the session that is stored
        self._authorised = account.session is not None and self._session.auth_key is not None
        self._floods: dict[int, float] = {}
        self._peers = Peers()
        self._reader = Reader(self._peers)
        self._stream = Stream(self._peers, self._reader, sink, account.cursor)
        self._sender = Sender(self._peers, self._reader, self._within)
        self._login = Login(account.phone, driver.api_id, driver.api_hash, self._report)
        self._client: Client | None = None
        self._state = AccountState.stopped
        self._working = asyncio.Event()
        self._user_loaded = asyncio.Event()  # set when the own user is known
        self._task: asyncio.Task[None] | None = None
        self._over = False
        self._end: Ended | None = None  # the reason for which no further attempt is made
        self._worked = False  # the current or last connection got as far as `working`
        self._unknown_keys = 0

    async def start(self) -> None:
        if self._task is None and not self._over:
            try:
                await self._report(Change(AccountState.starting))
            except Lost:
                self._over = True
                return
            self._task = asyncio.create_task(self._run(), name=f"telegram {self._account.id}")

    def abort(self) -> None:
        self._over = True
        if self._client is not None:
            self._client.abort()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        fails = bugs = 0
        try:
            while not self._over:
                self._worked = False
                try:
                    await self._run_connection()
                except (Lost, Ended):
                    raise
                except Moved as moved:
                    self._session.set_dc(moved.dc, moved.host, moved.port)
                    self._session.auth_key = None
                    pause = 0.0 if fails < MOVES else self._pause(fails)
                    fails += 1
                except Later as later:
                    reason = "Telegram wants a pause."
                    change = Change(AccountState.reconnecting, "flood_wait", reason, later.until)
                    await self._report(change)
                    pause = max(1.0, (later.until - datetime.now(UTC)).total_seconds())
                except Exception as error:
                    bugs = bugs + 1 if isinstance(error, BUGS) else 0
                    if bugs == MOST:
                        log.error("telegram connection failed", account=str(self._account.id), exc_info=error)
                        raise Ended(AccountState.failed, "driver_broken", BUG) from error
                    fails = 0 if self._worked else fails
                    pause = self._pause(fails)
                    fails += 1
                    await self._lost(error)
                finally:
                    await self._disconnect()
                await asyncio.sleep(pause)
        except Ended as end:
            await self._ended(end)
        except Lost:
            self._over = True

    def _pause(self, fails: int) -> float:
        first, longest = self._driver.pauses
        return float(min(longest, first * 2 ** min(fails, 10)) * random.uniform(0.8, 1.2))

    async def _lost(self, error: Exception) -> None:
        if not isinstance(error, _USUAL):
            account, name = str(self._account.id), type(error).__name__
            bug = error if isinstance(error, BUGS) else None
            log.warning("telegram connection failed", account=account, error=name, exc_info=bug)
        code, reason = (
            "connection_lost",
            "The connection to Telegram was lost. The account is connecting again.",
        )
        if isinstance(error, ProxyFailed):
            code, reason = (
                "proxy_failed",
                "The proxy does not forward the connection. The account is trying again.",
            )
        await self._report(Change(AccountState.reconnecting, code, reason))

    async def _ended(self, end: Ended) -> None:
        self._over = True
        with contextlib.suppress(Lost):
            if end.state == AccountState.loggedOut:
                await self._save(None)
            await self._report(Change(end.state, code=end.code, reason=end.reason, until=end.until))
        self._end = end
        self._working.set()  # waiting callers learn that there will be no connection

    async def _report(self, change: Change) -> None:
        self._state = change.state
        if change.state == AccountState.working:
            self._working.set()
        else:
            self._working.clear()
        await self._sink.changed(change)

    async def _save(self, text: str | None) -> None:
        if text != self._saved:
            await self._sink.session(text)
            self._saved = text

    def _make(self) -> Client:
        try:
            through = proxy(self._account.proxy)
        except BadProxy as error:
            raise Ended(AccountState.failed, "proxy_invalid", f"The proxy can't be used: {error}.") from None
        catch_up = self._authorised and restore(self._session, self._stream.cursor)
        return Client(
            self._session,
            Api(self._driver.api_id, self._driver.api_hash),
            Listener(self._batch, self._peers.learn, self._sender.came_late),
            proxy=through,
            request_timeout=lambda: self._driver.request_timeout,
            floods=self._floods,
            authorised=self._authorised,
            catch_up=catch_up,
        )

    async def _run_connection(self) -> None:
        """Runs one connection. Never returns; raises the error that ended it."""
        client = self._client = self._make()
        try:
            async with asyncio.timeout(self._driver.request_timeout * 1.25):
                await client.connect()
            self._unknown_keys = 0
            await self._beside(client, self._up(client))
        except AuthKeyNotFound:
            self._unknown_keys += 1
            if not self._authorised:
                self._session.auth_key = None
            elif self._unknown_keys >= UNKNOWN_KEYS:
                raise ended(AuthKeyNotFound()) from None  # type: ignore[misc]  # it is one that ends
            raise
        except errors.RPCError as error:
            if (end := ended(error, login=not self._authorised)) is not None:
                raise end from None
            if (until := not_before(error)) is not None:
                raise Later(until) from None
            raise

    async def _up(self, client: Client) -> None:
        if not self._authorised:
            user = await self._login.run(client)
            await client.entered(user)
            self._peers.me = user
            self._authorised = True
            self._user_loaded.set()
            await self._save(self._session.save())
            await self._stream.settle(client)
        else:
            await self._report(Change(AccountState.syncing))
            self._peers.me = (await client(functions.users.GetUsersRequest([types.InputUserSelf()])))[0]
            self._user_loaded.set()
            await self._save(self._session.save())
            await self._stream.sync(client)
        me = await self._peers.to_person(None, self._peers.me)
        await self._report(Change(AccountState.working, me=me))
        self._worked = True

    async def _beside(self, client: Client, work: Coroutine[Any, Any, None]) -> None:
        """Does the work while the connection lives, and then watches the connection."""
        task = asyncio.create_task(work)
        watch = asyncio.create_task(self._watch(client))
        try:
            await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
            if task.done() and not watch.done():
                await task
            await watch
        finally:
            for each in (task, watch):
                each.cancel()
            await asyncio.gather(task, watch, return_exceptions=True)

    async def _watch(self, client: Client) -> None:
        while True:
            waited: set[asyncio.Future[Any]] = {client.gone, client.fatal}
            await asyncio.wait(waited, timeout=PING, return_when=asyncio.FIRST_COMPLETED)
            if client.fatal.done():
                raise client.fatal.result()
            if client.gone.done():
                raise client.why or ConnectionError("the connection ended")
            await client(functions.PingRequest(random.getrandbits(62)))
            await self._stream.fill(client)

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        self._user_loaded.clear()
        self._working.clear()
        if client is not None:
            ending = asyncio.ensure_future(client.disconnect())
            ending.add_done_callback(seen)
            client.gone.add_done_callback(seen)
            await asyncio.wait({ending}, timeout=CLOSE)

    async def _batch(self, updates: list[Any]) -> None:
        if any(isinstance(each, types.UpdateLoginToken) for each in updates):
            self._login.scanned()
        client = self._client
        if client is not None and client.authorised:
            await self._user_loaded.wait()
            await self._stream.took(client, updates)

    def _ready(self) -> Client:
        if self._client is not None and self._state == AccountState.working:
            return self._client
        if self._authorised and self._state in _PASSING:
            raise Unreachable("The account is connecting to Telegram. Try again in a moment.")
        raise WrongStep("This call needs a connected account.")

    async def _within(self, seconds: float) -> Client:
        """Returns a working client, possibly after a reconnect. Raises Unreachable, WrongStep."""
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                while not self._over:
                    client = self._client
                    if client is not None and not client.gone.done() and self._working.is_set():
                        return client
                    self._working.clear()  # the next connection sets it again
                    await self._working.wait()
        except TimeoutError:
            pass
        if self._end is not None:
            raise WrongStep(self._end.reason, state=self._end.state)
        raise Unreachable("Telegram can't be reached. Try again in a moment.")

    async def _ask(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a call and translates its errors. Raises MessengerError."""
        try:
            return await work
        except (*_USUAL, Moved) as error:
            raise failure(error) from error

    async def code(self, code: str) -> None:
        await self._login.code(code)

    async def password(self, password: str) -> None:
        await self._login.password(password)

    async def send(self, message: Outgoing) -> Sent:
        return await self._ask(self._sender.send(self._ready(), message))

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        return await self._ask(chats.history(self._ready(), self._peers, self._reader, thread, limit, before))

    async def person(self, to: str) -> Person | None:
        return await self._ask(self._peers.person(self._ready(), to))

    async def me(self) -> Person:
        client = self._ready()
        return await self._ask(self._peers.to_person(client, self._peers.me))

    async def act(self, to: str, action: Action) -> None:
        await self._ask(chats.act(self._ready(), self._peers, to, action))

    async def read(self, thread: str, provider_id: str) -> None:
        await self._ask(chats.read(self._ready(), self._peers, thread, provider_id))

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        return await self._ask(chats.fetch(self._ready(), self._peers, thread, provider_id, index))

    async def probe(self) -> bool:
        client = self._client
        if client is None or not client.authorised:
            return False
        try:
            async with asyncio.timeout(PROBE):
                await client(functions.updates.GetStateRequest())
        except (errors.RPCError, OSError, Moved) as error:
            return not_before(error) is not None  # an account that is rate limited is logged in
        return True

    async def close(self) -> None:
        self._over = True
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait({task}, timeout=CLOSE)
        await self._disconnect()
        self._state = AccountState.stopped

    async def forget(self) -> None:
        try:
            async with asyncio.timeout(FORGET):
                if self._authorised:
                    await self._log_out()
        except (errors.RPCError, OSError, Moved, AuthKeyNotFound):
            pass  # Telegram could not be reached, or had ended the session already
        except Exception as error:
            log.warning("telegram logout failed", account=str(self._account.id), error=type(error).__name__)
        finally:
            await self.close()
        with contextlib.suppress(Lost):
            await self._save(None)

    async def _log_out(self) -> None:
        client = self._client
        if client is None:
            client = self._client = self._make()
            await client.connect()
        await client(functions.auth.LogOutRequest())
