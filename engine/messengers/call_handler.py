"""Runs the calls to a live account: ordered where order matters, and bounded in number and time."""

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
from engine.messengers.leases import Hold
from engine.messengers.sink import Tells, past
from messengers.port import (
    Action,
    Connection,
    Driver,
    Lost,
    Media,
    MessengerError,
    Outgoing,
    Refused,
    Uncertain,
    Unreachable,
    WrongStep,
)
from shapes.chats import ContentKind
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("postern.messengers")

_MOST_CALLS: Final = 200  # calls of one account that wait or run
_AT_ONCE: Final = 8  # calls of one account that run at the messenger
_MOST_ACTS: Final = 50  # chats that are shown typing at the same time
_LONGEST_ACT: Final = 60.0
_LEAVE_SECONDS: Final = 3.0  # how long running calls may take when the connection closes in good order
_EFFECTS: Final = frozenset(
    {"send", "code", "password"}
)  # calls that may have been executed when no answer came
_ROOM: Final = media_.Room()
"""Separate from media.ROOM, the budget for loading: callers keep their share of that one until they are answered."""


def plain(what: Any) -> Any:
    """Returns a plain JSON value: dataclasses become objects, times ISO 8601."""
    return orjson.loads(orjson.dumps(what, option=orjson.OPT_UTC_Z))


class LiveAccount(Protocol):
    """The account whose calls are run: its lease, its connection, and what was last stored of it."""

    hold: Hold
    tells: Tells
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


class Answering:
    """The calls of one account."""

    def __init__(self, live: LiveAccount) -> None:
        self._live = live
        self._do: dict[str, Callable[..., Coroutine[Any, Any, Any]]] = {
            "shown": self._do_shown,
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
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._lanes: dict[str, tuple[asyncio.Lock, int]] = {}  # recipient → lock and number of waiters
        self._work: set[asyncio.Task[Any]] = set()
        self._acts: OrderedDict[str, asyncio.Task[None]] = OrderedDict()

    async def answer(self, call: str, arguments: dict[str, Any], seconds: float) -> Any:
        """Runs a call. Raises MessengerError and nothing else."""
        do = self._do.get(call)
        if do is None:
            raise Refused(
                "This call is unknown to the worker that runs the account. Try again after all processes run"
                " the same version.",
                code="unsupported",
            )
        if len(self._work) >= _MOST_CALLS:
            raise Unreachable(
                "There are too many calls to this account at once; nothing was done. Try again in a moment."
            )
        if not self._live.hold.sure:
            raise Unreachable(
                "Another worker may be taking over this account; nothing was done. Try again in a moment."
            )
        # A task of its own: the caller may be cancelled, and a call that has begun must run to its end.
        task = asyncio.create_task(self._bounded(do, arguments, max(0.05, seconds)))
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        try:
            return plain(await asyncio.shield(task))
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
                "a messenger driver failed at a call", call=call, account=str(self._live.account_id)
            )
            reason = "The driver failed during this call. The operator finds the error in the log."
        raise Uncertain(reason) if call in _EFFECTS else Unreachable(reason)

    async def _bounded(
        self, do: Callable[..., Coroutine[Any, Any, Any]], arguments: dict[str, Any], seconds: float
    ) -> Any:
        async with asyncio.timeout(seconds):
            return await do(**arguments)

    async def close(self) -> None:
        """Gives running calls a moment to end, because the connection is about to close."""
        self._end_acts()
        if self._work and self._live.hold.sure:
            await asyncio.wait(set(self._work), timeout=_LEAVE_SECONDS)
        self.cut()

    def cut(self) -> None:
        """Cancels all running calls."""
        self._end_acts()
        for task in tuple(self._work):
            task.cancel()

    def _connection(self) -> Connection:
        """Returns the connection. Raises WrongStep, Lost."""
        if not self._live.hold.sure:
            raise Lost
        if self._live.connection is None:
            raise WrongStep("The account is not connected.")
        return self._live.connection

    async def _do_shown(self) -> Any:
        live = self._live
        return {"value": live.value, "expires_at": live.expires_at, "state": live.state}

    async def _do_code(self, code: str) -> Any:
        await self._connection().code(code)
        return {}

    async def _do_password(self, password: str) -> Any:
        await self._connection().password(password)
        return {}

    async def _do_me(self) -> Any:
        async with self._at_once:
            return await self._connection().me()

    async def _do_person(self, to: str) -> Any:
        async with self._at_once:
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
        begun = False
        try:
            async with self._sharing(_size(media or ())), self._lane(to), self._at_once:
                connection = self._connection()
                # decoded only when it is the message's turn, to save memory
                sources = [_media(one) for one in media or ()]
                message = Outgoing(UUID(item), to, text, sources, reply_to, template)
                self._end_act(to)  # the messenger hides it when the message arrives
                begun = True
                sent = await connection.send(message)
                self._end_act(sent.thread)
                return sent
        except (asyncio.CancelledError, Lost) as error:
            if begun:
                raise
            raise Unreachable(
                "The message was not sent: too many messages of this account were waiting before it. Try"
                " again later."
            ) from error

    @asynccontextmanager
    async def _sharing(self, size: int, seconds: float = 0.0) -> AsyncIterator[media_.Share]:
        """Reserves memory for files. A message's files are in memory already, so sending does not wait. Raises
        Unreachable."""
        with _ROOM.share(self._live.account_id) as share:
            if not await share.take(size, seconds):
                raise Unreachable(
                    "This server is sending too many files; nothing was done. Try again in a moment."
                )
            yield share

    @asynccontextmanager
    async def _lane(self, to: str) -> AsyncIterator[None]:
        """Keeps the order of messages to one recipient."""
        lane, users = self._lanes.get(to, (asyncio.Lock(), 0))
        self._lanes[to] = lane, users + 1
        try:
            async with lane:
                yield
        finally:
            lane, users = self._lanes[to]
            if users == 1:
                del self._lanes[to]
            else:
                self._lanes[to] = lane, users - 1

    async def _do_history(self, thread: str, limit: int = 50, before: str | None = None) -> Any:
        async with self._at_once:
            messages = await self._connection().history(thread, limit, before)
        messages = past(messages)
        if messages:
            await self._live.tells.happened(messages)
        return messages

    async def _do_act(self, to: str, action: Action, seconds: float = 5.0) -> Any:
        self._end_act(to)
        async with self._at_once:
            await self._connection().act(to, action)
        if action != "none":
            bounded = max(0.0, min(float(seconds), _LONGEST_ACT))
            self._acts[to] = asyncio.create_task(self._renew_act(to, action, bounded))
            while len(self._acts) > _MOST_ACTS:
                self._acts.popitem(last=False)[1].cancel()
        return {}

    async def _do_read(self, thread: str, provider_id: str) -> Any:
        async with self._at_once:
            await self._connection().read(thread, provider_id)
        return {}

    async def _do_fetch(self, thread: str, provider_id: str, index: int = 0) -> Any:
        async with self._sharing(media_.LARGEST, media_.WAIT_SECONDS), self._at_once:
            media = await self._connection().fetch(thread, provider_id, index)
            data = base64.b64encode(media.data).decode()
        return {"kind": media.kind, "data": data, "mime": media.mime, "name": media.name}

    async def _do_probe(self) -> Any:
        live = self._live
        if live.tells.state is AccountState.working:
            await live.probe()
        return {"state": live.state, "checked_at": live.checked_at}

    async def _renew_act(self, to: str, action: Action, seconds: float) -> None:
        """Repeats the action until its time is over: messengers hide it after a few seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        driver = self._live.driver
        every = driver.renews if driver is not None else 4.0
        try:
            while (left := end - loop.time()) > 0:
                await asyncio.sleep(min(every * random.uniform(0.9, 1.0), left))
                if end - loop.time() > 0.05:
                    await self._connection().act(to, action)
            with suppress(MessengerError):
                await self._connection().act(to, "none")
        except (MessengerError, Lost) as error:
            log.debug("typing is not renewed", error=str(error)[:200])
        except Exception:
            log.exception(
                "a messenger driver failed at a call", call="act", account=str(self._live.account_id)
            )
        finally:
            if self._acts.get(to) is asyncio.current_task():
                del self._acts[to]

    def _end_act(self, to: str) -> None:
        if (task := self._acts.pop(to, None)) is not None:
            task.cancel()

    def _end_acts(self) -> None:
        for to in tuple(self._acts):
            self._end_act(to)


def _size(media: Sequence[dict[str, Any]]) -> int:
    return sum(len(one["data"]) for one in media) * 3 // 4


def _media(one: dict[str, Any]) -> Media:
    try:
        data = base64.b64decode(one["data"], validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refused(
            "A file of this message is not valid base64. Encode it again.", code="bad_media"
        ) from error
    return Media(
        ContentKind(one["kind"]), data, one.get("mime") or "application/octet-stream", one.get("name")
    )
