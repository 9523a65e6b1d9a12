"""The same reports by every way in do the same: channels, hooks, chats; direct messages and those of projects. A user's
hook moves no money, and its reports about what is being sent wait: tests/events/test_money.py.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from channels.port import Receipt, Result
from core.ids import uuid7
from engine.reports import report_writer, statements
from tests.chats.conftest import account, apply, outbox, step, went
from tests.events.hooks import counts
from tests.support.gateway import Gateway, gateway
from tests.support.records import Records, records

__all__ = ["account", "apply", "gateway", "outbox", "records"]

MINUTE = timedelta(minutes=1)
RESULTS = {"sent": Result.sent, "delivered": Result.delivered, "failed": Result.refused}
CHATS = {"sent": "server", "delivered": "delivered", "failed": "errored"}
WAYS = ("channel direct", "channel project", "hook direct", "hook project", "chat project")


@dataclass(frozen=True)
class Said:
    """A report; `at`: minutes after the hand-over, None: no time."""

    status: str
    at: float | None = None
    code: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Case:
    """Reports one after the other about a message, and what it is then."""

    title: str
    before: str
    said: tuple[Said, ...]
    status: str
    refunded: bool = False
    sent_at: str = "hand-over"  # or: now, none, or minutes after the hand-over
    delivered_at: str = "none"
    code: str | None = None
    reason: str | None = None


CASES = [
    Case("accepted", "sending", (Said("sent"),), "sent", sent_at="now"),
    Case("unknown and accepted", "unknown", (Said("sent", 2),), "sent", sent_at="2"),
    Case("delivered", "sent", (Said("delivered", 3),), "delivered", delivered_at="3"),
    Case("delivered at once", "sending", (Said("delivered", 3),), "delivered", sent_at="3", delivered_at="3"),
    Case("no status moves back", "sent", (Said("delivered", 3), Said("sent", 4)), "delivered", delivered_at="3"),
    Case("nor does a success fail", "sent", (Said("delivered", 3), Said("failed", 4)), "delivered", delivered_at="3"),
    Case(
        "a failure stays", "sent", (Said("failed", 3, "gone", "No."), Said("sent", 4)), "failed",
        refunded=True, code="gone", reason="No.",
    ),
    Case(
        "a failure counts once, without a code too", "sending", (Said("failed", 3), Said("failed", 3, "x", "x")),
        "failed", refunded=True, sent_at="none", code="rejected",
    ),
    Case(
        "a long reason", "unknown", (Said("failed", 3, "gone", "long" * 500),), "failed", refunded=True,
        sent_at="none", code="gone", reason="long" * 125,
    ),
    Case("the reporter's clock is ahead", "sent", (Said("delivered", 600),), "delivered", delivered_at="now"),
    Case(
        "or behind", "sending", (Said("delivered", -3),), "delivered", sent_at="hand-over", delivered_at="hand-over",
    ),
    Case("an older message with the same number", "sent", (Said("delivered", -6),), "sent"),
]  # fmt: skip


class Way:
    """Makes one message, reports about it, and says what became of it."""

    def __init__(
        self, name: str, gateway: Gateway, records: Records, apply: Any, account: UUID, ada: Any
    ) -> None:
        self.by, _, self.kind = name.partition(" ")
        self.gateway, self.records, self.apply, self.account, self.ada = gateway, records, apply, account, ada
        self.id = UUID(int=0)
        self.number = f"SM{uuid7().hex}"
        self.channel = "telegram" if self.by == "chat" else "sms"
        self.handed_at: datetime

    async def make(self, status: str) -> None:
        """The hand-over was ten minutes ago."""
        db = self.gateway.db
        if self.kind == "direct":
            self.id = await self.gateway.send(self.ada, channel=self.channel)
            await self.gateway.set("state = 'sending', handed_at = now()", self.id)
            await self.gateway.set(f"state = '{status}', provider = 'twilio'", self.id)
            await self.gateway.set(f"provider_message_id = '{self.number}'", self.id)
        else:
            by_chat = self.by == "chat"
            self.id = await self.records.make(
                self.ada, status, number=None if by_chat else self.number,
                channel=self.channel, provider="messenger" if by_chat else "twilio",
            )  # fmt: skip
        if self.by == "chat":
            await db.fetch(
                "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, record_id, text, at)"
                " VALUES ($1, $2, true, '+14155550101', $3, 'x', now())",
                item := uuid7(), self.account, self.id,
            )  # fmt: skip
            await self.apply(went(self.number, item=item))
            # That the messenger has taken it is said by the way itself, and is no report of the case.
            await db.fetch("UPDATE message_records SET status = $2 WHERE id = $1", self.id, status)
            taken = "server" if status == "sent" else "pending"
            await db.fetch("UPDATE messenger_messages SET status = $2 WHERE id = $1", item, taken)
        await db.fetch(
            f"UPDATE {self.table} SET handed_at = now() - interval '10 minutes',"
            " sent_at = CASE WHEN $2 THEN now() - interval '10 minutes' END WHERE id = $1",
            self.id,
            status == "sent",
        )
        self.handed_at = (await self.row())["handed_at"]

    @property
    def table(self) -> str:
        return "messages" if self.kind == "direct" else "message_records"

    async def row(self) -> Any:
        return await self.gateway.db.fetchrow(f"SELECT * FROM {self.table} WHERE id = $1", self.id)

    async def report(self, said: Said) -> None:
        at = None if said.at is None else self.handed_at + said.at * MINUTE
        if self.by == "channel":
            receipt = Receipt(self.number, RESULTS[said.status], said.code, said.reason, at)
            async with self.gateway.db.reading() as db:
                await report_writer.receive_receipts(db, "twilio", [receipt])
        elif self.by == "hook":
            event = {"event": "delivery", "providerMessageId": self.number, "status": said.status}
            event |= {"code": said.code, "reason": said.reason, "at": at.isoformat() if at else None}
            await counts(self.ada, {key: value for key, value in event.items() if value is not None})
        else:
            await self.apply(step(self.number, CHATS[said.status], code=said.code, reason=said.reason, at=at))

    async def refunds(self) -> Decimal:
        rows = await self.gateway.db.fetch("SELECT amount FROM ledger_entries WHERE kind = 'refund'")
        assert len(rows) <= 1
        return sum((row["amount"] for row in rows), Decimal(0))


@pytest.fixture
async def way(
    request: Any, gateway: Gateway, records: Records, apply: Any, account: UUID, ada: Any
) -> AsyncIterator[Way]:
    yield Way(request.param, gateway, records, apply, account, ada)


@pytest.mark.parametrize(
    ("way", "case"),
    [
        pytest.param(way, case, id=f"{case.title}-{way}")
        for case in CASES
        for way in WAYS
        if case.before != "sending" or not way.startswith("hook")
    ],
    indirect=["way"],
)
async def test_a_report_does_the_same_whichever_way_it_comes(way: Way, case: Case) -> None:
    await way.make(case.before)
    price = (await way.row())["price"]
    for said in case.said:
        await way.report(said)
    row = await way.row()
    now = await way.gateway.db.fetchval("SELECT now()")

    def when(moment: datetime | None) -> str:
        if moment is None:
            return "none"
        if abs(now - moment) < MINUTE:
            return "now"
        return "hand-over" if moment == way.handed_at else f"{(moment - way.handed_at) / MINUTE:g}"

    assert row["state" if way.kind == "direct" else "status"] == case.status
    assert (row["failure_code"], row["failure_reason"]) == (case.code, case.reason)
    by_hook = way.by == "hook"  # it doesn't know when the way accepted the message
    sent_at = "none" if by_hook and case.before == "unknown" else case.sent_at
    assert (when(row["sent_at"]), when(row["delivered_at"])) == (sent_at, case.delivered_at)
    assert await way.refunds() == (price if case.refunded and not by_hook else 0)
    assert row["reported_by"] == ("hook" if by_hook and case.status != case.before else None)


@pytest.mark.parametrize("way", [way for way in WAYS if "chat" not in way], indirect=True)
async def test_an_early_report_waits_for_its_message(way: Way) -> None:
    """It is kept once, however often it comes, and applied when the message is known."""
    for _ in range(2):
        await way.report(Said("delivered") if way.by == "channel" else Said("delivered", None, reason=None))
    assert await way.gateway.count("early_reports") == 1
    await way.make("sent")
    async with way.gateway.db.reading() as db:
        table = statements.DIRECT if way.kind == "direct" else statements.PROJECTS
        assert (await report_writer.apply_early(db, table, [way.id])).changed == 1
    assert (await way.row())["delivered_at"] is not None
    assert await way.gateway.count("early_reports") == 0


@pytest.mark.parametrize("way", ["channel direct", "channel project", "hook direct"], indirect=True)
async def test_a_report_counts_though_an_equal_one_of_an_older_message_is_kept(way: Way) -> None:
    """An SMSC that counts from 1 again, whose receipts have no time."""
    await way.report(Said("failed", None, "gone", "No."))
    await way.gateway.db.fetch("UPDATE early_reports SET received_at = now() - interval '1 hour'")
    await way.report(Said("failed", None, "gone", "No."))
    await way.make("sent")
    async with way.gateway.db.reading() as db:
        table = statements.DIRECT if way.kind == "direct" else statements.PROJECTS
        assert (await report_writer.apply_early(db, table, [way.id])).changed == 1
    assert (await way.refunds() > 0) is (way.by != "hook")


@pytest.mark.parametrize("way", ["channel direct", "channel project"], indirect=True)
async def test_an_early_report_is_looked_for_again(way: Way, services: Any) -> None:
    """The worker may have ended after it stored that the message was sent, and before it looked for its reports."""
    await way.report(Said("delivered"))
    await way.make("sent")
    await way.gateway.db.fetch("UPDATE early_reports SET received_at = now() - interval '2 minutes'")
    await report_writer.retry_recent(services)
    assert (await way.row())["delivered_at"] is not None


@pytest.mark.parametrize("way", ["channel direct"], indirect=True)
async def test_a_route_reports_no_message_that_it_was_not_given(way: Way) -> None:
    await way.make("sending")
    await way.gateway.set("provider = NULL, handed_at = NULL", way.id)
    way.number = str(way.id)
    await way.report(Said("failed"))
    assert (await way.row())["state"] == "sending"


@pytest.mark.parametrize("is_early", [False, True], ids=["late", "early"])
@pytest.mark.parametrize("way", [way for way in WAYS if "chat" not in way], indirect=True)
async def test_which_addresses_a_hard_bounce_blocks(way: Way, is_early: bool) -> None:
    """The sandbox's `bounced@…` can be written to directly again, and the contract's engines block by hook."""
    way.channel = "email"
    bounce = Said("failed", None, "user_unknown", "No such user.")
    if is_early:
        await way.report(bounce)
    await way.make("sent")
    if is_early:
        async with way.gateway.db.reading() as db:
            table = statements.DIRECT if way.kind == "direct" else statements.PROJECTS
            await report_writer.apply_early(db, table, [way.id])
    else:
        await way.report(bounce)
    assert (await way.refunds() > 0) is (way.by != "hook")
    blocked = await way.gateway.count("blocked_phones WHERE reason = 'hardBounce'")
    assert blocked == (0 if (way.by, way.kind) == ("channel", "direct") else 1)
