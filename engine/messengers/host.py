"""The live accounts of this process: taken, renewed, connected, called, and given back."""

import asyncio
import random
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from uuid import UUID

import structlog

from core.store import DOWN
from core.tasks import end
from engine.messengers import call_client, errors
from engine.messengers.account_runner import Live
from engine.messengers.drivers import Drivers
from engine.messengers.leases import BITE, LOOK, RENEW, Holds, Wish
from engine.messengers.rpc_transport import (
    GRACE_MS,
    LARGE,
    MOST_BYTES,
    WAKE,
    Line,
    Seal,
    answer_key,
    back,
    call_key,
    patient,
    to,
)
from messengers.port import MessengerError, Refused, Unreachable
from runtime.database_errors import translate
from runtime.services import Services

log = structlog.get_logger("postern.messengers")

_WATCH_SECONDS: Final = 0.25
_PATIENT_LOOKS: Final = 2
_STARTS: Final = 20  # connections that start at the same time
_CALLS: Final = 2000  # calls from other processes that run at the same time
_TOGETHER: Final = 8  # small calls fetched in one round trip
_BYTES: Final = 256 * 2**20  # bytes of all running calls
_SPARE: Final = 64 * 2**20  # bytes of these that large calls may not use
_WAITING: Final = 10_000  # announced calls that are not yet taken
_SKEW: Final = 60.0  # seconds between the clocks of two machines
_KNOWN_SECONDS: Final = (
    300.0  # how long a call's id is remembered, against repeats: longer than any call is valid
)
_ANSWER_MS: Final = 60_000
_NOT_WANTED: Final = Wish(wanted=False, clearing=False, owner_status="")


class Host:
    """Runs the live accounts of this process: `run` until `stop`. One per process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.drivers = Drivers(services.settings)
        self.holds = Holds(services.db)
        self.lives: dict[UUID, Live] = {}
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._starts = asyncio.Semaphore(_STARTS)
        self._stop = asyncio.Event()
        self._woken = asyncio.Event()
        self._client = patient(services)
        self._seal = Seal(*services.keys("messengers.calls"))
        self._line = Line(
            self._client,
            {to(self.holds.holder): self._announced, WAKE: lambda _: self._woken.set()},
        )
        self._announcements: asyncio.Queue[bytes] = asyncio.Queue(_WAITING)
        self._full = 0  # rounds in a row in which this process held its full share
        self._known: OrderedDict[str, float] = OrderedDict()
        self._calls: set[asyncio.Task[None]] = set()
        self._bytes = 0  # bytes of the running calls, sealed

    def live(self, account_id: UUID) -> Live | None:
        """Returns the account's runner if this process surely holds the account."""
        found = self.lives.get(account_id)
        return found if found is not None and found.hold.sure else None

    def woken(self, account_id: UUID) -> None:
        """Starts the next round at once."""
        self._woken.set()

    def stop(self) -> None:
        """Ends `run`: takes no more accounts, and disconnects and gives back all of them."""
        self._stop.set()

    async def run(self) -> None:
        """Takes, connects and renews accounts and answers calls, until `stop`."""
        call_client.here(self._services, self)
        self._line.open()
        watch = asyncio.get_running_loop().call_later(_WATCH_SECONDS, self._watch)
        self._watching = watch
        looking = asyncio.create_task(self._look_always())
        working = [asyncio.create_task(self._renew_always()), asyncio.create_task(self._take_calls())]
        log.info("messenger host started", holder=str(self.holds.holder))
        try:
            await self._stop.wait()
        finally:
            await end((looking,))
            await self._hand_over()
            call_client.gone(self._services, self)
            if self._calls:  # answers are still being sent
                await asyncio.wait(self._calls, timeout=1)
            await end((*working, *self._calls))
            self._watching.cancel()
            await self._line.close()
            await self.drivers.close()
            with suppress(Exception):  # the row expires by itself
                await asyncio.wait_for(self.holds.disappear(), 2)
            await self._client.aclose()
            await self.holds.close()
            log.info("messenger host stopped", holder=str(self.holds.holder))

    async def _hand_over(self) -> None:
        """Closes all connections, then gives all leases back, so that another process can continue at once."""
        for live in self.lives.values():
            live.leave()
        bound = self._services.settings.shutdown_seconds
        for seconds in (min(bound / 2, 4.0), max(0.5, bound / 2 - 2)):
            if tasks := set(self._tasks.values()):
                await asyncio.wait(tasks, timeout=seconds)
            await self._give_back(self.holds.give_back_all(list(self.lives)))
        for live in tuple(self.lives.values()):  # connections that did not close in time; their leases expire
            live.abandon()
        await end(tuple(self._tasks.values()))

    async def _give_back(self, giving: Coroutine[Any, Any, None]) -> None:
        try:
            await asyncio.wait_for(giving, 2)
        except Exception as error:  # they expire
            log.info("messenger accounts could not be given back", error=str(error)[:200])

    def _watch(self) -> None:
        """Lets go of lost accounts on a timer.

        This is no task: after a standstill a timer runs before the tasks that have become ready meanwhile.
        """
        self._watching = asyncio.get_running_loop().call_later(_WATCH_SECONDS, self._watch)
        self._let_go()

    def _let_go(self) -> None:
        self.holds.drop_lost()
        for live in self.lives.values():
            if not live.hold.sure:
                live.abandon()

    async def _renew_always(self) -> None:
        pause = RENEW
        while True:
            await asyncio.sleep(pause)
            pause = RENEW
            try:
                async with asyncio.timeout(RENEW):
                    await self.holds.renew()
                    await self.holds.appear()
            except Exception as error:  # `Hold.sure` ends the lease when renewal fails for too long
                log.info("messenger accounts could not be renewed", error=str(error)[:200])
                pause = RENEW / 6
            self._let_go()

    async def _look_always(self) -> None:
        here = False
        while True:
            self._woken.clear()
            try:
                if not here:
                    await self.holds.appear()
                    here = True
                await self._look()
            except Exception as error:  # any error: the next round must run
                known = translate(error)
                log.log(10 if known else 40, "messenger accounts have to wait", error=str(error)[:200])
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK * random.uniform(0.8, 1.0)):
                    await self._woken.wait()
                await asyncio.sleep(0.02)  # several wake-ups lead to one round

    async def _look(self) -> None:
        """Passes the owners' wishes to the runners, and takes accounts that no process holds."""
        wishes = await self.holds.wishes()
        for id, live in tuple(self.lives.items()):
            if id in self.holds:
                live.wish(wishes.get(id, _NOT_WANTED))
        while not self._stop.is_set():
            room = await self.holds.room()
            self._full = 0 if room > 0 else self._full + 1
            # Accounts that remain for several rounds exceed the share of the others.
            most = min(room, BITE) if room > 0 else BITE if self._full > _PATIENT_LOOKS else 0
            if most == 0:
                return
            # One runner per account: an account is not taken again before its old runner has closed, even if its lease
            # is free.
            taken = await self.holds.take(most, but=list(self.lives))
            for hold in taken:
                if (old := self.lives.get(hold.account_id)) is not None:
                    log.error("a messenger account was taken twice", account=str(hold.account_id))
                    hold.lost = (
                        True  # not given back: no other process may take it while the old connection closes
                    )
                    old.abandon()
                    continue
                live = Live(self._services, self.drivers, hold, self._starts)
                self.lives[hold.account_id] = live
                self._tasks[hold.account_id] = asyncio.create_task(self._life(live))
            if len(taken) < most:
                return
            # leaves accounts for other processes that have just started
            await asyncio.sleep(random.uniform(0.05, 0.25))

    async def _life(self, live: Live) -> None:
        id = live.hold.account_id
        try:
            await live.run()
        finally:
            if self.lives.get(id) is live:
                del self.lives[id], self._tasks[id]
        if live.hold.lost:
            self.holds.drop_lost()
        elif not self._stop.is_set():  # on stop, `_hand_over` gives all of them back together
            await self._give_back(self.holds.give_back([live.hold]))

    def _announced(self, id: bytes) -> None:
        with suppress(asyncio.QueueFull):  # the caller notices that no process took the call
            self._announcements.put_nowait(id)

    async def _take_calls(self) -> None:
        """Takes announced calls in their order; small ones together, each large one by itself."""
        while True:
            ids = [(await self._announcements.get()).decode(errors="replace")]
            while len(ids) < _TOGETHER and not self._announcements.empty():
                ids.append(self._announcements.get_nowait().decode(errors="replace"))
            try:
                async with self._client.pipeline(transaction=False) as pipe:
                    for id in ids:
                        pipe.strlen(call_key(id))
                    sizes = await pipe.execute()
                together: list[str] = []
                for id, size in zip(ids, sizes, strict=True):
                    if size < LARGE:
                        together.append(id)
                    elif size <= MOST_BYTES:  # a larger call is not ours
                        await self._take(together)
                        await self._take([id])
                        together = []
                await self._take(together)
            except DOWN as error:  # calls that were taken and lost here are uncertain for their callers
                log.info("redis is away; calls to messenger accounts are lost", error=str(error)[:200])

    async def _take(self, ids: list[str]) -> None:
        if not ids:
            return
        async with self._client.pipeline(transaction=True) as pipe:
            for id in ids:
                pipe.pttl(call_key(id))
                pipe.getdel(call_key(id))
            found = await pipe.execute()
        for id, left, sealed in zip(ids, found[::2], found[1::2], strict=True):
            if sealed is not None:
                said = await self._seal.opened(sealed, f"call:{id}:{self.holds.holder}")
                self._taken(id, left, said, len(sealed))

    def _taken(self, id: str, milliseconds: int, said: dict[str, Any] | None, size: int) -> None:
        now = time.monotonic()
        while self._known and next(iter(self._known.values())) < now - _KNOWN_SECONDS:
            self._known.popitem(last=False)
        if (
            said is None
            or id in self._known
            or abs(self._services.db.now().timestamp() - said["at"]) > 2 * _SKEW + 60
        ):
            log.error("a call in Redis is not one of ours, or comes again; does somebody else write there?")
            return
        self._known[id] = now
        milliseconds -= GRACE_MS
        room = _BYTES - self._bytes - (_SPARE if size >= LARGE else 0)
        if len(self._calls) >= _CALLS or size > room:
            error = Unreachable(
                "This server has too many calls at once; nothing was done. Try again in a moment."
            )
            task = asyncio.create_task(self._reply(id, said["asker"], {"error": errors.pack(error)}))
            size = 0
        elif milliseconds <= 0:  # the caller has given up
            task = asyncio.create_task(self._reply(id, said["asker"], {"moved": True}))
        else:
            task = asyncio.create_task(self._call(id, said, milliseconds / 1000))
        self._calls.add(task)
        self._bytes += size
        task.add_done_callback(lambda task: self._ended(task, size))

    def _ended(self, task: asyncio.Task[None], size: int) -> None:
        self._calls.discard(task)
        self._bytes -= size

    async def _call(self, id: str, said: dict[str, Any], seconds: float) -> None:
        live = self.live(UUID(said["account"]))
        if live is None:
            await self._reply(id, said["asker"], {"moved": True})
            return
        try:
            answer: dict[str, Any] = {"value": await live.answer(said["call"], said["arguments"], seconds)}
        except MessengerError as error:
            answer = {"error": errors.pack(error), "state": live.state}
        await self._reply(id, said["asker"], answer)

    async def _reply(self, id: str, asker: str, answer: dict[str, Any]) -> None:
        """Stores the answer for a minute and announces it, so that a caller that lost its connection still finds it."""
        place = f"answer:{id}:{asker}"
        sealed = await self._seal.closed(answer, place)
        if len(sealed) > MOST_BYTES:
            sealed = self._seal.close(
                {
                    "error": errors.pack(
                        Refused("The answer is too large to return. Ask for less at once.", code="too_large")
                    )
                },
                place,
            )
        for _ in range(20):
            try:
                async with self._client.pipeline(transaction=True) as pipe:
                    pipe.set(answer_key(id), sealed, px=_ANSWER_MS)
                    pipe.publish(back(asker), id)
                    await pipe.execute()
                return
            except DOWN:
                await asyncio.sleep(0.5)
        log.warning("redis is away; the answer to a call is lost")


@asynccontextmanager
async def hosting(services: Services) -> AsyncIterator[Host]:
    """Runs a host for the duration of the context."""
    host = Host(services)
    running = asyncio.create_task(host.run())
    try:
        yield host
    finally:
        host.stop()
        await running
