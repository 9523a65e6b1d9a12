"""Runs one WhatsApp account: a child process that is started, listened to, and started again when it ends.

The account's session is the library's database as text. It is stored at once after a login, then at most every half
minute, and at the end. A killed process loses changes that were not stored yet, including the message counters of the
Signal protocol; a receiver drops a message that repeats an old counter. So only the last session of an orderly end is
used unchanged; after any other end the next process makes new Signal sessions with each recipient.

The library acknowledges messages to WhatsApp before they are stored here. So an orderly end goes on listening until the
child has handled all of them. Then the session, which would open none of them a second time, is stored first, with the
events that are not stored yet, and the events after it: however long they take, no sender has to send a text again.
Events that are left when time is up stay with the session, or on this machine (leftovers.py); the next connection
reports them.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from cachetools import LRUCache

from messengers import port
from messengers.bugs import REASON
from messengers.port import Account, Change, Event, Lost, Person, Sent, Sink
from messengers.whatsapp import parsed, reports, states
from messengers.whatsapp.errors import Failed
from messengers.whatsapp.folder import Folder, ProcessFolder, Unusable
from messengers.whatsapp.keeping import SessionKeeper
from messengers.whatsapp.login_watch import LoginWatch
from messengers.whatsapp.process import Bounds, Child, Gone, Silent
from shapes.messenger_accounts import AccountState

log = structlog.get_logger()

_PAUSE_MOST = 60.0
_LIVED = 60.0  # seconds after which a crash counts as the first one again
_CRASHES = 5
_DOWN = 300.0  # the library's own pauses grow without limit; a new child begins with short ones
_BATCH = 100
_CALLS = 16  # at once
_SAVE_AT_END = 1.5  # seconds to store the session at the end
_RECENT = 1000  # sent messages that are remembered, so that none is sent twice

IN_LOGIN = {
    AccountState.starting, AccountState.waitQr, AccountState.showCode, AccountState.failed, AccountState.stopped,
    AccountState.loggedOut, AccountState.blocked,
}  # fmt: skip


class Lifecycle(SessionKeeper):
    """The child, its folder, the state and the session; connection.py adds the calls."""

    def __init__(
        self,
        account: Account,
        sink: Sink,
        process_folder: ProcessFolder,
        command: Sequence[str],
        bounds: Bounds,
    ) -> None:
        super().__init__(account, sink)
        self._process_folder = process_folder
        self._command, self._bounds = command, bounds
        self._child: Child | None = None
        self._state = AccountState.starting
        self._me: Person | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False
        self._aborted = False
        self._complete = True  # all that the last child acknowledged is stored
        self._rests = False  # no message follows any more, so the session's counters stay valid
        self._session_first = asyncio.Event()  # while the account closes, events are stored after this
        self._down_since: float | None = None
        self._sent: LRUCache[UUID, Sent] = LRUCache(_RECENT)
        self._calls = asyncio.Semaphore(_CALLS)
        self._logins = LoginWatch(bounds.login, self._report_again)

    async def start(self) -> None:
        if self._closed or self._tasks:
            return
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._keep())]

    def abort(self) -> None:
        self._aborted = True
        if self._child is not None:
            self._child.kill_now()
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            with suppress(Exception):
                await self._stop()
            with suppress(Exception):
                async with asyncio.timeout(_SAVE_AT_END):
                    if not self._aborted:
                        at_rest = self._complete or self._rests
                        await self._save(force=True, at_rest=at_rest, at_end=True)
            self._let_go()

    async def _stop(self) -> None:
        """Ends the child and the tasks; before that, all that the library has acknowledged is stored."""
        child, running = self._child, self._tasks[:1]
        is_over = self._aborted or self._lost or (child is not None and child.over.is_set())
        if child is not None and running and child.hello.is_set() and not is_over:
            until = time.monotonic() + self._bounds.stop
            await child.leave()
            await self._save_first(child)
            await asyncio.wait(running, timeout=max(0.0, until - time.monotonic()))
            self._complete = child.is_complete
        await self._end_tasks()
        if child is not None:
            await child.end()
            if child.unstored:
                log.warning(
                    "a WhatsApp account ended before all its messages were stored",
                    account=str(self._account.id), left=child.unstored,
                )  # fmt: skip

    async def _save_first(self, child: Child) -> None:
        """Stores the session as soon as it changes no more, before the events that are left: these wait meanwhile."""
        try:
            async with asyncio.timeout(self._bounds.stop):
                if self._paired:
                    await child.settled.wait()
                self._rests = child.settled.is_set() and (child.is_complete or not child.over.is_set())
                if self._rests:
                    await self._save(force=True, at_rest=True, at_end=True)
        except TimeoutError:
            pass
        except Exception as error:
            log.warning(
                "a WhatsApp session was not stored", account=str(self._account.id), error=type(error).__name__
            )
        finally:
            self._session_first.set()

    async def forget(self) -> None:
        with suppress(port.MessengerError, Failed, Gone, Silent, TimeoutError):
            if self._child is not None and self._state not in IN_LOGIN:
                await self._child.call("logout", {}, seconds=9.0)
        if not self._closed and self._paired:
            self._paired = False
            with suppress(Exception):
                async with asyncio.timeout(1):
                    await self._say(self._sink.session, None)
        self._leaves_events = False
        await self.close()

    async def _end_tasks(self) -> None:
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        try:
            await self._loop()
        except Lost:
            pass
        except Exception as error:
            log.exception(
                "a WhatsApp account broke", account=str(self._account.id), error=type(error).__name__
            )
            with suppress(Exception):
                await self._report(
                    Change(
                        AccountState.failed,
                        "driver_broken",
                        REASON,
                    )
                )
        if self._child is not None:
            await self._child.end()
        if self._lost:
            self._let_go()

    async def _loop(self) -> None:
        try:
            self._folder = await asyncio.to_thread(self._laid_out)
        except Unusable as error:
            log.warning("a WhatsApp session can't be used", account=str(self._account.id), why=str(error))
            reason = "The stored session can't be used. Clear it and log in again."
            await self._report(Change(AccountState.loggedOut, "session_unusable", reason))
            return
        failures = crashes = 0
        while True:
            began = time.monotonic()
            next = await self._run_child()
            if next == "end":
                return
            if (
                self._state in (AccountState.working, AccountState.syncing)
                or time.monotonic() - began > _LIVED
            ):
                failures = crashes = 0
            if next == "crashed":
                crashes += 1
                if crashes >= _CRASHES:
                    reason = (
                        f"The WhatsApp library crashed {crashes} times in a row. The operator finds the "
                        "error in the log."
                    )
                    await self._report(Change(AccountState.failed, "driver_crashed", reason))
                    return
                reason = "The WhatsApp library crashed. It is being restarted."
                await self._report(Change(AccountState.reconnecting, "driver_crashed", reason))
                if not await asyncio.to_thread(self._folder.sound) and self._session is not None:
                    await asyncio.to_thread(self._folder.unpack, self._session)
            failures = failures + 1 if next != "again" else 0
            pause = min(_PAUSE_MOST, 2.0 ** min(failures, 7) / 2) if failures else 0.2
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))
            await self._sink.restarting()

    def _laid_out(self) -> Folder:
        account = str(self._account.id)
        folder = self._process_folder.folder(account)
        if self._session is not None:
            try:
                folder.unpack(self._session)
                if not folder.sound():
                    raise Unusable("Its database is damaged.")
            except Unusable:
                folder.close()
                raise
        self._process_folder.adopt(folder, account)
        return folder

    async def _run_child(self) -> states.Next | str:
        """Runs one child from its start to its end. Returns the next step."""
        assert self._folder is not None
        first = {
            "folder": str(self._folder.path),
            "phone": self._account.phone,
            "proxy": self._account.proxy,
        }
        try:
            child = self._child = await Child.start(
                self._command, first, self._bounds, self._sink.seconds_left
            )
        except OSError as error:
            log.error("a WhatsApp child can't be started", error=type(error).__name__)
            return "crashed"
        late = asyncio.create_task(self._late(child))
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._bounds.hello):
                    await child.hello.wait()
            if child.hello.is_set():
                next = await self._listen(child)
                if next is not None:
                    return next
            else:
                await child.kill()
        finally:
            late.cancel()
            await child.end()
        if child.missing is not None:
            await self._report(Change(AccountState.failed, "driver_missing", child.missing))
            return "end"
        log.warning(
            "a WhatsApp child crashed",
            account=str(self._account.id), code=child.code, broken=child.broken, said=child.last_words,
        )  # fmt: skip
        return "crashed"

    async def _listen(self, child: Child) -> states.Next | None:
        """Handles the child's events in their order until its end. Returns None if the child crashed.

        After an event that ends it, and while the account closes, the child only hands over its events.
        """
        ending: states.Next | None = None
        while True:
            batch, numbers = [], []
            item = await child.events.get()
            while item is not None:
                number, event = item
                numbers.append(number)
                batch.append(event)
                if len(batch) >= _BATCH or child.events.empty():
                    break
                item = child.events.get_nowait()
            if self._closed and batch:
                await self._session_first.wait()
            try:
                next = await self._written(batch, ending=self._closed or ending is not None)
            except parsed.LASTING_ERRORS as error:
                child.broken = f"A state has not what it must have ({type(error).__name__})."
                return None
            if numbers:
                await child.acknowledge(numbers)
            if next != "stay":
                ending = next
                await child.leave()
            if item is None:
                self._complete = child.is_complete
                return "end" if self._closed else ending

    async def _written(self, batch: list[dict[str, Any]], *, ending: bool) -> states.Next:
        """Stores a batch of events. Returns the child's next step; `ending`: it is about to end already."""
        waiting: list[Event] = []
        next: states.Next = "stay"
        own = self._me.phone if self._me else None
        for event in batch:
            if event["t"] == "bug":
                log.error("a WhatsApp event was not understood", what=str(event["what"])[:200])
                continue
            self._logins.saw(event["t"])
            if event["t"] == "broken":
                log.error(
                    "the WhatsApp driver failed",
                    account=str(self._account.id),
                    trace=str(event["trace"])[:4000],
                )
            move = states.move(event, takeover=self._account.config.get("takeover") is True)
            if move is None:
                waiting += parsed.events(event, own)
                continue
            await self._report_events(waiting)
            waiting = []
            ending = ending or next != "stay"
            await self._moved(move, event["t"], ending=ending)
            own = self._me.phone if self._me else None
            if not ending:
                next = move.next
        await self._report_events(waiting)
        return next

    async def _moved(self, move: states.Move, kind: str, *, ending: bool) -> None:
        if move.void:
            self._paired = False
            await self._say(self._sink.session, None)
        elif kind in ("paired", "connected"):
            self._paired = True
            if not ending:
                await self._save(force=True)
        change = move.change
        if change is None or ending:
            return
        if kind == "down":
            self._down_since = self._down_since or time.monotonic()
        else:
            self._down_since = None
        if kind == "connected":
            self._me = change.me
        await self._report(change)

    def _report_again(self, change: Change) -> None:
        if not self._closed:
            self._tasks.append(asyncio.create_task(self._report_quietly(change)))

    async def _report_quietly(self, change: Change) -> None:
        with suppress(Lost):
            await self._report(change)

    async def _report(self, change: Change) -> None:
        change = self._logins.of(change)
        if change.state is AccountState.working and change.me is None and self._me is not None:
            change = Change(change.state, me=self._me)
        self._state = change.state
        await self._say(self._sink.changed, change)

    async def _report_events(self, events: list[Event]) -> None:
        await reports.report(partial(self._say, self._sink.apply_events), events)

    async def _late(self, child: Child) -> None:
        """Reports messages whose answer came after the caller gave up."""
        while True:
            (item, text), value = await child.late.get()
            with suppress(Lost, KeyError, TypeError, ValueError):
                await self._report_events([parsed.sent(item, value, text)])

    async def _keep(self) -> None:
        """Stores the session when it changed, and restarts a child that could not reconnect for too long."""
        with suppress(Lost):
            while True:
                await asyncio.sleep(1)
                await self._save(force=False)
                if (
                    self._down_since is not None
                    and time.monotonic() - self._down_since > _DOWN
                    and self._child
                ):
                    self._down_since = None
                    await self._child.kill()
