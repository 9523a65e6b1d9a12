"""Circuit breakers: a route whose server hangs gets one message at a time until it answers again (contract §7.11).

Without a breaker, each message that is handed to a provider that takes requests and never answers becomes `unknown`.
After `THRESHOLD` uncertain outcomes in a row the breaker of the route opens: messages wait, and after a pause one of
them is handed over as a probe. Outcomes of one lost connection count once, since its end says nothing about how many
messages were in flight. An answer, whatever it says, closes the breaker; another silence doubles the pause.

The state is one row of `route_breakers` that all workers share; no row means closed. A probe is a lease on that row,
so there is one at a time in the whole installation. Each worker counts its own outcomes, and reads the rows each
second (`refresh`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar
from uuid import UUID
from weakref import WeakSet

import orjson
import structlog
from cachetools import LRUCache, TTLCache

from channels.port import Channel, LostConnection, Outcome, Outgoing, Result
from core.clock import CLOCK
from core.ids import uuid7
from db.query import Reads
from db.session import Database
from runtime.database_errors import translate
from runtime.routes import MESSENGER, SANDBOX, Routes

log = structlog.get_logger("postern.breakers")

THRESHOLD = 3
"""Uncertain outcomes in a row, of one worker, that open a breaker."""
FIRST_PAUSE = timedelta(seconds=5)
HUNG_PAUSE = timedelta(seconds=10)
"""The first pause after a time-out. A probe of a provider that hangs costs a whole time-out, and a message that becomes
`unknown` most times, so the first one comes later than after a lost connection.
"""
LONGEST_PAUSE = timedelta(minutes=5)
CODE = "route_open"
"""The code of a message that waits because the breaker of its route is open."""
REASON = "The provider is not answering. The message waits until it does."
ACCOUNT = "account"
"""The public name of the breakers of messenger accounts."""

_PROBE = timedelta(seconds=30)  # the lease of a probe, which its process renews (`refresh`)
_LOOK = 5.0  # seconds after which a waiting task looks again: a breaker may close long before the next probe is due
_PROBING = 1.0  # the same while a probe is under way
_COUNTED = 10_000  # routes whose outcomes are counted; webpush has one for each host
_WEBPUSH = "webpush"

# Outcomes that say nothing about the route's server: our own errors, and errors of the message itself.
_NOT_OF_THE_SERVER = frozenset({"channel_broke", "sender_gone", "idempotency_in_flight"})
NO_ANSWER = frozenset(
    {
        "bind_timeout",
        "busy",
        "connect_failed",
        "connect_timeout",
        "connection_lost",
        "disconnected",
        "timeout",
        "unreachable",
    }
)
"""Codes of failures before the server had the message: it has not answered either."""

_OPEN = """
INSERT INTO route_breakers (name, opened_at, pause, probe_at) VALUES ($1, now(), $2, now() + $2)
ON CONFLICT (name) DO NOTHING
"""
_TAKE_PROBE = """
WITH taken AS (
  UPDATE route_breakers SET holder = $2, expires_at = now() + $3
  WHERE name = $1 AND probe_at <= now() AND (expires_at IS NULL OR expires_at < now())
  RETURNING name
)
SELECT EXISTS (SELECT FROM taken) AS ours, EXISTS (SELECT FROM route_breakers WHERE name = $1) AS open
"""
_STILL_SILENT = """
UPDATE route_breakers SET holder = NULL, expires_at = NULL, pause = LEAST(GREATEST(pause * 2, $4), $3),
  probe_at = now() + LEAST(GREATEST(pause * 2, $4), $3)
WHERE name = $1 AND (holder = $2 OR expires_at IS NULL OR expires_at < now())
"""
_GIVE_BACK = """
UPDATE route_breakers SET holder = NULL, expires_at = NULL, probe_at = GREATEST(probe_at, now() + $3)
WHERE name = $1 AND holder = $2
"""
_RENEW = "UPDATE route_breakers SET expires_at = now() + $2 WHERE holder = ANY($1)"
_CLOSE = "DELETE FROM route_breakers WHERE name = $1"
READ = """
SELECT name, opened_at, probe_at, COALESCE(expires_at > now(), false) AS probing,
  EXTRACT(epoch FROM probe_at - now())::float8 AS wait
FROM route_breakers
"""
"""Reads the open breakers."""


class Probing(Protocol):
    """A message in a worker's hands."""

    probe: UUID | None  # the lease that it holds, if it is the probe of its route


T = TypeVar("T", bound=Probing)


@dataclass(slots=True)
class _Open:
    """Holds what this worker knows of an open breaker."""

    probe_at: float  # by CLOCK.monotonic()
    probing: bool = False  # a probe of any worker is running
    saved: bool = True  # its row is in the database
    pause: timedelta = FIRST_PAUSE  # before the first probe, until its row is in the database


class Breakers:
    """The breakers as one process sees them."""

    def __init__(self, db: Database, *, threshold: int = THRESHOLD) -> None:
        """`threshold`: uncertain outcomes in a row that open a breaker."""
        self.threshold = threshold
        self._db = db
        # uncertain outcomes in a row, where there are any
        self._silent: LRUCache[str, int] = LRUCache(_COUNTED)
        self._unreachable: TTLCache[str, bool] = TTLCache(_COUNTED, 60.0)  # said in the log a minute ago
        self._counted_connections: WeakSet[LostConnection] = (
            WeakSet()
        )  # as long as any of their outcomes is held
        self._open: dict[str, _Open] = {}
        self._probes: dict[UUID, str] = {}  # running probes of this process
        self._answered: set[str] = set()  # closed here; their rows are not deleted yet

    def wait(self, name: str | None) -> float:
        """Returns the seconds until it is worth while to ask for this route again; 0 if now."""
        breaker = self._open.get(name) if name else None
        if breaker is None:
            return 0.0
        if breaker.probing:
            return _PROBING
        return min(max(breaker.probe_at - CLOCK.monotonic(), 0.0), _LOOK)

    def until_probe(self, name: str | None) -> float:
        """Returns the seconds until the next probe may be due, at least one.

        For messages that are put off for so long.
        """
        breaker = self._open.get(name) if name else None
        return max(breaker.probe_at - CLOCK.monotonic(), 1.0) if breaker else 1.0

    def closed(self, name: str | None) -> bool:
        """Returns whether messages go through without a question."""
        return name not in self._open

    @property
    def all_closed(self) -> bool:
        """Returns whether no breaker is open, as far as this process knows."""
        return not self._open

    @property
    def all_settled(self) -> bool:
        """Returns whether `refresh` has nothing to do if no row is there."""
        return not (self._open or self._probes or self._answered)

    async def sift(
        self, items: Iterable[T], name_of: Callable[[T], str | None]
    ) -> tuple[list[T], list[tuple[T, float]]]:
        """Splits messages into those that may be handed over now and those that wait, with their seconds.

        Of a route whose probe is due, the first message goes as the probe, unless another is. Tell `record_outcomes`
        its outcome, and give it to `give_back` when it was not handed over.
        """
        going: list[T] = []
        waiting: list[tuple[T, float]] = []
        for item in items:
            name = name_of(item)
            if (
                name is None
                or self.closed(name)
                or item.probe in self._probes
                or (not self.wait(name) and await self._may_go(name, item))
            ):
                going.append(item)
            else:
                waiting.append((item, self.wait(name) or _PROBING))
        return going, waiting

    async def record_outcomes(self, outcomes: Iterable[tuple[str | None, Probing, Outcome]]) -> None:
        """Counts what routes said, and opens or closes their breakers. Never raises: `refresh` stores later
        what could not be stored now.
        """
        for name, item, outcome in outcomes:
            if name is None:
                continue
            silent = _is_silent(outcome)
            if silent is None:  # the next message may show it
                await self._give_back(item, timedelta(seconds=_PROBING))
            elif not silent:
                self._silent.pop(name, None)
                if item.probe is not None:
                    self._probes.pop(item.probe, None)
                if name in self._open:
                    await self._close(name)
            elif item.probe in self._probes:
                await self._silent_again(name, item.probe, _first_pause(outcome))
            elif name not in self._open and outcome.result is Result.unknown:
                await self._count(name, outcome)
            elif name not in self._open and name not in self._unreachable:
                self._unreachable[name] = True  # no breaker opens: a try costs little
                log.warning(
                    "a route can't be reached; messages are tried again",
                    route=public_name(name),
                    code=outcome.code,
                )

    async def _count(self, name: str, outcome: Outcome) -> None:
        """Counts an uncertain outcome, unless another of the same lost connection was counted."""
        connection = outcome.lost_connection
        if connection is not None:
            if connection in self._counted_connections:
                return
            self._counted_connections.add(connection)
        silences = self._silent[name] = self._silent.get(name, 0) + 1
        if silences >= self.threshold:
            await self._opened(name, _first_pause(outcome))

    async def give_back(self, items: Iterable[Probing]) -> None:
        """Ends the probes among messages that were not handed over after all: another may be the probe at once."""
        for item in items:
            await self._give_back(item, timedelta())

    async def _give_back(self, item: Probing, pause: timedelta) -> None:
        if item.probe is None or (name := self._probes.pop(item.probe, None)) is None:
            return
        if breaker := self._open.get(name):
            breaker.probing, breaker.probe_at = False, CLOCK.monotonic() + pause.total_seconds()
        await self._write(_GIVE_BACK, name, item.probe, pause)

    async def refresh(self) -> None:
        """Reads the rows that all workers share, and renews the probes of this process. To be called each second.

        Raises what a database that is away raises.
        """
        for name in [*self._answered]:
            await self._db.fetchval(_CLOSE, name)
            self._answered.discard(name)
        if self._probes:
            await self._db.fetchval(_RENEW, [*self._probes], _PROBE)
        before = {*self._open}
        for name, breaker in [*self._open.items()]:
            if not breaker.saved:
                await self._db.fetchval(_OPEN, name, breaker.pause)
                breaker.saved = True
        rows = await self._db.fetch(READ)
        now = CLOCK.monotonic()
        read = {row["name"]: _Open(now + row["wait"], row["probing"]) for row in rows}
        # Breakers that opened while the rows were read are in none of the rows.
        new = {
            name: breaker for name, breaker in self._open.items() if not breaker.saved or name not in before
        }
        self._open = {name: breaker for name, breaker in (new | read).items() if name not in self._answered}

    async def _may_go(self, name: str, item: Probing) -> bool:
        """Returns whether the message may go: as the probe, or because the breaker has closed meanwhile."""
        holder = uuid7()
        try:
            row = await self._db.fetchrow(_TAKE_PROBE, name, holder, _PROBE)
        except Exception as error:
            if translate(error) is None:
                raise
            return False
        if not row["open"]:
            self._open.pop(name, None)
            return True
        if breaker := self._open.get(name):
            breaker.probing = True
        if row["ours"]:
            self._probes[holder] = name
            item.probe = holder
        return bool(row["ours"])

    async def _opened(self, name: str, pause: timedelta) -> None:
        log.error(
            "a route does not answer; its messages wait", route=public_name(name), outcomes=self.threshold
        )
        self._silent.pop(name, None)
        self._answered.discard(name)
        breaker = self._open[name] = _Open(
            CLOCK.monotonic() + pause.total_seconds(), saved=False, pause=pause
        )
        breaker.saved = await self._write(_OPEN, name, pause)

    async def _silent_again(self, name: str, holder: UUID, least: timedelta) -> None:
        del self._probes[holder]
        if breaker := self._open.get(name):  # until the row is read again
            breaker.probing, breaker.probe_at = False, CLOCK.monotonic() + _LOOK
        log.warning("a route still does not answer", route=public_name(name))
        await self._write(_STILL_SILENT, name, holder, LONGEST_PAUSE, least)

    async def _close(self, name: str) -> None:
        log.warning("a route answers again", route=public_name(name))
        self._open.pop(name, None)
        if not await self._write(_CLOSE, name):
            self._answered.add(name)

    async def _write(self, statement: str, *arguments: Any) -> bool:
        try:
            await self._db.fetchval(statement, *arguments)
        except Exception as error:  # a hand-over's outcome must be written down whatever happens here
            log.info("a breaker could not be written", route=public_name(arguments[0]), error=error)
            return False
        return True


def _is_silent(outcome: Outcome) -> bool | None:
    """Returns whether the server has left us without an answer; None where the outcome says nothing about it."""
    if not outcome.asked:
        return None
    if outcome.result is Result.unknown:
        return None if outcome.code in _NOT_OF_THE_SERVER else True
    return outcome.result is Result.transient and outcome.code in NO_ANSWER


def _first_pause(outcome: Outcome) -> timedelta:
    """Returns the shortest pause before a probe that may follow this silence."""
    return HUNG_PAUSE if outcome.code == "timeout" else FIRST_PAUSE


def name_of(routes: Routes, route: Channel, message: Outgoing) -> str | None:
    """Returns the name of the breaker that a message stands behind; None behind the sandbox, which has none.

    With `webpush` it belongs to the endpoint's host, and with messenger accounts to the account, so that one user's
    recipients never close a route for others.
    """
    if route.name == MESSENGER:
        return account_name(message.metadata.get("messenger_account"))
    name = route_name(routes, route)
    if name is not None and route.name == _WEBPUSH:
        return f"{name}@{_host(message.to)}"
    return name


def account_name(account: Any) -> str:
    """Returns the name of the breaker of a messenger account."""
    return f"{ACCOUNT}@{account}"


def route_name(routes: Routes, route: Channel) -> str | None:
    """Returns the name of the one breaker of a route, as `sms-2`; None where it has none, or one for each host."""
    return None if route.name in (SANDBOX, MESSENGER) else routes.name(route)


def route_breaker(routes: Routes, route: Channel) -> str | None:
    """Returns the name of the breaker that stops everything on this route, if there is one such."""
    return None if route.name == _WEBPUSH else route_name(routes, route)


def public_name(name: str) -> str:
    """Returns what of a breaker's name users and operators see: channel and position, never a host or an account."""
    return name.partition("@")[0]


def _host(subscription: str) -> str:
    try:
        endpoint = orjson.loads(subscription)["endpoint"]
        return str(endpoint).split("/")[2].lower()[:253]
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError):
        return ""


@dataclass(frozen=True, slots=True)
class BreakerStatus:
    """A configured route as users and operators see it."""

    name: str
    state: str  # closed, open or probing
    opened_at: datetime | None = None
    probe_at: datetime | None = None


async def breaker_statuses(db: Reads, routes: Routes) -> list[BreakerStatus]:
    """Returns how the breakers of the configured routes stand; of a route with several, the one that is worst off."""
    open_ones: dict[str, Any] = {}
    for row in await db.fetch(READ + "ORDER BY probe_at"):
        open_ones[public_name(row["name"])] = row
    statuses = []
    for route in routes:
        if (name := route_name(routes, route)) is None:
            continue
        row = open_ones.get(name)
        if row is None:
            statuses.append(BreakerStatus(name, "closed"))
        else:
            state = "probing" if row["probing"] else "open"
            statuses.append(BreakerStatus(name, state, row["opened_at"], row["probe_at"]))
    return statuses
