"""The accounts of this process: taken, renewed, connected, called, and given back."""

import asyncio
import math
import random
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from uuid import UUID

import asyncpg
import structlog
from cachetools import TTLCache

from core.store import DOWN
from core.tasks import end
from engine.jobs import every
from engine.messengers import call_client, leases
from engine.messengers.account_runner import AccountRunner
from engine.messengers.drivers import Drivers
from engine.messengers.leases import MAX_ACQUIRED, ROUND_SECONDS, AccountLease, DesiredState, Leases
from engine.messengers.rpc_transport import (
    GRACE_MS,
    LARGE,
    MAX_BYTES,
    WAKE,
    answer_channel,
    answer_key,
    call_channel,
    call_cipher,
    call_key,
    pack_error,
    redis_client,
    subscriber,
)
from engine.messengers.start_slots import StartSlots
from messengers.port import MessengerError, Refused, Unreachable
from runtime.database_errors import translate
from runtime.leases import Renewal
from runtime.services import Services

log = structlog.get_logger("postern.messengers")

_WATCH_SECONDS: Final = 0.25
_IDLE_WATCH_SECONDS: Final = 2.0  # without any lease: a new one lasts longer
_PATIENT_ROUNDS: Final = 2
_MAX_CALLS: Final = 2000  # calls from other processes that run at the same time
_PIPELINED: Final = 8  # small calls fetched in one round trip
_MAX_BYTES: Final = 256 * 2**20  # bytes of all running calls
_RESERVED_BYTES: Final = 64 * 2**20  # bytes of these that large calls may not use
_MAX_WAITING: Final = 10_000  # announced calls that are not yet taken
_SKEW: Final = 60.0  # seconds between the clocks of two machines
_REMEMBERED_SECONDS: Final = (
    300.0  # how long a call's id is remembered, against repeats: longer than any call is valid
)
_ANSWER_MS: Final = 60_000
_DELETED: Final = DesiredState(wanted=False, clearing=False, owner_status="")


class Host:
    """Runs the accounts of this process: `run` until `stop`. One per process."""

    def __init__(self, services: Services, *, finds_accounts: bool = True) -> None:
        """`finds_accounts`: whether it looks for accounts while there are none; a worker's round does it, too."""
        self._services, self._finds_accounts = services, finds_accounts
        self.drivers = Drivers(services.settings)
        self.leases = Leases(services.db)
        self.runners: dict[UUID, AccountRunner] = {}
        self._renewal: Renewal[AccountRunner | AccountLease] = Renewal(
            self.leases.thread,
            lambda: leases.VALID_SECONDS,
            lambda: [*self.runners.values(), *self.leases.just_acquired()],
            self._renew,
            self._abandon,
        )
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._starts = StartSlots()
        self._stop = asyncio.Event()
        self._woken = asyncio.Event()
        self._client = redis_client(services)
        self._cipher = call_cipher(services)
        self._subscriber = subscriber(
            self._client,
            {call_channel(self.leases.holder): self._on_call, WAKE: lambda _: self._woken.set()},
        )
        self._call_ids: asyncio.Queue[bytes] = asyncio.Queue(_MAX_WAITING)
        self._idle = False  # there are no accounts, and `find_accounts` looks for some
        self._full_rounds = 0  # rounds in a row in which this process held its full share
        # Ids of calls. Their number has no bound: an id that is evicted early could be used again.
        self._recent_calls: TTLCache[str, None] = TTLCache(math.inf, _REMEMBERED_SECONDS)
        self._calls: set[asyncio.Task[None]] = set()
        self._bytes = 0  # bytes of the running calls, sealed

    def runner_of(self, account_id: UUID) -> AccountRunner | None:
        """Returns the account's runner if this process surely holds the account."""
        runner = self.runners.get(account_id)
        return runner if runner is not None and runner.lease.valid else None

    def woken(self, account_id: UUID) -> None:
        """Starts the next round at once."""
        self._woken.set()

    def resume(self) -> None:
        """Starts the next round at once, if none would come."""
        if self._idle:
            self._woken.set()

    def stop(self) -> None:
        """Ends `run`: takes no more accounts, and disconnects and gives back all of them."""
        self._stop.set()

    async def run(self) -> None:
        """Takes, connects and renews accounts and answers calls, until `stop`."""
        call_client.register_host(self._services, self)
        self._subscriber.open()
        watch = asyncio.get_running_loop().call_later(_WATCH_SECONDS, self._watch)
        self._watching = watch
        assigning = asyncio.create_task(self._assign_loop())
        working = [asyncio.create_task(self._renewal.run()), asyncio.create_task(self._call_loop())]
        log.info("messenger host started", holder=str(self.leases.holder))
        try:
            await self._stop.wait()
        finally:
            await end((assigning,))
            await self._hand_over()
            call_client.unregister_host(self._services, self)
            if self._calls:  # answers are still being sent
                await asyncio.wait(self._calls, timeout=1)
            await end((*working, *self._calls))
            self._watching.cancel()
            await self._subscriber.close()
            await self.drivers.close()
            with suppress(Exception):  # the row expires by itself
                await asyncio.wait_for(self.leases.disappear(), 2)
            await self._client.aclose()
            await self.leases.close()
            log.info("messenger host stopped", holder=str(self.leases.holder))

    async def _hand_over(self) -> None:
        """Closes all connections, then gives all leases back, so that another process can continue at once."""
        for runner in self.runners.values():
            runner.leave()
        bound = self._services.settings.shutdown_seconds
        for seconds in (min(bound / 2, 4.0), max(0.5, bound / 2 - 2)):
            if tasks := set(self._tasks.values()):
                await asyncio.wait(tasks, timeout=seconds)
            await self._give_back(self.leases.give_back_all(list(self.runners)))
        for runner in tuple(
            self.runners.values()
        ):  # connections that did not close in time; their leases expire
            runner.abandon()
        await end(tuple(self._tasks.values()))

    async def _give_back(self, giving: Coroutine[Any, Any, None]) -> None:
        try:
            await asyncio.wait_for(giving, 2)
        except Exception as error:  # they expire
            log.info("messenger accounts could not be given back", error=error)

    def _watch(self) -> None:
        """Lets go of lost accounts on a timer.

        This is no task: after a standstill a timer runs before the tasks that have become ready meanwhile.
        """
        seconds = _WATCH_SECONDS if self.runners or self.leases.has_any else _IDLE_WATCH_SECONDS
        self._watching = asyncio.get_running_loop().call_later(seconds, self._watch)
        self.leases.drop_lost()
        self._renewal.end_lost()

    async def _renew(
        self, connection: asyncpg.Connection, work: Sequence[AccountRunner | AccountLease]
    ) -> list[AccountRunner | AccountLease]:
        renewed = await self.leases.renew(connection, {each.lease for each in work})
        return [each for each in work if each.lease in renewed]

    def _abandon(self, work: AccountRunner | AccountLease) -> None:
        """Ends the work of a lost lease. A lease that no runner has yet has none."""
        if isinstance(work, AccountRunner):
            work.abandon()

    async def _assign_loop(self) -> None:
        counted = False
        while True:
            self._woken.clear()
            self._idle = False
            try:
                if not counted:
                    await self.leases.appear()
                    counted = True
                await self._assign_accounts()
            except Exception as error:  # any error: the next round must run
                translated = translate(error)
                log.log(10 if translated else 40, "messenger accounts have to wait", error=error)
            with suppress(TimeoutError):
                async with asyncio.timeout(None if self._idle else ROUND_SECONDS * random.uniform(0.8, 1.0)):
                    await self._woken.wait()
                await asyncio.sleep(0.02)  # several wake-ups lead to one round

    async def _assign_accounts(self) -> None:
        """Passes the owners' wishes to the runners, and takes accounts that no process holds."""
        desired = await self.leases.desired_states()
        for id, runner in tuple(self.runners.items()):
            if id in self.leases:
                runner.set_desired(desired.get(id, _DELETED))
        while not self._stop.is_set():
            room = await self.leases.room()
            if room is None:
                self._idle = not (self._finds_accounts or self.runners or self.leases.has_any)
                return
            self._full_rounds = 0 if room > 0 else self._full_rounds + 1
            # Accounts that remain for several rounds exceed the share of the others.
            most = (
                min(room, MAX_ACQUIRED)
                if room > 0
                else MAX_ACQUIRED
                if self._full_rounds > _PATIENT_ROUNDS
                else 0
            )
            if most == 0:
                return
            # One runner per account: an account is not taken again before its old runner has closed, even if its lease
            # is free.
            taken = await self.leases.acquire(most, excluding=list(self.runners))
            for lease in taken:
                if (old_runner := self.runners.get(lease.account_id)) is not None:
                    log.error("a messenger account was taken twice", account=str(lease.account_id))
                    lease.lost = (
                        True  # not given back: no other process may take it while the old connection closes
                    )
                    old_runner.abandon()
                    continue
                runner = AccountRunner(self._services, self.drivers, lease, self._starts)
                self.runners[lease.account_id] = runner
                self._tasks[lease.account_id] = asyncio.create_task(self._run_account(runner))
            if len(taken) < most:
                return
            # leaves accounts for other processes that have just started
            await asyncio.sleep(random.uniform(0.05, 0.25))

    async def _run_account(self, runner: AccountRunner) -> None:
        id = runner.lease.account_id
        try:
            await runner.run()
        finally:
            if self.runners.get(id) is runner:
                del self.runners[id], self._tasks[id]
        if runner.lease.lost:
            self.leases.drop_lost()
        elif not self._stop.is_set():  # on stop, `_hand_over` gives all of them back together
            await self._give_back(self.leases.give_back([runner.lease]))

    def _on_call(self, id: bytes) -> None:
        with suppress(asyncio.QueueFull):  # the caller notices that no process took the call
            self._call_ids.put_nowait(id)

    async def _call_loop(self) -> None:
        """Takes announced calls in their order; small ones together, each large one by itself."""
        while True:
            ids = [(await self._call_ids.get()).decode(errors="replace")]
            while len(ids) < _PIPELINED and not self._call_ids.empty():
                ids.append(self._call_ids.get_nowait().decode(errors="replace"))
            try:
                async with self._client.pipeline(transaction=False) as pipe:
                    for id in ids:
                        pipe.strlen(call_key(id))
                    sizes = await pipe.execute()
                small: list[str] = []
                for id, size in zip(ids, sizes, strict=True):
                    if size < LARGE:
                        small.append(id)
                    elif size <= MAX_BYTES:  # a larger call is not ours
                        await self._fetch_calls(small)
                        await self._fetch_calls([id])
                        small = []
                await self._fetch_calls(small)
            except DOWN as error:  # calls that were taken and lost here are uncertain for their callers
                log.info("redis is away; calls to messenger accounts are lost", error=error)

    async def _fetch_calls(self, ids: list[str]) -> None:
        if not ids:
            return
        async with self._client.pipeline(transaction=True) as pipe:
            for id in ids:
                pipe.pttl(call_key(id))
                pipe.getdel(call_key(id))
            results = await pipe.execute()
        for id, left, sealed in zip(ids, results[::2], results[1::2], strict=True):
            if sealed is not None:
                request = await self._cipher.decrypt_async(sealed, f"call:{id}:{self.leases.holder}")
                self._start_call(id, left, request, len(sealed))

    def _start_call(self, id: str, milliseconds: int, request: dict[str, Any] | None, size: int) -> None:
        if (
            request is None
            or id in self._recent_calls
            or abs(self._services.db.now().timestamp() - request["at"]) > 2 * _SKEW + 60
        ):
            log.error("a call in Redis is not one of ours, or comes again; does somebody else write there?")
            return
        self._recent_calls[id] = None
        milliseconds -= GRACE_MS
        room = _MAX_BYTES - self._bytes - (_RESERVED_BYTES if size >= LARGE else 0)
        if len(self._calls) >= _MAX_CALLS or size > room:
            error = Unreachable(
                "This server has too many calls at once; nothing was done. Try again in a moment."
            )
            task = asyncio.create_task(self._reply(id, request["asker"], {"error": pack_error(error)}))
            size = 0
        elif milliseconds <= 0:  # the caller has given up
            task = asyncio.create_task(self._reply(id, request["asker"], {"moved": True}))
        else:
            task = asyncio.create_task(self._run_call(id, request, milliseconds / 1000))
        self._calls.add(task)
        self._bytes += size
        task.add_done_callback(lambda task: self._call_ended(task, size))

    def _call_ended(self, task: asyncio.Task[None], size: int) -> None:
        self._calls.discard(task)
        self._bytes -= size

    async def _run_call(self, id: str, request: dict[str, Any], seconds: float) -> None:
        runner = self.runner_of(UUID(request["account"]))
        if runner is None:
            await self._reply(id, request["asker"], {"moved": True})
            return
        try:
            answer: dict[str, Any] = {
                "value": await runner.answer(request["call"], request["arguments"], seconds)
            }
        except MessengerError as error:
            answer = {"error": pack_error(error), "state": runner.state}
        await self._reply(id, request["asker"], answer)

    async def _reply(self, id: str, asker: str, answer: dict[str, Any]) -> None:
        """Stores the answer for a minute and announces it, so that a caller that lost its connection still finds it."""
        associated_data = f"answer:{id}:{asker}"
        sealed = await self._cipher.encrypt_async(answer, associated_data)
        if len(sealed) > MAX_BYTES:
            sealed = self._cipher.encrypt(
                {
                    "error": pack_error(
                        Refused("The answer is too large to return. Ask for less at once.", code="too_large")
                    )
                },
                associated_data,
            )
        for _ in range(20):
            try:
                async with self._client.pipeline(transaction=True) as pipe:
                    pipe.set(answer_key(id), sealed, px=_ANSWER_MS)
                    pipe.publish(answer_channel(asker), id)
                    await pipe.execute()
                return
            except DOWN:
                await asyncio.sleep(0.5)
        log.warning("redis is away; the answer to a call is lost")


@every(1.0, due=f"EXISTS ({leases.ACCOUNTS})")
async def find_accounts(services: Services) -> None:
    """Lets this process's host take accounts, if it has found none so far."""
    if (host := call_client.host_of(services)) is not None:
        host.resume()


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
