"""Runs the calls to an account: ordered where order matters, and bounded in number and time."""

import asyncio
import base64
import binascii
import random
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, Final, Protocol
from uuid import UUID

import orjson
import structlog

from engine.messengers import media as media_
from engine.messengers.account_writer import AccountWriter, as_history
from engine.messengers.leases import AccountLease
from messengers.bugs import REASON as BUG
from messengers.port import (
    Action,
    Broken,
    Connection,
    Driver,
    Lost,
    Media,
    MessengerError,
    Outgoing,
    Refused,
    Restricted,
    Uncertain,
    Unreachable,
    WrongStep,
)
from shapes.chats import ContentKind
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("postern.messengers")

_MAX_CALLS: Final = 200  # calls of one account that wait or run
_MAX_CONCURRENT: Final = 8  # calls of one account that run at the messenger
_MAX_ACTIONS: Final = 50  # chats that are shown typing at the same time
_MAX_ACTION_SECONDS: Final = 60.0
_LEAVE_SECONDS: Final = 3.0  # how long running calls may take when the connection closes in good order
_WITH_EFFECT: Final = frozenset(
    {"send", "code", "password"}
)  # calls that may have been executed when no answer came
_NOT_NOW: Final = (
    "The messenger accepts no messages to this person now, although there is a chat. Wait for an answer."
)
_BUDGET: Final = media_.MemoryBudget()
"""Separate from media.BUDGET, the budget for loading: callers keep their share of that one until they are answered."""


def as_json(value: Any) -> Any:
    """Returns a plain JSON value: dataclasses become objects, times ISO 8601."""
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_UTC_Z))


class RunningAccount(Protocol):
    """The account whose calls are run: its lease, its connection, and its last stored state."""

    lease: AccountLease
    writer: AccountWriter
    connection: Connection | None
    driver: Driver | None
    value: str | None
    expires_at: datetime | None
    checked_at: datetime | None

    @property
    def account_id(self) -> UUID: ...
    @property
    def state(self) -> str: ...
    async def probe(self) -> bool: ...


class CallHandler:
    """The calls of one account."""

    def __init__(self, account: RunningAccount) -> None:
        self._account = account
        self._calls: dict[str, Callable[..., Coroutine[Any, Any, Any]]] = {
            "shown": self._do_login_code,
            "code": self._do_code,
            "password": self._do_password,
            "me": self._do_me,
            "person": self._do_person,
            "send": self._do_send,
            "history": self._do_history,
            "act": self._do_act,
            "read": self._do_read,
            "fetch": self._do_fetch,
            "probe": self._do_probe,
        }
        self._slots = asyncio.Semaphore(_MAX_CONCURRENT)
        self._recipients: dict[str, tuple[asyncio.Lock, int]] = {}  # recipient → lock and number of waiters
        self._running: set[asyncio.Task[Any]] = set()
        # This is no LRUCache, because a dropped task must be cancelled.
        self._actions: OrderedDict[str, asyncio.Task[None]] = OrderedDict()

    async def answer(self, call: str, arguments: dict[str, Any], seconds: float) -> Any:
        """Runs a call. Raises MessengerError and nothing else."""
        run = self._calls.get(call)
        if run is None:
            raise Refused(
                "This call is unknown to the worker that runs the account. Try again after all processes run"
                " the same version.",
                code="unsupported",
            )
        if len(self._running) >= _MAX_CALLS:
            raise Unreachable(
                "There are too many calls to this account at once; nothing was done. Try again in a moment."
            )
        if not self._account.lease.valid:
            raise Unreachable(
                "Another worker may be taking over this account; nothing was done. Try again in a moment."
            )
        # A task of its own: the caller may be cancelled, and a call that has begun must run to its end.
        task = asyncio.create_task(self._bounded(run, arguments, max(0.05, seconds)))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return as_json(await asyncio.shield(task))
        except MessengerError:
            raise
        except TimeoutError:
            reason = "The messenger did not answer in time."
        except (Lost, asyncio.CancelledError):
            if not task.done():
                raise  # the caller was cancelled, not the call
            reason = "The connection was closed during the call."
        except Exception:
            log.exception(
                "a messenger driver failed at a call", call=call, account=str(self._account.account_id)
            )
            if call not in _WITH_EFFECT:
                raise Broken(BUG) from None
            reason = BUG
        raise Uncertain(reason) if call in _WITH_EFFECT else Unreachable(reason)

    async def _bounded(
        self, run: Callable[..., Coroutine[Any, Any, Any]], arguments: dict[str, Any], seconds: float
    ) -> Any:
        async with asyncio.timeout(seconds):
            return await run(**arguments)

    async def close(self) -> None:
        """Gives running calls a moment to end, because the connection is about to close."""
        self._end_actions()
        if self._running and self._account.lease.valid:
            await asyncio.wait(set(self._running), timeout=_LEAVE_SECONDS)
        self.cancel_all()

    def cancel_all(self) -> None:
        """Cancels all running calls."""
        self._end_actions()
        for task in tuple(self._running):
            task.cancel()

    def _connection(self) -> Connection:
        """Returns the connection. Raises WrongStep, Lost."""
        if not self._account.lease.valid:
            raise Lost
        if self._account.connection is None:
            raise WrongStep("The account is not connected.")
        return self._account.connection

    async def _do_login_code(self) -> Any:
        account = self._account
        return {"value": account.value, "expires_at": account.expires_at, "state": account.state}

    async def _do_code(self, code: str) -> Any:
        await self._connection().code(code)
        return {}

    async def _do_password(self, password: str) -> Any:
        await self._connection().password(password)
        return {}

    async def _do_me(self) -> Any:
        async with self._slots:
            return await self._connection().me()

    async def _do_person(self, to: str) -> Any:
        async with self._slots:
            return await self._connection().person(to)

    async def _do_send(
        self,
        item: str,
        to: str,
        text: str = "",
        media: list[dict[str, Any]] | None = None,
        reply_to: str | None = None,
        template: dict[str, Any] | None = None,
    ) -> Any:
        begun, account = False, self._account
        try:
            async with self._reserved_memory(_size(media or ())), self._in_order(to), self._slots:
                await account.writer.check_restriction(to)  # it may be known since the message was queued
                connection = self._connection()
                # decoded only when it is the message's turn, to save memory
                sources = [_media(file) for file in media or ()]
                message = Outgoing(UUID(item), to, text, sources, reply_to, template)
                self._end_action(to)  # the messenger hides it when the message arrives
                begun = True
                try:
                    sent = await connection.send(message)
                except Restricted as error:
                    is_stranger = True
                    with suppress(Lost):
                        is_stranger = await account.writer.write_restriction(error.reason, error.until, to)
                    if not is_stranger:
                        raise Refused(_NOT_NOW, code="chat_restricted") from None
                    raise
                self._end_action(sent.thread)
                return sent
        except (asyncio.CancelledError, Lost) as error:
            if begun:
                raise
            raise Unreachable(
                "The message was not sent: too many messages of this account were waiting before it. Try"
                " again later."
            ) from error

    @asynccontextmanager
    async def _reserved_memory(self, size: int, seconds: float = 0.0) -> AsyncIterator[media_.Reservation]:
        """Reserves memory for files. A message's files are in memory already, so sending does not wait. Raises
        Unreachable."""
        with _BUDGET.reserve(self._account.account_id) as reservation:
            if not await reservation.acquire(size, seconds):
                raise Unreachable(
                    "This server is sending too many files; nothing was done. Try again in a moment."
                )
            yield reservation

    @asynccontextmanager
    async def _in_order(self, to: str) -> AsyncIterator[None]:
        """Keeps the order of messages to one recipient."""
        lock, users = self._recipients.get(to, (asyncio.Lock(), 0))
        self._recipients[to] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._recipients[to]
            if users == 1:
                del self._recipients[to]
            else:
                self._recipients[to] = lock, users - 1

    async def _do_history(self, thread: str, limit: int = 50, before: str | None = None) -> Any:
        async with self._slots:
            messages = await self._connection().history(thread, limit, before)
        messages = as_history(messages)
        if messages:
            await self._account.writer.write_events(messages)
        return messages

    async def _do_act(self, to: str, action: Action, seconds: float = 5.0) -> Any:
        self._end_action(to)
        async with self._slots:
            await self._connection().act(to, action)
        if action != "none":
            bounded = max(0.0, min(float(seconds), _MAX_ACTION_SECONDS))
            self._actions[to] = asyncio.create_task(self._renew_action(to, action, bounded))
            while len(self._actions) > _MAX_ACTIONS:
                self._actions.popitem(last=False)[1].cancel()
        return {}

    async def _do_read(self, thread: str, provider_id: str) -> Any:
        async with self._slots:
            await self._connection().read(thread, provider_id)
        return {}

    async def _do_fetch(self, thread: str, provider_id: str, index: int = 0) -> Any:
        async with self._reserved_memory(media_.MAX_FILE_BYTES, media_.WAIT_SECONDS), self._slots:
            media = await self._connection().fetch(thread, provider_id, index)
            data = base64.b64encode(media.data).decode()
        return {"kind": media.kind, "data": data, "mime": media.mime, "name": media.name}

    async def _do_probe(self) -> Any:
        account = self._account
        if account.writer.state is AccountState.working:
            await account.probe()
        return {"state": account.state, "checked_at": account.checked_at}

    async def _renew_action(self, to: str, action: Action, seconds: float) -> None:
        """Repeats the action until its time is over: messengers hide it after a few seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        driver = self._account.driver
        every = driver.renews if driver is not None else 4.0
        try:
            while (left := end - loop.time()) > 0:
                await asyncio.sleep(min(every * random.uniform(0.9, 1.0), left))
                if end - loop.time() > 0.05:
                    await self._connection().act(to, action)
            with suppress(MessengerError):
                await self._connection().act(to, "none")
        except (MessengerError, Lost) as error:
            log.debug("typing is not renewed", error=error)
        except Exception:
            log.exception(
                "a messenger driver failed at a call", call="act", account=str(self._account.account_id)
            )
        finally:
            if self._actions.get(to) is asyncio.current_task():
                del self._actions[to]

    def _end_action(self, to: str) -> None:
        if (task := self._actions.pop(to, None)) is not None:
            task.cancel()

    def _end_actions(self) -> None:
        for to in tuple(self._actions):
            self._end_action(to)


def _size(media: Sequence[dict[str, Any]]) -> int:
    return sum(len(file["data"]) for file in media) * 3 // 4


def _media(file: dict[str, Any]) -> Media:
    try:
        data = base64.b64decode(file["data"], validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refused(
            "A file of this message is not valid base64. Encode it again.", code="bad_media"
        ) from error
    return Media(
        ContentKind(file["kind"]), data, file.get("mime") or "application/octet-stream", file.get("name")
    )
