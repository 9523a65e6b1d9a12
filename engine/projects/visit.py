"""A visit: about two seconds of sending for one project, unit by unit."""

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog

from channels.port import Attachment, Channel, Outcome, Outgoing
from channels.sms_text import segments
from db.ids import uuid7
from engine import tariffs, texts, unsubscribe
from engine.faultpoints import reach
from engine.jobs import job
from engine.projects import lanes, units
from engine.projects.facts import Content, Contents, Facts, facts
from engine.projects.handover import Handover
from engine.projects.pace import Pace
from engine.windows import BadZone, zone_of
from postern.services import Services
from postern.tasks import end
from schema.types.sending_projects import PauseReason, ProjectStatus

log = structlog.get_logger("postern.projects")

SLICE = 2.0  # seconds of a visit until the project goes to the end of the line
_PAUSED_SECONDS = 15  # until the cause of a pause is looked at again
_SHORT = 0.5  # seconds worth waiting for inside a visit

_PAUSE = """
UPDATE sending_projects SET status = 'paused', status_reason = $2, resume_at = now() + $3, updated_at = now()
WHERE id = $1 AND status = 'running' RETURNING id
"""
_NOTHING: dict[str, str] = {}
_FREE = Decimal(0)
_BALANCE = "SELECT balance FROM accounts WHERE id = $1"
_ATTACHMENTS = "SELECT id, name, mime FROM files WHERE id = ANY($1) AND owner_id = $2"
ATTACHED_BYTES = 25 * 1024 * 1024


@dataclass(slots=True)
class Item:
    """One message in this worker's hands."""

    id: UUID
    row: Any
    content: int
    variant: int | None
    text: texts.Rendered
    price: Decimal
    paid: Decimal  # what of the price stands on the message's row already
    attempts: int
    tries: int
    uncertain: bool  # it was handed over before, by a worker that died, and its fate is not known
    sender: UUID | None = None
    outcome: Outcome | None = None
    route: Channel | None = None
    outgoing: Outgoing | None = None


@dataclass(slots=True)
class Sorted:
    """A unit's messages: what is to be handed over, and what is not, now or ever."""

    ready: list[Item] = field(default_factory=list)
    skipped: list[tuple[UUID, str, str, str, None]] = field(
        default_factory=list
    )  # id, status, code, reason, unit
    closed: dict[datetime, list[UUID]] = field(
        default_factory=dict
    )  # by the instant at which its window opens


class Skip(Exception):
    """This one is never to be handed over: a code, and a sentence."""


_CODES: dict[type[Exception], str] = {
    BadZone: "bad_timezone", texts.MissingVariable: "missing_variable", texts.TextError: "bad_text",
}  # fmt: skip


def _said(error: Exception) -> str:
    return str(error.args[1] if isinstance(error, Skip) else error)


class Visits:
    """One a worker process."""

    def __init__(self, services: Services, worker: str) -> None:
        self.services, self.db, self.worker = services, services.db, worker
        self.lease = timedelta(seconds=services.settings.lease_seconds)
        self.pace = Pace(services)
        self.contents = Contents(services.db)
        self.handover = Handover(services)

    async def visit(self, project: UUID) -> None:
        until = time.monotonic() + SLICE
        known = await facts(self.db, project)
        if known is None or known.row["status"] != ProjectStatus.running or not await self._may_run(known):
            return
        going = True
        while going and time.monotonic() < until and not self.services.stopping.is_set():
            claim = uuid7()
            async with self.db.reading() as db:
                unit = await units.claim(db, project, claim, self.worker, self.lease)
            if unit is None:
                break
            reach("unit.claimed")
            going = await self._unit(known, unit, claim, until)
        if await units.finish(self.db, project):
            log.info("project finished", project=str(project))
        elif going:
            due, wait = await units.waiting(self.db, project)
            async with self.db.reading() as db:
                if due:
                    await lanes.visit_again(db, project)
                elif wait is not None:
                    await lanes.visit_again(db, project, timedelta(seconds=max(wait, 0.05)))

    async def _may_run(self, known: Facts) -> bool:
        if known.row["owner_status"] != "active":
            return await self._pause(known, PauseReason.owner_suspended)
        if known.row["account_uuids"] and not known.senders:
            return await self._pause(known, PauseReason.no_sender_online)
        return True

    async def _pause(self, known: Facts, reason: PauseReason, seconds: float = _PAUSED_SECONDS) -> bool:
        """Always False, for the caller to go no further."""
        if await self.db.fetchval(_PAUSE, known.id, reason.value, timedelta(seconds=seconds)):
            log.warning("project paused", project=str(known.id), reason=reason.value)
        return False

    async def _unit(self, known: Facts, unit: UUID, claim: UUID, until: float) -> bool:
        """Whether the visit may go on with another unit."""
        lost = asyncio.Event()
        renewing = asyncio.create_task(self._renew(claim, lost))
        delay = timedelta()
        try:
            async with self.db.reading() as db:
                rows = await units.messages(db, unit)
            sorted_ = await self._sort(known, rows)
            await self._put_aside(known, unit, claim, sorted_)
            going, delay = await self._send(known, unit, claim, sorted_.ready, until, lost)
        finally:
            await end((renewing,))
            if not lost.is_set():
                await self.handover.insist(
                    lambda db: units.close(db, unit, claim, known.row["account_id"], delay)
                )
                reach("unit.closed")
        return going and not lost.is_set()

    async def _renew(self, claim: UUID, lost: asyncio.Event) -> None:
        while True:
            await asyncio.sleep(self.lease.total_seconds() / 3)
            try:
                async with self.db.reading() as db:
                    if not await units.renew(db, claim, self.lease):
                        log.warning("lost a unit; stopping it", claim=str(claim))
                        lost.set()
                        return
            except Exception as error:  # the database is away: the look before every mark is the guard
                log.info("a unit could not be renewed", error=str(error)[:200])

    # what of a unit is to be sent now

    async def _sort(self, known: Facts, rows: Sequence[Any]) -> Sorted:
        found = Sorted()
        window, now, channel = known.window, datetime.now(UTC), known.channel
        address = "address" if channel in ("email", "push") else "phone"
        one, number = known.price, known.row["content"]
        current = await self.contents.of(known.id, number)
        for row in rows:
            id, to = row["id"], row["to"]
            # Asked for again under its old key, it must say what it said.
            again = row["handed_at"] is not None and row["content"] is not None
            content = await self.contents.of(known.id, row["content"]) if again else current
            variant = row["variant"] if again else content.text.pick(id)
            try:
                if row["blocked"] is not None:
                    raise Skip("blocked", f"The address is blocked ({row['blocked']}).")
                if window is not None and (opening := window.opening(now, self._zone(row))) is not None:
                    found.closed.setdefault(opening, []).append(id)
                    continue
                variables = {**(row["variables"] or _NOTHING), "name": row["name"] or "", address: to}
                text = content.text.render(variant, variables)
            except (Skip, BadZone, texts.MissingVariable, texts.TextError) as error:
                found.skipped.append(
                    (id, "skipped", _CODES.get(type(error)) or error.args[0], _said(error), None)
                )
                continue
            price = one * segments(text.body) if one and channel == "sms" else one
            paid = row["price"] if again else _FREE
            found.ready.append(
                Item(
                    id, row, row["content"] if again else number, variant, text, paid or price, paid,
                    row["attempts"], row["tries"], again,
                )
            )  # fmt: skip
        return found

    def _zone(self, row: Any) -> str | None:
        if row["timezone"]:
            return str(row["timezone"])
        return zone_of(row["to"]) if row["to"].startswith("+") else None

    async def _put_aside(self, known: Facts, unit: UUID, claim: UUID, found: Sorted) -> None:
        """What is skipped, and what waits for its window in a unit of its own."""
        rows: list[tuple[UUID, str, str | None, str | None, UUID | None]] = list(found.skipped)
        later = {}
        now = datetime.now(UTC)
        for opening, ids in found.closed.items():
            made = uuid7()
            later[made] = max(opening - now, timedelta(seconds=1))
            rows.extend((id, "queued", None, None, made) for id in ids)
        if rows:
            await self.handover.insist(lambda db: units.settle(db, unit, claim, known.id, rows, later))

    # how much of it may go

    async def _send(
        self, known: Facts, unit: UUID, claim: UUID, items: list[Item], until: float, lost: asyncio.Event
    ) -> tuple[bool, timedelta]:
        """Whether to go on with other units, and in how long what is left of this one is due."""
        while items:
            if lost.is_set() or self.services.stopping.is_set():
                return False, timedelta()
            most = 1 if known.jitter else len(items)
            granted, wait = await self.pace.take(known.rates, most)
            chosen = items[:granted]
            chosen, sender_wait = await self._with_senders(known, chosen)
            wait = max(wait, sender_wait)
            today = await self._within_day(known, chosen)
            if today is None:
                return False, timedelta(seconds=1)
            chosen = today
            paid = await self._within_balance(known, unit, claim, chosen)
            if not paid and chosen:
                await self._not_today(known, len(chosen))
                return False, timedelta(seconds=1)
            if len(paid) < len(chosen):
                await self._not_today(known, len(chosen) - len(paid))
            if paid:
                await self._address(known, paid)
                if not await self.handover.through(
                    known, unit, claim, paid, lost, until, whole=len(paid) == len(items)
                ):
                    await self._pause(known, PauseReason.provider_refuses_credentials, 60)
                    return False, timedelta(seconds=60)
            if left := sum(item.route is None for item in paid):
                await self._not_today(known, left)
                return True, timedelta()
            gone = {item.id for item in paid}
            items = [item for item in items if item.id not in gone]
            if not items:
                break
            if known.jitter:
                return True, timedelta(seconds=random.uniform(0, known.jitter))
            if wait > _SHORT or time.monotonic() + wait > until:
                return True, timedelta(seconds=wait)
            await asyncio.sleep(wait)
        return True, timedelta()

    async def _with_senders(self, known: Facts, items: list[Item]) -> tuple[list[Item], float]:
        """Those that some sender may send now; each in turn, as far as its own rate goes."""
        if not known.senders or not items:
            return items, 0.0
        waits, free = [], {}
        share = -(-len(items) // len(known.senders))
        for sender in random.sample(known.senders, len(known.senders)):
            granted, wait = await self.pace.take(known.sender_rates(sender), share)
            if granted:
                free[sender] = granted
            if granted < share:
                waits.append(wait)
        turns = [sender for turn in range(share) for sender, most in free.items() if turn < most]
        for item, sender in zip(items, turns, strict=False):
            item.sender = sender
        return items[: len(turns)], max(waits, default=0.0)

    async def _within_day(self, known: Facts, items: list[Item]) -> list[Item] | None:
        """As many as the tariff leaves for today; None when that is none, and the project is paused."""
        if not items:
            return items
        async with self.db.reading() as db:
            granted = await tariffs.reserve(
                db, known.row["owner_id"], len(items), known.row["messages_per_day"]
            )
        if not granted:
            await self._pause(known, PauseReason.tariff_used_up)
            return None
        return items[:granted]

    async def _not_today(self, known: Facts, count: int) -> None:
        async with self.db.reading() as db:
            await tariffs.give_back(db, known.row["owner_id"], count)

    async def _within_balance(self, known: Facts, unit: UUID, claim: UUID, items: list[Item]) -> list[Item]:
        """As many as the account can pay for, charged; none means that the project is paused (or the claim lost)."""
        while items:
            amount = sum((item.price - item.paid for item in items), Decimal(0))
            if not amount:
                return items
            async with self.db.reading() as db:
                if await units.hold(db, known.row["account_id"], unit, claim, amount):
                    reach("unit.held")
                    return items
                left = await db.fetchval(_BALANCE, known.row["account_id"])
            if left >= amount:
                return []  # it was not the money: the claim is lost
            affordable = []
            for item in items:
                left -= item.price - item.paid
                if left < 0:
                    break
                affordable.append(item)
            if not affordable:
                await self._pause(known, PauseReason.balance_used_up)
            items = affordable
        return items

    async def _address(self, known: Facts, items: list[Item]) -> None:
        content = await self.contents.of(known.id, items[0].content)
        attachments = await self._attachments(known, content)
        email = known.channel == "email"
        key = self.services.key("unsubscribe")
        for item in items:
            item.outgoing = Outgoing(
                id=item.id,
                key=f"{item.id}.{item.attempts}",
                to=item.row["to"],
                body=item.text.body,
                subject=item.text.subject,
                html=item.text.html,
                metadata=self._metadata(item, content),
                headers=unsubscribe.headers(self.services.settings, key, item.id) if email else _NOTHING,
                attachments=attachments,
            )

    def _metadata(self, item: Item, content: Content) -> Mapping[str, Any]:
        """What a messenger's driver asks for beside the text: who sends, and a template with its values."""
        found: dict[str, Any] = {}
        if item.sender is not None:
            found["sender"] = str(item.sender)
        if content.template is not None:
            found["template"] = {**content.template, "params": list(item.text.params)}
        return found or _NOTHING

    async def _attachments(self, known: Facts, content: Content) -> list[Attachment]:
        if not content.attachments:
            return []
        rows = await self.db.fetch(_ATTACHMENTS, content.attachments, known.row["owner_id"])
        return [
            Attachment(row["name"], row["mime"], await self.services.files.read(row["id"], ATTACHED_BYTES))
            for row in rows
        ]


_VISITS: WeakKeyDictionary[Services, Visits] = WeakKeyDictionary()


@job(lanes.VISIT, "projects")
async def visit(services: Services, project: UUID) -> None:
    """Sends for about two seconds."""
    if (visits := _VISITS.get(services)) is None:
        visits = _VISITS[services] = Visits(services, services.worker)
    await visits.visit(project)
