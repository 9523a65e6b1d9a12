"""A visit: about two seconds of sending for one project, unit by unit."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

import structlog

from channels.port import Attachment, Outgoing
from channels.sms_text import segments
from core import change_events
from core.errors import AppError, NotFound, RateLimited, Unavailable
from core.ids import uuid7
from core.tasks import end
from engine import tariffs, texts, unsubscribe
from engine.faultpoints import reach
from engine.jobs import JobName, job
from engine.projects import batches, jobs, sender_limits
from engine.projects.context import Content, ContentCache, ProjectContext, load_context
from engine.projects.dispatcher import Dispatcher
from engine.projects.items import Aside, Item, NotHandedOver, Sorted
from engine.projects.send_rate import SendRate
from engine.projects.slots import Slot, Slots
from engine.windows import BadZone, zone_of
from runtime.services import Services
from shapes.pauses import PauseReason
from shapes.sending_projects import ProjectStatus

log = structlog.get_logger("postern.projects")

CYCLE_SECONDS = 2.0  # seconds of a visit until the project goes to the end of the line
BATCH = 500  # messages that are looked at in one go
ATTACHED_BYTES = 25 * 1024 * 1024
_PAUSED_SECONDS = 15  # until the cause of a pause is looked at again
# Visits of one channel at once in a worker, so that a channel that hangs leaves a slot to the others.
_BUSY = 3
# Of a channel one visit at once renders a slow text, and of an owner one measures a text.
_SLOW, _UNREAD = "slow texts of {}", "texts of {} that were not measured yet"
_BREATH = 0.005  # seconds of rendering after which others of this process have their turn
_RENDERING = 0.5  # seconds of rendering after which what is ready is sent first

_PAUSE = """
UPDATE sending_projects SET status = 'paused', status_reason = $2, resume_at = now() + $3, updated_at = now()
WHERE id = $1 AND status = 'running' RETURNING id
"""
_BALANCE = "SELECT balance FROM accounts WHERE id = $1"
_ATTACHMENTS = """
SELECT id, name, mime FROM files WHERE id = ANY($1) AND owner_id = $2 ORDER BY array_position($1, id)
"""
_NOTHING: dict[str, str] = {}
_FREE = Decimal(0)
_SPENT = ("sent", "delivered", "refused", "unknown")
"""Outcomes that count against the tariff's day: the provider has done something for us."""


_REFUSED = 0.5  # seconds until a text is rendered that no process had room for


_CODES: dict[type[Exception], str] = {
    BadZone: "bad_timezone", texts.MissingVariable: "missing_variable", texts.TextError: "bad_text",
}  # fmt: skip


@dataclass(slots=True)
class Next:
    """What a visit does after a unit: go on, or end; and when what is left of the unit is due."""

    go_on: bool = True
    delay: timedelta = timedelta()


class CycleRunner:
    """One a worker process."""

    def __init__(self, services: Services, worker: str) -> None:
        self.services, self.db, self.worker = services, services.db, worker
        self.lease = timedelta(seconds=services.settings.lease_seconds)
        self.send_rate = SendRate(services)
        self.contents = ContentCache(services.db, services.programs)
        self.dispatcher = Dispatcher(services)
        self.slots = Slots(services.db)
        self._managed: dict[UUID, int] = {}  # what a project's last unit got through in its time

    async def run(self, project: UUID) -> None:
        known = await load_context(self.db, project)
        if known is None or known.row["status"] != ProjectStatus.running or known.row["recipients_pending"]:
            return  # whoever adds the last recipients opens the lanes
        if not await self._may_run(known):
            return
        owner, number = known.row["owner_id"], known.row["content"]
        if not self.contents.measured(project, number):
            read = partial(self.contents.of, project, owner, number)
            if not await self.slots.within(_UNREAD.format(owner), 1, project, lambda _: read()):
                return
            if not self.contents.measured(project, number):  # nobody has time for it now
                async with self.db.reading() as db:
                    await jobs.enqueue_cycle(db, project, timedelta(seconds=_REFUSED))
                return
        content = await self.contents.of(project, owner, number)
        work = partial(self._work, known, time.monotonic() + CYCLE_SECONDS)

        async def slow(_: Slot) -> None:
            await self.slots.within(_SLOW.format(known.channel), 1, project, work)

        await self.slots.within(known.channel, _BUSY, project, work if content.text is not None else slow)

    async def _work(self, known: ProjectContext, until: float, turn: Slot) -> None:
        then = Next()
        while then.go_on and time.monotonic() < until and not self.services.stopping.is_set():
            then = await self._next_batch(known, until)
        if await batches.finish(self.db, known.id):
            log.info("project finished", project=str(known.id))
            return
        due, wait = await batches.waiting(self.db, known.id)
        if not due or known.row["status_reason"] is not None:
            await batches.say_whether_closed(self.db, known.id)
        async with self.db.reading() as db:
            await turn.give_way(db)
            if then.delay:
                await jobs.enqueue_cycle(db, known.id, then.delay)
            elif due:
                await jobs.enqueue_cycles(db, known.id, due, leaving=True)
            elif wait is not None:
                await jobs.enqueue_cycle(db, known.id, timedelta(seconds=max(wait, 0.05)))

    async def _may_run(self, known: ProjectContext) -> bool:
        if known.row["owner_status"] != "active":
            return await self._pause(known, PauseReason.owner_suspended)
        if not known.allowed:
            return await self._pause(known, PauseReason.tariff_used_up)
        if not known.row["pays"]:  # the account has another owner now
            return await self._pause(known, PauseReason.balance_used_up)
        if not self.services.routes.of(known.channel):
            if not known.accounts:
                return await self._pause(known, PauseReason.provider_refuses_credentials, 60)
            known.senders = [one for one in known.senders if one in known.accounts]  # no way for the others
        if known.row["account_uuids"] and not known.senders:
            return await self._pause(known, PauseReason.no_sender_online)
        return True

    async def _pause(
        self, known: ProjectContext, reason: PauseReason, seconds: float = _PAUSED_SECONDS
    ) -> bool:
        """Always False, for the caller to go no further."""
        if await self.db.fetchval(_PAUSE, known.id, reason.value, timedelta(seconds=seconds)):
            change_events.project(known.row["owner_id"], known.id)
            log.warning("project paused", project=str(known.id), reason=reason.value)
        return False

    async def _next_batch(self, known: ProjectContext, until: float) -> Next:
        """The pace is asked before anything is claimed or loaded: of a unit no more is read than may go now."""
        if not known.senders and (rest := self.dispatcher.limits.pause(known, None)):
            return Next(False, timedelta(seconds=rest))
        most = min(BATCH, self._managed.get(known.id, BATCH))
        granted, wait = await self.send_rate.take(known.rates, 1 if known.jitter else most)
        if not granted:
            return Next(False, self._refill_wait(known, wait))
        free, sender_wait = await sender_limits.free(self.send_rate, self.dispatcher.limits, known, granted)
        used = 0
        try:
            if known.senders and not free:
                return Next(False, timedelta(seconds=max(sender_wait, 0.1)))
            may = sum(free.values()) if free else granted
            claim = uuid7()
            async with self.db.reading() as db:
                unit = await batches.claim(db, known.id, claim, self.worker, self.lease)
            if unit is None:
                return Next(False)
            reach("unit.claimed")
            sent, then = await self._process_batch(known, unit, claim, may, free, until)
            used = sent.total()
            for sender, count in sent.items():
                if sender in free:
                    free[sender] -= count
        finally:
            await self.send_rate.give_back(known.rates, granted - used)
            for sender, unused in free.items():
                await self.send_rate.give_back(known.sender_rates(sender), unused)
        if granted < most and then.go_on and used >= granted:
            return Next(False, self._refill_wait(known, wait))
        return then

    def _refill_wait(self, known: ProjectContext, wait: float) -> timedelta:
        """Until a good part of the bucket is full again, so that a visit is worth its while."""
        good = max((rate.every * rate.burst / 2000 for rate in known.rates), default=0.0)
        wait = max(wait, min(good, 30.0), 0.05)
        return timedelta(seconds=wait * random.uniform(0.5, 1.5) if known.jitter else wait)

    async def _process_batch(
        self, known: ProjectContext, unit: UUID, claim: UUID, may: int, free: dict[UUID, int], until: float
    ) -> tuple[Counter[UUID | None], Next]:
        """How many were handed over, by sender, and what then."""
        lost = asyncio.Event()
        renewing = asyncio.create_task(self._renew(claim, lost))
        then, handed = Next(), Counter[UUID | None]()
        try:
            async with self.db.reading() as db:
                rows = await batches.messages(db, unit, may, known.row["category"])
            found = await self._sort(known, rows)
            found.all &= len(rows) < may or may >= BATCH
            await self._put_aside(known, unit, claim, found)
            if found.ready:
                given = sender_limits.assign(found.ready, known.senders, free)
                found.all &= len(given.ready) == len(found.ready)
                found.ready = given.ready
                if given.gone:
                    await self._settle(known, unit, claim, given.gone)
            if found.ready:
                handed, then = await self._send(known, unit, claim, found, until, lost)
        finally:
            await end((renewing,))
            if not lost.is_set():
                delay = then.delay
                await self.dispatcher.retry(
                    lambda db: batches.close(db, unit, claim, known.row["account_id"], delay)
                )
                reach("unit.closed")
            change_events.project(known.row["owner_id"], known.id)
            change_events.emit()
        return handed, then if not lost.is_set() else Next(False)

    async def _renew(self, claim: UUID, lost: asyncio.Event) -> None:
        while True:
            await asyncio.sleep(self.lease.total_seconds() / 3)
            try:
                async with self.db.reading() as db:
                    if not await batches.renew(db, claim, self.lease):
                        log.warning("lost a unit; stopping it", claim=str(claim))
                        lost.set()
                        return
            except Exception as error:  # the database is away: the look before every mark is the guard
                log.info("a unit could not be renewed", error=str(error)[:200])

    # what of a unit is to be sent now

    async def _sort(self, known: ProjectContext, rows: Sequence[Any]) -> Sorted:
        found = Sorted()
        window, now, channel = known.window, self.db.now(), known.channel
        address = "address" if channel in ("email", "push") else "phone"
        one, number = known.price, known.row["content"]
        settings, key = self.services.settings, self.services.key("unsubscribe")
        owner = known.row["owner_id"]
        current = await self.contents.of(known.id, owner, number)
        routes = self.services.routes
        # What may have gone out is asked of the way that it took, which depends on who sent it.
        ways = {
            sender: {routes.label(route) for route in self.dispatcher.limits.routes(known, sender)}
            for sender in (None, *known.accounts)
        }
        begun = breath = time.monotonic()
        for row in rows:
            if (at := time.monotonic()) - breath > _BREATH:
                if at - begun > _RENDERING and (found.ready or found.aside):
                    found.all = False
                    break
                await asyncio.sleep(0)
                breath = time.monotonic()
            id, to = row["id"], row["to"]
            # Asked for again under its old key, it must say what it said.
            again = row["handed_at"] is not None and row["content"] is not None
            content = await self.contents.of(known.id, owner, row["content"]) if again else current
            variant = row["variant"] if again else content.pick(id)
            try:
                if row["blocked"] is not None:
                    raise Aside("blocked", f"The address is blocked ({row['blocked']}).")
                if again and row["provider"] not in ways.get(row["account_uuid"], ways[None]):
                    raise Aside(
                        "route_gone",
                        (
                            "The provider that may have this message is no longer configured, and only that provider can"
                            " tell. Ask the operator to configure it, then retry with unknown."
                        ),
                    )
                if window is not None and (opening := window.next_opening(now, self._zone(row))) is not None:
                    found.closed.setdefault(opening, []).append(id)
                    continue
                variables = {**(row["variables"] or _NOTHING), "name": row["name"] or "", address: to}
                if content.links:
                    variables[unsubscribe.VARIABLE] = unsubscribe.url(settings, key, id)
                if content.plain and content.text is not None:
                    text = content.text.render(variant, variables)
                else:
                    text = await self.contents.render(content, owner, variant, variables)
                if not again and content.silent(text, channel):
                    raise Aside("empty_text", "The rendered text is empty for this recipient.")
            except (RateLimited, Unavailable):  # nobody can render it just now; the rest waits
                found.all = False
                await asyncio.sleep(_REFUSED)
                break
            except (Aside, BadZone, texts.MissingVariable, texts.TextError) as error:
                code = error.code if isinstance(error, Aside) else _CODES.get(type(error), "bad_text")
                # What may have arrived is not called skipped.
                found.aside.append(NotHandedOver(id, "unknown" if again else "skipped", code, str(error)))
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

    async def _settle(
        self, known: ProjectContext, unit: UUID, claim: UUID, messages: Sequence[NotHandedOver]
    ) -> None:
        await self.dispatcher.retry(lambda db: batches.settle(db, unit, claim, known.id, messages, {}))

    async def _put_aside(self, known: ProjectContext, unit: UUID, claim: UUID, found: Sorted) -> None:
        """What is skipped, and what waits for its window in a unit of its own."""
        messages = list(found.aside)
        later = {}
        now = self.db.now()
        for opening, ids in found.closed.items():
            seconds = max((opening - now).total_seconds(), 1.0)
            made, delay = self.dispatcher.later(known.id, seconds, len(ids), window=True)
            later[made] = delay
            messages.extend(NotHandedOver(id, "queued", batch=made) for id in ids)
        if messages:
            await self.dispatcher.retry(
                lambda db: batches.settle(db, unit, claim, known.id, messages, later, known.row["window"])
            )

    # how much of it may go

    async def _send(
        self, known: ProjectContext, unit: UUID, claim: UUID, found: Sorted, until: float, lost: asyncio.Event
    ) -> tuple[Counter[UUID | None], Next]:
        items, none = found.ready, Counter[UUID | None]()
        attachments: dict[int, list[Attachment]] = {}
        for number in {item.content for item in items}:
            try:
                attachments[number] = await self._attachments(known, number)
            except Unavailable:
                return none, Next(False, timedelta(seconds=60))
            except AppError as error:
                missing = [
                    NotHandedOver(
                        item.id,
                        "unknown" if item.uncertain else "failed",
                        "attachment_missing",
                        error.message,
                    )
                    for item in items
                    if item.content == number
                ]
                await self._settle(known, unit, claim, missing)
        items = [item for item in items if item.content in attachments]
        if not items:
            return none, Next()
        async with self.db.reading() as db:
            today = await tariffs.reserve(
                db, known.row["owner_id"], len(items), known.row["messages_per_day"]
            )
        if not today:
            await self._pause(known, PauseReason.tariff_used_up)
            return none, Next(False)
        paid: list[Item] = []
        try:
            paid = await self._charge(known, unit, claim, items[:today])
            if not paid:
                return none, Next(False)
            await self._address(known, paid, attachments)
            whole = found.all and len(paid) == len(items)
            said = await self.dispatcher.send(known, unit, claim, paid, lost, until, whole=whole)
        finally:
            spent = sum(  # what is asked for again was counted the first time
                item.outcome is not None and item.outcome.result in _SPENT and not item.uncertain
                for item in paid
            )
            if unspent := today - spent:
                async with self.db.reading() as db:
                    await tariffs.give_back(db, known.row["owner_id"], unspent)
        sent = Counter(item.sender for item in paid if item.route is not None)
        handed = sent.total()
        if said.misconfigured:
            await self._pause(known, PauseReason.provider_refuses_credentials, 60)
            return sent, Next(False, timedelta(seconds=60))
        self._managed[known.id] = max(2 * handed, 20) if handed < len(paid) else BATCH
        if len(self._managed) > 10_000:
            self._managed.clear()
        if said.cool_down is not None:
            others = self.dispatcher.limits.others(known)  # who go on
            return sent, Next(others and not said.ended, timedelta(seconds=0 if others else said.cool_down))
        return sent, Next(not said.ended)

    async def _charge(self, known: ProjectContext, unit: UUID, claim: UUID, items: list[Item]) -> list[Item]:
        """As many as the account can pay for, charged; none means that the project is paused (or the claim lost)."""
        while items:
            amount = sum((item.price - item.paid for item in items), _FREE)
            if not amount:
                return items
            async with self.db.reading() as db:
                if await batches.reserve(db, known.row["account_id"], unit, claim, amount):
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

    async def _address(
        self, known: ProjectContext, items: list[Item], attachments: dict[int, list[Attachment]]
    ) -> None:
        contents = {
            number: await self.contents.of(known.id, known.row["owner_id"], number) for number in attachments
        }
        # Who unsubscribes still gets what is transactional: no such mail offers it.
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
                metadata=self._metadata(known, item, contents[item.content], attachments[item.content]),
                headers=unsubscribe.headers(self.services.settings, key, item.id)
                if email and contents[item.content].promotional
                else _NOTHING,
                attachments=attachments[item.content],
            )

    def _metadata(
        self, known: ProjectContext, item: Item, content: Content, attachments: Sequence[Attachment]
    ) -> Mapping[str, Any]:
        """What a messenger's driver asks for beside the text: who sends, and a template with its values."""
        found: dict[str, Any] = {}
        if item.sender is not None:
            found["sender"] = str(item.sender)
            if account := known.accounts.get(item.sender):
                found["messenger_account"] = str(account)
                if item.uncertain:
                    found["handed_at"] = item.row["handed_at"]
                found["files"] = [
                    {"id": str(id), "mime": file.mime, "name": file.name}
                    for id, file in zip(dict.fromkeys(content.attachments), attachments, strict=True)
                ]
        if content.template is not None:
            found["template"] = {**content.template, "params": list(item.text.params)}
        return found or _NOTHING

    async def _attachments(self, known: ProjectContext, number: int) -> list[Attachment]:
        """Raises NotFound, TooLarge, Unavailable."""
        content = await self.contents.of(known.id, known.row["owner_id"], number)
        if not content.attachments:
            return []
        rows = await self.db.fetch(_ATTACHMENTS, content.attachments, known.row["owner_id"])
        if len(rows) < len(set(content.attachments)):
            raise NotFound(
                "An attachment of this project was deleted. Remove it from the project, or attach another file.",
                code="file_not_found",
            )
        return [
            Attachment(row["name"], row["mime"], await self.services.files.read(row["id"], ATTACHED_BYTES))
            for row in rows
        ]


def runner_of(services: Services) -> CycleRunner:
    """Returns the runner of this process."""
    return services.single(CycleRunner, lambda: CycleRunner(services, services.worker))


@job(JobName.run_project, "projects")
async def run_cycle(services: Services, project: UUID) -> None:
    """Sends for about two seconds."""
    await runner_of(services).run(project)
