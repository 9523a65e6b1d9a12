"""Counts the SMS that routes accepted, and those that a receipt reported as delivered, by route, prefix and user.

Only numbers that rules are about are counted, and only receipts that come from a provider and change the state of a
message. A process adds its counts to the table `route_receipts` every FLUSH_SECONDS. The last counts of a killed
process are missing there, and so are reports that were kept and applied by another way than its own
(`report_writer.retry_recent`): counts order routes, and nothing else depends on them. engine/sms/degraded_routes.py
reads the table.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from contextvars import Context
from typing import Any, Final
from uuid import UUID
from zlib import crc32

import structlog

from channels.port import Channel
from engine.reports.report import Delivered
from engine.sending.judge import State
from engine.sending.port import WithVerdict
from engine.sms.route_rules import routing_of
from runtime.services import Services
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.sending")

FLUSH_SECONDS: Final = 5.0
USER_GROUPS: Final = 32
"""Users are counted in so many groups, which bounds the rows of an installation with many users."""

_SMS: Final = MessageChannel.sms.value
_RULES_AGE: Final = 5.0  # seconds for which a process that reads no rules by itself uses those that it has
# Sorted, so that two processes lock the rows in one order.
_ADD: Final = """
INSERT INTO route_receipts AS r (route, prefix, user_group, since, sent, delivered)
SELECT a.route, a.prefix, a.user_group, date_bin('5 minutes', now(), 'epoch'), a.sent, a.delivered
FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[]) AS a (route, prefix, user_group, sent, delivered)
ORDER BY a.route, a.prefix, a.user_group
ON CONFLICT (route, prefix, since, user_group) DO UPDATE SET
  sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered
"""

Key = tuple[str, str, int]
"""Route, prefix and group of users."""


class RouteReceipts:
    """The counts of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._sent: Counter[Key] = Counter()  # since the last flush
        self._delivered: Counter[Key] = Counter()
        self._flushing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def count_sent(self, decided: Iterable[WithVerdict], owner_of: Callable[[Any], UUID]) -> None:
        """Counts the messages that their routes have accepted, once their outcomes are stored."""
        if not routing_of(self._services).has_rules:
            return
        for message, verdict in decided:
            route: Channel | None = message.route
            if route is None or verdict.state not in (State.sent, State.delivered):
                continue
            key = self._key(self._services.routes.name(route), message.to, owner_of(message))
            if key is not None:
                self._sent[key] += 1
                self._delivered[key] += verdict.state is State.delivered

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
            key = None if name is None else self._key(name, message.to, message.owner_id)
            if key is not None:
                self._delivered[key] += 1

    def _key(self, route: str, to: str, owner_id: UUID) -> Key | None:
        """Returns the key by which a message is counted, and sees to it that counts are added; None: it is not
        counted.
        """
        prefix = routing_of(self._services).prefix_of(route, to)
        if prefix is None:
            return None
        if (self._flushing is None or self._flushing.done()) and not self._closing.is_set():
            # In a context of its own: change events of the caller are not this task's.
            self._flushing = asyncio.create_task(self._flush_later(), context=Context())
        return route, prefix, crc32(owner_id.bytes) % USER_GROUPS

    async def _flush_later(self) -> None:
        """Adds the counts until none is left."""
        while not self._closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), FLUSH_SECONDS)
            await self._flush_or_warn()
            if not (self._sent or self._delivered):
                return

    async def _flush_or_warn(self) -> None:
        try:
            await self.flush()
        except Exception as error:  # nothing depends on it but an order
            log.warning("receipts of routes can't be added", error=type(error).__name__)

    async def flush(self) -> None:
        """Adds the counts to the table. Counts that can't be added now are added later."""
        sent, delivered = self._sent, self._delivered
        self._sent, self._delivered = Counter(), Counter()
        if not sent and not delivered:
            return
        rows = [(*key, sent[key], delivered[key]) for key in sent.keys() | delivered.keys()]
        try:
            async with self._services.db.reading() as db:
                await db.execute(_ADD, *map(list, zip(*rows, strict=True)))
        except BaseException:
            self._sent.update(sent)
            self._delivered.update(delivered)
            raise

    async def close(self) -> None:
        """Adds the last counts, if the database is there."""
        self._closing.set()
        if self._flushing is not None:
            await asyncio.wait((self._flushing,))
        await self._flush_or_warn()


def receipts_of(services: Services) -> RouteReceipts:
    """Returns the counts of this process."""
    return services.single(RouteReceipts, lambda: RouteReceipts(services), RouteReceipts.close)
