"""The simulation of sandbox accounts: the live connections, and the messages between the contacts.

Simulations with one Redis are one, in any number of processes. While Redis is away the simulated messengers can't be
reached, as with real ones without a network. `Simulation(None)` stays within its process.

For tests, from any process that knows the Redis: `async with Simulation(url) as simulation:` and then
`Somebody(simulation, …)`, a contact with a phone; `drop`, `revoke`, `ban`, `down`, what can happen to an account;
`acts`, the actions that a contact was shown; and `conflicts()`:

*One connection per account.* A connection joins under the account's id and sends a heartbeat every second; it is gone
when it leaves, or after five seconds without a heartbeat. `conflicts()` lists, oldest first, each connection that
joined while another was live (`second`), and each that was used after another had replaced it (`stale`); `holder` and
`other` begin with the process's id. The right answer is `[]`. `live(id)` lists the current connections.
"""

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from uuid import UUID

import structlog
from pydantic import TypeAdapter

from core.store import DOWN
from messengers.port import Action, Event, Media, Message, Progress, Reaction, Unreachable
from messengers.sandbox.simulator.connections import Act, Condition, Conflict, Gone, Home, Link
from messengers.sandbox.simulator.state import DAY, Memory, Shared, Storage
from shapes.chats import ChatMessageStatus

log = structlog.get_logger(__name__)
T = TypeVar("T")

BEAT_SECONDS = 1.0
SUBSCRIBE_SECONDS = 2.0  # the first connection waits this long for the subscription
MOST_MEDIA = 2**20  # bytes of the largest file that is kept for download
MOST_FILES = 100  # files kept for download
MEDIA_SECONDS = 3600
MOST_INLINE_MEDIA = 4096  # bytes of the largest file that is reported as a data: URL

_EVENTS: dict[str, TypeAdapter[Any]] = {
    kind.__name__: TypeAdapter(kind) for kind in (Message, Progress, Reaction)
}


class Simulation:
    """A simulation; see the module's docstring. `moment`: the unit of all simulated delays, in seconds."""

    def __init__(self, redis_url: str | None, moment: float = 1.0) -> None:
        self.moment = moment
        self._shared = Shared(redis_url) if redis_url else None
        self._storage: Storage = self._shared or Memory(self._received)
        self._links: dict[str, set[Link]] = {}
        self._left: dict[str, str] = {}  # token → account of connections that Redis does not know to be gone
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = False
        self._subscribed = asyncio.Event()  # set when published calls arrive, or can't arrive for now

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        tasks, self._tasks = self._tasks, set()
        for _ in range(10):
            for task in tasks:
                task.cancel()
            if not tasks:
                break
            # Repeated: Python 3.11's wait_for, which the Redis client uses, may swallow a cancellation.
            _, tasks = await asyncio.wait(tasks, timeout=0.5)
        if self._shared is not None:
            with suppress(*DOWN):
                await self._shared.close()
        self._open = False

    def soon(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs the coroutine in a task that ends with the simulation at the latest, or when Redis is away."""
        task = asyncio.create_task(work, name=f"sandbox {name}")
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Unreachable):
            log.error("sandbox task failed", task=task.get_name(), exc_info=error)

    async def join(self, link: Link) -> None:
        """Makes the connection live until it leaves. Other connections of the account do not prevent it; they are
        recorded as conflicts."""
        if not self._open:
            self._open = True
            self.soon(self._beating(), "beat")
            if self._shared is not None:
                self.soon(self._listening(self._shared), "calls")
        self._links.setdefault(str(link.home), set()).add(link)
        if self._shared is not None:
            with suppress(TimeoutError):  # a call before the subscription is lost, for example a scanned code
                async with asyncio.timeout(SUBSCRIBE_SECONDS):
                    await self._subscribed.wait()
        await self._say_left()
        for other in await self._on(lambda storage: storage.join(str(link.account), link.token)):
            await self._conflict("second", link, other)
        await self._on(lambda storage: storage.keep(f"known:{link.home}", "1", 30 * DAY))

    async def leave(self, link: Link) -> None:
        """Ends the connection. Safe to call twice, and after a join that was cancelled."""
        links = self._links.get(str(link.home), set())
        links.discard(link)
        if not links:
            self._links.pop(str(link.home), None)
        self._left[link.token] = str(link.account)
        with suppress(Unreachable):  # the next one that joins says it
            await self._say_left()

    async def _say_left(self) -> None:
        async def leave(storage: Storage) -> None:
            for token, account in [*self._left.items()]:
                await storage.leave(account, token)
                self._left.pop(token, None)

        await self._on(leave)

    async def live(self, account: UUID) -> list[str]:
        """Returns the tokens of the account's live connections."""
        return await self._on(lambda storage: storage.live(str(account)))

    async def check(self, link: Link) -> None:
        """Checks that no other connection has replaced this one. Raises Gone."""
        others = await self.live(link.account)
        if others and link.token not in others:
            await self._conflict("stale", link, others[0])
            raise Gone

    async def conflicts(self) -> list[Conflict]:
        """Returns all recorded conflicts, oldest first."""
        return [
            Conflict(**json.loads(text))
            for text in await self._on(lambda storage: storage.notes("conflicts"))
        ]

    async def put(
        self, letters: Sequence[tuple[Home, Event]], *, once: str = "", by: Link | None = None
    ) -> bool:
        """Puts all letters or none. Returns False if the same `once` was used before. Raises Gone."""
        flat = [(str(home), _write(event)) for home, event in letters]
        writer = (str(by.account), by.token) if by else ("", "")
        done = await self._on(lambda storage: storage.put(flat, once=once, by=writer))
        if done == "stale" and by is not None:
            await self._conflict("stale", by, "")
            raise Gone
        return done == "done"

    async def letters(self, link: Link, limit: int = 100) -> list[Event]:
        """Returns the entries since the last call, and moves `link.cursor`."""
        entries = await self._on(lambda storage: storage.after(str(link.home), link.cursor, limit))
        if entries:
            link.cursor = entries[-1][0]
        return [_read(text) for _, text in entries]

    async def newest(self, home: Home) -> list[tuple[str, Event]]:
        """Returns all letters that are kept, newest first, with their ids."""
        return [(id, _read(text)) for id, text in await self._on(lambda storage: storage.newest(str(home)))]

    async def lay(self, media: Media, id: str) -> None:
        """Keeps a small file for an hour, or until MOST_FILES newer ones have come."""
        if len(media.data) > MOST_MEDIA:
            return
        data = base64.b64encode(media.data).decode("ascii")
        text = json.dumps([id, media.kind, media.mime, media.name, data])
        slot = await self._on(lambda storage: storage.count("places")) % MOST_FILES
        await self._on(lambda storage: storage.keep(f"media:{slot}", text, MEDIA_SECONDS))
        await self._on(lambda storage: storage.keep(f"place:{id}", str(slot), MEDIA_SECONDS))

    async def pick(self, id: str) -> Media | None:
        """Returns a kept file, or None."""
        [slot] = await self._on(lambda storage: storage.look(f"place:{id}"))
        [text] = await self._on(lambda storage: storage.look(f"media:{slot}"))
        if slot is None or text is None:
            return None
        whose, kind, mime, name, data = json.loads(text)
        return Media(kind, base64.b64decode(data), mime, name) if whose == id else None

    async def act(self, sender: Home, to: str, action: Action) -> None:
        """Records an action that an account shows to a contact."""
        act = json.dumps({"sender": sender.address, "action": action, "at": time.time()})
        await self._on(lambda storage: storage.note(f"acts:{sender.source}:{to}", act))

    async def acts(self, home: Home) -> list[Act]:
        """Returns the actions that a contact was shown, oldest first."""
        return [
            Act(**json.loads(text)) for text in await self._on(lambda storage: storage.notes(f"acts:{home}"))
        ]

    async def condition(self, home: Home, session: str) -> Condition:
        """Returns the messenger's view of an account and of one session."""
        names = f"banned:{home}", f"down:{home}", f"ended:{session}", f"epoch:{home}"
        banned, down, ended, epoch = await self._on(lambda storage: storage.look(*names))
        return Condition(banned is not None, down is not None, ended is not None, epoch or "0")

    async def end(self, session: str) -> None:
        """Logs this one session out."""
        await self._on(lambda storage: storage.keep(f"ended:{session}", "1", 30 * DAY))

    async def first_time(self, name: str) -> bool:
        """Returns whether this is the first call with that name."""
        return await self._on(lambda storage: storage.count(f"tried:{name}")) == 1

    async def drop(self, home: Home) -> None:
        """Breaks the connections of the account; new ones are accepted."""
        await self.signal(home, "drop")

    async def down(self, home: Home, is_down: bool = True) -> None:
        """Makes the messenger unreachable for the account."""
        await self._on(lambda storage: storage.keep(f"down:{home}", "1" if is_down else None))
        await self.signal(home, "drop")

    async def revoke(self, home: Home) -> None:
        """Ends all sessions of the account; a new login works."""
        await self._on(lambda storage: storage.count(f"epoch:{home}"))
        await self.signal(home, "drop")

    async def ban(self, home: Home, is_banned: bool = True) -> None:
        """Bans the account, or lifts the ban."""
        await self._on(lambda storage: storage.keep(f"banned:{home}", "1" if is_banned else None))
        await self.signal(home, "drop")

    async def admit(self, home: Home, value: str) -> None:
        """Simulates that a person scans the QR with `value`, or types that pairing code."""
        await self.signal(home, f"admit {value}")

    async def signal(self, home: Home, what: str) -> None:
        await self._on(lambda storage: storage.call(f"tell {home} {what}"))

    async def _on(self, call: Callable[[Storage], Awaitable[T]]) -> T:
        try:
            return await call(self._storage)
        except DOWN as error:
            raise Unreachable(
                "The sandbox's Redis is away. The accounts connect again when it is back."
            ) from error

    async def _conflict(self, kind: Literal["second", "stale"], link: Link, other: str) -> None:
        conflict = {
            "kind": kind,
            "account": str(link.account),
            "home": str(link.home),
            "holder": link.token,
            "other": other,
            "at": time.time(),
        }
        log.error("sandbox_conflict", **conflict)
        await self._on(lambda storage: storage.note("conflicts", json.dumps(conflict)))

    def _received(self, text: str) -> None:
        kind, _, rest = text.partition(" ")
        home, _, what = rest.partition(" ")
        for link in self._links.get(home, ()):
            if kind == "tell":
                link.calls.append(what)
            link.ring.set()

    def _ready(self) -> None:
        self._subscribed.set()
        self._ring()

    def _ring(self) -> None:
        for links in self._links.values():
            for link in links:
                link.ring.set()

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            links = {link.token: link for links in self._links.values() for link in links}
            connections = [(str(link.account), token) for token, link in links.items()]
            try:
                gone = await self._beat(connections)
            except Unreachable as error:
                log.warning("the sandbox has no redis", error=str(error.__cause__))
                gone = [*links]
            for token in gone:
                links[token].calls.append("gone")
                links[token].ring.set()

    async def _beat(self, connections: Sequence[tuple[str, str]]) -> list[str]:
        return await self._on(lambda storage: storage.beat(connections)) if connections else []

    async def _listening(self, shared: Shared) -> None:
        # No caller waits for a Redis that is away.
        await shared.listen(self._received, self._ready, self._subscribed.set)


def _write(event: Event) -> str:
    kind = type(event).__name__
    return f"{kind} {_EVENTS[kind].dump_json(event).decode()}"


def _read(text: str) -> Event:
    kind, _, rest = text.partition(" ")
    event: Event = _EVENTS[kind].validate_json(rest)
    return event


def progress(
    thread: str,
    provider_id: str,
    status: ChatMessageStatus,
    *,
    up_to: bool = False,
    reason: str | None = None,
) -> Progress:
    """Builds a status event."""
    code = None if reason is None else "undeliverable"
    return Progress(thread, provider_id, status, up_to, datetime.now(UTC), code, reason)
