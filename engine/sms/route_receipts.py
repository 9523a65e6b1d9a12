"""Counts the SMS that routes accepted, and those that a receipt reported as delivered, by route and prefix.

Only numbers that rules are about are counted. A process adds what it has counted to the table `route_receipts` every
FLUSH_SECONDS; what a killed process had not added yet is missing there, which can change an order of routes and nothing
else. engine/sms/degraded_routes.py reads the table.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextvars import Context
from typing import Any, Final
from uuid import UUID

import structlog

from channels.port import Channel
from core.tasks import end
from engine.reports.report import Delivered
from engine.sending.judge import State
from engine.sending.port import WithVerdict
from engine.sms.route_rules import routing_of
from runtime.services import Services
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.sending")

FLUSH_SECONDS: Final = 5.0
MOST_USERS: Final = 3
"""Distinct users that a row remembers: more are never asked for."""

_SMS: Final = MessageChannel.sms.value
_RULES_AGE: Final = 5.0  # seconds for which a process that reads no rules by itself uses those that it has
# Sorted, so that two processes lock the rows in one order.
_ADD: Final = f"""
INSERT INTO route_receipts AS r (route, prefix, since, sent, delivered, user_ids)
SELECT a.route, a.prefix, date_bin('5 minutes', now(), 'epoch'), a.sent, a.delivered, a.user_ids::uuid[]
FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[]) AS a (route, prefix, sent, delivered, user_ids)
ORDER BY a.route, a.prefix
ON CONFLICT (route, prefix, since) DO UPDATE SET
  sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered,
  user_ids = CASE WHEN cardinality(r.user_ids) >= {MOST_USERS} THEN r.user_ids ELSE
    (SELECT (array_agg(DISTINCT owner))[:{MOST_USERS}] FROM unnest(r.user_ids || excluded.user_ids) AS owner) END
"""  # noqa: S608  our own number


class _Count:
    """Counts the messages of one route to one prefix since the last flush."""

    __slots__ = ("delivered", "sent", "user_ids")

    def __init__(self) -> None:
        self.sent = self.delivered = 0
        self.user_ids: set[UUID] = set()


class RouteReceipts:
    """The counts of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._counts: dict[tuple[str, str], _Count] = {}  # by route and prefix
        self._flushing: asyncio.Task[None] | None = None

    def count_sent(self, decided: Iterable[WithVerdict], owner_of: Callable[[Any], UUID]) -> None:
        """Counts the messages that their routes have accepted, once their outcomes are stored."""
        if not routing_of(self._services).has_rules:
            return
        for message, verdict in decided:
            route: Channel | None = message.route
            if route is None or verdict.state not in (State.sent, State.delivered):
                continue
            count = self._of(self._services.routes.name(route), message.to)
            if count is not None:
                count.sent += 1
                count.delivered += verdict.state is State.delivered
                if len(count.user_ids) < MOST_USERS:
                    count.user_ids.add(owner_of(message))

    async def count_received(self, messages: Sequence[Delivered]) -> None:
        """Counts messages that a receipt has reported as delivered, in a process that may not read rules by itself.

        Not to be called with a connection of the pool.
        """
        if not any(message.channel == _SMS for message in messages):
            return
        try:
            await routing_of(self._services).refresh(older=_RULES_AGE)
        except Exception as error:  # the receipts are stored, so their provider must not send them again
            log.warning("receipts are not counted by route", error=type(error).__name__)
        else:
            self.count_delivered(messages)

    def count_delivered(self, messages: Iterable[Delivered]) -> None:
        """Counts messages that a receipt has reported as delivered, by the rules that this process knows."""
        messages = [message for message in messages if message.channel == _SMS]
        if not messages or not routing_of(self._services).has_rules:
            return
        routes = self._services.routes
        names = {routes.label(route): routes.name(route) for route in routes.all(_SMS)}
        for message in messages:
            name = names.get(message.route)
            count = None if name is None else self._of(name, message.to)
            if count is not None:
                count.delivered += 1

    def _of(self, route: str, to: str) -> _Count | None:
        prefix = routing_of(self._services).prefix_of(route, to)
        if prefix is None:
            return None
        if self._flushing is None or self._flushing.done():
            # In a context of its own: change events of the caller are not this task's.
            self._flushing = asyncio.create_task(self._flush_later(), context=Context())
        return self._counts.setdefault((route, prefix), _Count())

    async def _flush_later(self) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        try:
            await self.flush()
        except Exception as error:  # the counts only order routes; the next ones are added
            log.warning("receipts of routes can't be added", error=type(error).__name__)

    async def flush(self) -> None:
        """Adds what was counted to the table."""
        counts, self._counts = self._counts, {}
        if not counts:
            return
        rows = [
            (route, prefix, count.sent, count.delivered, f"{{{','.join(map(str, count.user_ids))}}}")
            for (route, prefix), count in counts.items()
        ]
        async with self._services.db.reading() as db:
            await db.execute(_ADD, *map(list, zip(*rows, strict=True)))

    async def close(self) -> None:
        """Adds the last counts, if the database is there."""
        if self._flushing is not None:
            await end([self._flushing])
        try:
            await self.flush()
        except Exception as error:
            log.warning("receipts of routes can't be added", error=type(error).__name__)


def receipts_of(services: Services) -> RouteReceipts:
    """Returns the counts of this process."""
    return services.single(RouteReceipts, lambda: RouteReceipts(services), RouteReceipts.close)
