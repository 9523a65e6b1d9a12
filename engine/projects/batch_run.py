"""The sending of one claimed batch of a project: it is sorted, paid for, given to its routes, and closed."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from uuid import UUID

from channels.port import Channel
from core import change_events
from core.errors import AppError, Unavailable
from engine import tariffs
from engine.address_hashes import address_hasher
from engine.faultpoints import fault_point
from engine.messengers.channel import messenger_route
from engine.projects import batch_money, batches, sender_limits
from engine.projects.claim import FAULT_POINTS, FULL, BatchClaim, LaterBatches
from engine.projects.concurrency import ProjectRoutes
from engine.projects.contact_audience import topics_of
from engine.projects.context import ProjectContext
from engine.projects.country_waits import CountryWaits
from engine.projects.items import Item, NotHandedOver, PreparedBatch
from engine.projects.pauses import pause_project
from engine.projects.preparation import Preparation
from engine.projects.route_waits import find_routes
from engine.receivers.admission import Admitted, admission_of
from engine.sending.delivery import Delivery
from engine.sending.streams import Streams
from runtime.leases import renewed
from runtime.retry import despite_conflicts, until_stored
from runtime.services import Services
from shapes.pauses import PauseReason
from shapes.sending_projects import ProjectChannel

CYCLE_SECONDS = 2.0
"""Seconds until a project leaves its slot to one that waits, and after which it is read again; messages that a batch
has not begun by then stay in it.
"""

_LOST_SECONDS = 1.0  # until a project goes on whose claim was lost
_LEAST = 20  # messages that are read at once of a project whose routes are slow

_BALANCE = "SELECT balance FROM accounts WHERE id = $1"
_FREE = Decimal(0)
_SPENT = ("sent", "delivered", "refused", "unknown")
"""Outcomes that count against the tariff's day: the provider has done something for us."""


@dataclass(slots=True)
class BatchResult:
    """Says whether the cycle goes on with the next batch (`go_on`), or else after which delay the project is due."""

    go_on: bool = True
    delay: timedelta = timedelta()


class BatchSender:
    """Sends batches that this worker has claimed."""

    def __init__(
        self,
        services: Services,
        preparation: Preparation,
        routes: ProjectRoutes,
        streams: Streams,
        later: LaterBatches,
    ) -> None:
        self._services, self._db, self._preparation = services, services.db, preparation
        self._routes, self._streams, self._later = routes, streams, later
        self._countries, self._admission = CountryWaits(services), admission_of(services)
        # How many messages of a project's last batch were dispatched in its time.
        self._sizes: dict[UUID, int] = {}

    def most(self, project: UUID) -> int:
        """Returns how many messages of a batch to read: as many as the project's routes took of its last one in its
        time.
        """
        return min(FULL, self._sizes.get(project, FULL))

    async def send(
        self, claim: BatchClaim, may: int, free: dict[UUID, int]
    ) -> tuple[Counter[UUID | None], BatchResult]:
        """Sends at most `may` messages of the batch, and ends the claim. `free`: how many each sender may send.

        Returns the number of dispatched messages by sender, and the next step.
        """
        project, following = claim.project, BatchResult()
        dispatched = Counter[UUID | None]()
        hasher = await address_hasher(self._services)
        try:
            with renewed(self._db.thread, claim, claim.lease.seconds, claim.renew, BatchClaim.stop):
                async with self._db.reading() as db:
                    category, topics = project.row["category"], topics_of(project.row)
                    rows = await batches.messages(db, claim.batch, may, category, topics)
                    owner = project.row["owner_id"]
                    rows = await batches.without_erased(db, hasher, owner, rows, category)
                parts = await self._preparation.sort(project, rows)
                parts.all &= len(rows) < may or may >= FULL
                await find_routes(self._services, project, parts)
                counted = await self._countries.count(project, parts)
                admitted: Admitted | None = None
                try:
                    if project.channel == ProjectChannel.email:
                        admitted = await self._admit(project, parts)
                    await self._store_skipped_and_deferred(claim, parts)
                    dispatched, following = await self._send_ready(claim, parts, free)
                finally:
                    if admitted is not None:
                        await self._admission.give_back(admitted)
                    if counted is not None:
                        sent = {item.id for item in parts.ready if _may_be_accepted(item)}
                        await counted.give_back_unsent(sent)
        finally:
            if not claim.lost:
                await until_stored(
                    self._db,
                    lambda db: batches.close(
                        db, claim.batch, claim.id, project.row["account_id"], project.id, following.delay
                    ),
                )
                fault_point("unit.closed")
            change_events.project(project.row["owner_id"], project.id)
            change_events.emit()
        # After a pause: a claim that was lost by a clock that jumps would be lost again and again.
        return dispatched, following if not claim.lost else BatchResult(
            False, timedelta(seconds=_LOST_SECONDS)
        )

    async def _admit(self, project: ProjectContext, parts: PreparedBatch) -> Admitted | None:
        """Counts the ready emails as far as the rules of their receivers allow; the others wait."""
        owner = project.row["owner_id"]
        senders = {
            number: await self._preparation.sender_of(project, number)
            for number in {item.content for item in parts.ready}
        }
        whose = ((owner, senders[item.content], item.to) for item in parts.ready)
        admitted = await self._admission.admit(parts.ready, whose)
        if admitted is not None:
            parts.limited += [
                (each.seconds, NotHandedOver(each.message.id, "queued", each.code, each.reason))
                for each in admitted.waiting
            ]
            parts.ready = admitted.going(parts.ready)
        return admitted

    async def _send_ready(
        self, claim: BatchClaim, parts: PreparedBatch, free: dict[UUID, int]
    ) -> tuple[Counter[UUID | None], BatchResult]:
        """Gives the ready messages to senders that are free, and sends these."""
        if parts.ready:
            assignment = sender_limits.assign(parts.ready, claim.project.senders, free)
            parts.all &= len(assignment.ready) == len(parts.ready)
            parts.ready = assignment.ready
            if assignment.gone:
                await self._store_unsent(claim, assignment.gone)
        return await self._send(claim, parts) if parts.ready else (Counter(), BatchResult())

    async def _store_unsent(self, claim: BatchClaim, messages: Sequence[NotHandedOver]) -> None:
        await until_stored(
            self._db,
            lambda db: batches.store_unsent(db, claim.batch, claim.id, claim.project.id, messages, {}),
        )

    async def _store_skipped_and_deferred(self, claim: BatchClaim, parts: PreparedBatch) -> None:
        """Stores the messages that are skipped. Those that wait for their window, for a country's cap or a route get
        batches of their own.
        """
        messages = list(parts.skipped)
        later = {}
        now = self._db.now()
        for opens_at, ids in parts.closed.items():
            seconds = max((opens_at - now).total_seconds(), 1.0)
            made, delay = self._later.of(claim.project.id, seconds, len(ids), window=True)
            later[made] = delay
            messages.extend(NotHandedOver(id, "queued", batch=made) for id in ids)
        if messages:
            window = claim.project.row["window"]
            await until_stored(
                self._db,
                lambda db: batches.store_unsent(
                    db, claim.batch, claim.id, claim.project.id, messages, later, window
                ),
            )
        if parts.limited:
            limited, batches_of_caps = [], {}
            for seconds, message in parts.limited:
                made, delay = self._later.of(claim.project.id, seconds)
                batches_of_caps[made] = delay
                limited.append(replace(message, batch=made))
            await until_stored(
                self._db,
                lambda db: batches.store_unsent(
                    db, claim.batch, claim.id, claim.project.id, limited, batches_of_caps, for_window=False
                ),
            )

    async def _send(
        self, claim: BatchClaim, parts: PreparedBatch
    ) -> tuple[Counter[UUID | None], BatchResult]:
        """Pays for the messages that are ready, as far as balance and tariff allow, and gives these to their routes."""
        project, none = claim.project, Counter[UUID | None]()
        items, attachments, missing = parts.ready, {}, []
        for number in {item.content for item in items}:
            try:
                attachments[number] = await self._preparation.attachments(project, number)
            except Unavailable:
                return none, BatchResult(False, timedelta(seconds=60))
            except AppError as error:
                for item in items:
                    if item.content == number:
                        state = "unknown" if item.uncertain else "failed"
                        missing.append(NotHandedOver(item.id, state, "attachment_missing", error.message))
        if missing:
            await self._store_unsent(claim, missing)
        items = [item for item in items if item.content in attachments]
        if not items:
            return none, BatchResult()
        async with self._db.reading() as db:
            today = await tariffs.reserve(
                db, project.row["owner_id"], len(items), project.row["messages_per_day"]
            )
        if not today:
            await pause_project(self._db, project, PauseReason.tariff_used_up)
            return none, BatchResult(False)
        paid: list[Item] = []
        try:
            paid = await self._charge(claim, items[:today])
            if not paid:
                return none, BatchResult(False)
            await self._preparation.address(project, paid, attachments)
            claim.complete = len(paid) if parts.all and len(paid) == len(items) else 0
            await self._deliver(claim, paid, parts.orders)
        finally:
            # A message that is asked for again was counted the first time.
            spent = sum(_may_be_accepted(item) and not item.uncertain for item in paid)
            if unspent := today - spent:
                async with self._db.reading() as db:
                    await tariffs.give_back(db, project.row["owner_id"], unspent)
        dispatched = Counter(item.sender for item in paid if item.route is not None)
        if claim.misconfigured:
            await pause_project(self._db, project, PauseReason.provider_refuses_credentials)
            return dispatched, BatchResult(False, timedelta(seconds=60))
        if claim.cool_down is not None:
            others = self._routes.others(project)  # who go on
            return dispatched, BatchResult(
                others and not claim.ended, timedelta(seconds=0 if others else claim.cool_down)
            )
        return dispatched, BatchResult(not claim.ended)

    async def _deliver(
        self, claim: BatchClaim, items: Sequence[Item], orders: Mapping[UUID, Sequence[Channel]]
    ) -> None:
        """Gives the messages to their routes. Messages that are not begun after a cycle's time stay in the batch."""
        project, begun = claim.project, time.monotonic()
        through_accounts = [item for item in items if item.sender in project.accounts]
        others = [item for item in items if item.sender not in project.accounts]
        if through_accounts and others:
            claim.complete = 0
        claim.orders = orders
        claim.begin(len(items))
        routes = self._services.routes
        for part, tried, rest in (
            (through_accounts, (messenger_route(self._services),), ()),
            (others, routes.of(project.channel), routes.made(project.channel)),
        ):
            if part:
                claim.deliveries.append(
                    Delivery(
                        self._streams,
                        claim,
                        tried,
                        channel=project.channel,
                        group=project.id,
                        points=FAULT_POINTS,
                        orders=orders,
                        others=rest,
                    )
                )
                claim.deliveries[-1].start(part)
        for delivery in claim.deliveries:
            await delivery.wait(begun + CYCLE_SECONDS)
        dispatched = sum(item.route is not None for item in items)
        if dispatched + claim.deferred < len(items):  # there was no time for the others
            self._sizes[project.id] = max(dispatched, _LEAST)
        elif time.monotonic() - begun < CYCLE_SECONDS / 2:
            self._sizes[project.id] = min(2 * max(dispatched, self._sizes.get(project.id, FULL)), FULL)
        if len(self._sizes) > 10_000:
            self._sizes.clear()

    async def _reserve(self, claim: BatchClaim, amount: Decimal) -> bool:
        async with self._db.reading() as db:
            return await batch_money.reserve(
                db,
                claim.project.row["account_id"],
                claim.project.id,
                claim.batch,
                claim.id,
                amount,
                claim.project.row["at_most"],
            )

    async def _charge(self, claim: BatchClaim, items: list[Item]) -> list[Item]:
        """Charges the account. Returns the messages that it can pay for; none if the project is paused or the claim
        lost.
        """
        account = claim.project.row["account_id"]
        while items:
            amount = sum((item.price - item.paid for item in items), _FREE)
            if not amount:
                return items
            try:
                reserved = await despite_conflicts(partial(self._reserve, claim, amount))
            except batch_money.OverApproved:
                await pause_project(self._db, claim.project, PauseReason.over_approved)
                return []
            if reserved:
                fault_point("unit.held")
                return items
            left = await self._db.fetchval(_BALANCE, account)
            if left >= amount:
                return []  # it was not the money: the claim is lost
            affordable = []
            for item in items:
                left -= item.price - item.paid
                if left < 0:
                    break
                affordable.append(item)
            if not affordable:
                needed = items[0].price - items[0].paid
                await pause_project(self._db, claim.project, PauseReason.balance_used_up, needed)
            items = affordable
        return items


def _may_be_accepted(item: Item) -> bool:
    """Returns whether a provider may have taken the message: a cancelled cycle leaves some without an outcome."""
    return item.has_intent or (item.outcome is not None and item.outcome.result in _SPENT)
