"""Tests reports about messages of projects: in any order, early, twice, many at once, for the wrong message."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from channels.port import Receipt, Result
from core.ids import uuid7
from engine import upkeep
from engine.inbound import inbound_messages, replies
from engine.reports import early as early_reports
from engine.reports import report_writer, statements
from engine.reports.report import Applied, Report, ReportedStatus
from engine.worker import receive_events
from tests.support.early import retry_early
from tests.support.gateway import Gateway, gateway
from tests.support.records import Records, records

__all__ = ["gateway", "records"]


def report(id: UUID | str, status: ReportedStatus, at: datetime | None = None, **more: Any) -> Report:
    uuid = id if isinstance(id, UUID) else None
    return Report(uuid, None, None if uuid else str(id), status, at=at, **more)


async def apply(records: Records, *said: Report, owner: UUID | None = None) -> Applied:
    async with records.db.reading() as db:
        return await report_writer.apply(db, said, owner)


async def apply_early(records: Records, *ids: UUID) -> int:
    async with records.db.reading() as db:
        return (await report_writer.apply_early(db, statements.PROJECTS, ids)).changed


async def receive(records: Records, owner: UUID, *said: Report) -> Applied:
    """Applies status reports as the hooks do."""
    async with records.db.reading() as db:
        async with db.transaction():
            applied = await report_writer.receive(db, said, owner)
        await report_writer.retry_early(db, applied.unknown, owner)
        return applied


async def early(records: Records) -> int:
    return await records.count("early_reports")


# Order


FAILED, SENT, DELIVERED, READ = "failed", "sent", "delivered", "read"
ORDERS: list[tuple[str, list[Any], str]] = [
    ("sending", [SENT], "sent"),
    ("unknown", [SENT], "sent"),
    ("unknown", [READ], "read"),
    ("sent", [DELIVERED], "delivered"),
    ("sent", [DELIVERED, READ], "read"),
    ("sent", [READ, DELIVERED, SENT], "read"),
    ("sent", [FAILED, DELIVERED], "delivered"),
    ("sent", [DELIVERED, FAILED], "delivered"),
    ("sending", [FAILED, FAILED, SENT], "failed"),
    ("read", [FAILED, DELIVERED, SENT], "read"),
    ("skipped", [SENT, DELIVERED], "skipped"),
    ("canceled", [DELIVERED], "canceled"),
    ("failed", [DELIVERED], "failed"),
]


async def test_no_status_moves_back(records: Records, ada: Any) -> None:
    for begins, statuses, ends in ORDERS:
        id = await records.make(ada, begins)
        for status in statuses:
            await apply(records, report(id, status))
        assert await records.status(id) == ends, (begins, statuses)


async def test_of_several_at_once_the_furthest_counts_and_each_leaves_its_time(
    records: Records, ada: Any
) -> None:
    id = await records.make(ada, "sending", number="SM1")
    now = datetime.now(UTC)
    at = [now + timedelta(seconds=second) for second in (-3, -2, -1)]
    await records.set(f"handed_at = '{now - timedelta(seconds=10)}'", id)
    applied = await apply(
        records, report("SM1", READ, at[2]), report(id, SENT, at[0]), report("SM1", DELIVERED, at[1])
    )
    assert (applied.changed, applied.matched, applied.unknown) == (1, {id}, [])
    row = await records.row(id)
    assert (row["status"], row["sent_at"], row["delivered_at"], row["read_at"]) == ("read", *at)
    counted = await records.counted()
    assert (counted["total"], counted["sent"], counted["read"]) == (1, 0, 1)
    assert (await apply(records, report("SM1", READ))).changed == 0


async def test_times_are_in_their_order_whatever_clock_they_come_from(records: Records, ada: Any) -> None:
    id = await records.make(ada, "sending")
    await apply(records, report(id, READ, datetime.now(UTC) + timedelta(days=400)))
    row = await records.row(id)
    assert row["handed_at"] <= row["sent_at"] <= row["delivered_at"] <= row["read_at"] <= datetime.now(UTC)


async def test_what_is_older_than_the_hand_over_is_about_an_earlier_attempt(
    records: Records, ada: Any
) -> None:
    id = await records.make(ada, "sending")
    handed_at = (await records.row(id))["handed_at"]
    applied = await apply(records, report(id, FAILED, handed_at - timedelta(minutes=6)))
    assert (applied.changed, applied.matched) == (0, {id})
    assert await records.status(id) == "sending"
    await apply(records, report(id, FAILED, handed_at - timedelta(minutes=4)))
    assert await records.status(id) == "failed"


# Money


async def test_what_fails_is_refunded_once_an_account_and_project(
    records: Records, ada: Any, bob: Any
) -> None:
    ids = [await records.make(person, price="0.25") for person in (ada, bob, ada)]
    project = (await records.row(ids[0]))["project_id"]
    ids.append(await records.make(ada, price="0.25", project=project))
    report_writer = [report(id, FAILED, code="rejected", reason="no\x00 \ud800") for id in ids]
    assert (await apply(records, *report_writer, *report_writer)).changed == 4
    assert (await apply(records, *report_writer)).changed == 0
    rows = await records.db.fetch("SELECT amount FROM ledger_entries WHERE kind = 'refund' ORDER BY amount")
    assert [float(row["amount"]) for row in rows] == [0.25, 0.25, 0.5]
    row = await records.row(ids[0])
    assert (row["price"], row["failure_code"], row["failure_reason"]) == (0, "rejected", "no ?")


async def test_a_success_forgets_why_it_was_unknown(records: Records, ada: Any) -> None:
    id = await records.make(ada, "unknown")
    await records.set("failure_code = 'timeout', failure_reason = 'x'", id)
    await apply(records, report(id, DELIVERED))
    row = await records.row(id)
    assert (row["failure_code"], row["failure_reason"]) == (None, None)


async def test_a_bounced_email_is_written_to_no_more(records: Records, ada: Any) -> None:
    gone = await records.make(ada, channel="email", to="gone@example.com")
    full = await records.make(ada, channel="email", to="full@example.com")
    phone = await records.make(ada)
    await apply(
        records,
        report(gone, FAILED, code="mailbox_unavailable"),
        report(full, FAILED, code="mailbox_full"),
        report(phone, FAILED, code="invalid_recipient"),
    )
    assert await records.blocked(ada) == {"gone@example.com": "hardBounce"}


# Many at once


async def test_batches_in_opposite_orders_all_get_through(records: Records, people: Any) -> None:
    payers = [await people.make(credit="1") for _ in range(4)]
    ids = [await records.make(payers[number % 4], number=f"SM{number}") for number in range(24)]
    report_writer = [report(id, FAILED) for id in ids]
    changed = await asyncio.gather(
        *(apply(records, *(report_writer if number % 2 else report_writer[::-1])) for number in range(12))
    )
    assert sum(applied.changed for applied in changed) == 24
    assert sorted(applied.changed for applied in changed)[:-1] == [0] * 11


async def test_a_failure_and_a_delivery_at_once_agree_on_one_end(records: Records, ada: Any) -> None:
    ids = [await records.make(ada) for _ in range(8)]
    words: tuple[ReportedStatus, ...] = ("failed", "delivered", "sent")
    changed = await asyncio.gather(*(apply(records, report(id, word)) for id in ids for word in words))
    assert 8 <= sum(applied.changed for applied in changed) <= 16
    assert {await records.status(id) for id in ids} == {"delivered"}


# Early


async def test_an_event_that_comes_before_we_know_the_providers_id(records: Records, ada: Any) -> None:
    id = await records.make(ada, "sending")
    applied = await receive(records, ada.id, report("SM1", DELIVERED), report("SM1", SENT))
    assert (applied.changed, len(applied.unknown), await early(records)) == (0, 2, 2)
    await records.set("status = 'sent', sent_at = now(), provider_message_id = 'SM1'", id)
    assert await apply_early(records, id) == 1
    assert await apply_early(records, id) == 0
    assert (await records.status(id), await early(records)) == ("delivered", 0)


async def test_a_queued_message_is_not_moved_but_hears_of_it_later(records: Records, ada: Any) -> None:
    """It was given back after a crash: it must be handed over again, or its recipient may never get it."""
    id = await records.make(ada, "queued")
    assert len((await receive(records, ada.id, report(id, DELIVERED))).unknown) == 1
    assert await apply_early(records, id) == 0
    assert (await records.status(id), await early(records)) == ("queued", 1)
    await records.set("status = 'sent', handed_at = now(), sent_at = now()", id)
    assert await apply_early(records, id) == 1
    assert (await records.status(id), await early(records)) == ("delivered", 0)


async def test_an_event_of_another_user_is_about_nothing(records: Records, ada: Any, bob: Any) -> None:
    id = await records.make(ada, number="SM1")
    for early in (report(id, FAILED), report("SM1", FAILED), report(str(id), FAILED)):
        assert len((await receive(records, bob.id, early)).unknown) == 1
    assert await apply_early(records, id) == 0
    assert await records.status(id) == "sent"
    assert (await receive(records, ada.id, report(str(id), DELIVERED))).changed == 1


async def test_racing_records_and_events_leave_nothing_behind(records: Records, ada: Any) -> None:
    project = await records.project(ada)
    ids = [await records.make(ada, "sending", project=project) for _ in range(24)]

    async def ours(number: int, id: UUID) -> None:
        await records.set(f"status = 'sent', sent_at = now(), provider_message_id = 'SM{number}'", id)
        await apply_early(records, id)

    await asyncio.gather(
        *(
            coroutine
            for number, id in enumerate(ids)
            for coroutine in (ours(number, id), receive(records, ada.id, report(f"SM{number}", DELIVERED)))
        )
    )
    assert {await records.status(id) for id in ids} == {"delivered"}
    assert await early(records) == 0


async def test_one_user_s_early_reports_are_bounded(
    records: Records, ada: Any, bob: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(early_reports, "MOST_EARLY", 2)
    monkeypatch.setattr(early_reports, "_COUNTED", 1)
    for number in range(4):
        await receive(records, ada.id, report(f"SM{number}", SENT))
    await receive(records, bob.id, report("SM1", SENT))
    assert await early(records) == 3
    assert await records.count("early_reports WHERE key IN ('SM2', 'SM3')") == 2  # the newest of ada's


async def test_early_reports_are_forgotten_after_72_hours(records: Records, ada: Any) -> None:
    await receive(records, ada.id, report("old", SENT), report("young", SENT))
    await records.db.fetch(
        "UPDATE early_reports SET received_at = now() - interval '73 hours' WHERE key = 'old'"
    )
    await upkeep.prune(records.db, None)
    assert await records.count("early_reports WHERE key = 'young'") == await early(records) == 1


# Receipts of channels, which are about direct messages too


async def apply_receipts(records: Records, *receipts: tuple[str, Result], provider: str = "twilio") -> int:
    async with records.db.reading() as db:
        applied = await report_writer.receive_receipts(
            db, provider, [Receipt(*receipt) for receipt in receipts]
        )
        return applied.changed


async def test_receipts_find_direct_messages_and_those_of_projects(
    records: Records, ada: Any, gateway: Gateway
) -> None:
    mine = await records.make(ada, number="SM1")
    direct = await gateway.reached(ada)
    await gateway.set("provider = 'twilio', provider_message_id = 'SM2'", direct)
    receipts = [("SM1", Result.delivered), ("SM2", Result.delivered), ("SM3", Result.delivered)]
    assert await apply_receipts(records, *receipts) == 2
    assert (await records.status(mine), await gateway.state(direct)) == ("delivered", "delivered")
    assert await early(records) == 1


@pytest.mark.parametrize("whose", ["project", "direct"])
async def test_an_early_receipt_is_found_by_either_side(
    whose: str, records: Records, ada: Any, services: Any, gateway: Gateway
) -> None:
    (channel,) = services.routes.of("sms")
    assert await receive_events(services, channel, [Receipt("R1", Result.delivered)]) == 0
    assert await early(records) == 1
    if whose == "project":
        id = await records.make(ada, number="R1", provider="sandbox")
        assert await apply_early(records, id) == 1
        assert await records.status(id) == "delivered"
    else:
        direct = (await gateway.queue(ada, 1))[0]
        await gateway.set("state = 'sending', provider = 'sandbox', provider_message_id = 'R1'", direct)
        await gateway.set("state = 'sent'", direct)
        async with records.db.reading() as db:
            assert await retry_early(db, "sandbox", ["R1"]) == 1
    assert await early(records) == 0


async def test_a_number_that_is_used_again_is_the_newest_message_s(
    records: Records, ada: Any, gateway: Gateway
) -> None:
    """An SMSC that counts from 1 again: the newest may be a direct message, or a project's."""
    old = await records.make(ada, number="1", provider="smpp")
    await records.set("handed_at = now() - interval '3 days'", old)
    direct = (await gateway.queue(ada, 1))[0]
    await gateway.set(
        "state = 'sending', handed_at = now(), provider = 'smpp', provider_message_id = '1'", direct
    )
    await gateway.set("state = 'sent'", direct)
    assert await apply_receipts(records, ("1", Result.delivered), provider="smpp") == 1
    assert (await records.status(old), await gateway.state(direct)) == ("sent", "delivered")
    new = await records.make(ada, number="1", provider="smpp")
    assert await apply_receipts(records, ("1", Result.refused), provider="smpp") == 1
    assert [await records.status(id) for id in (old, new)] == ["sent", "failed"]


async def test_ids_of_two_providers_do_not_cross(records: Records, ada: Any) -> None:
    ours, other = await records.make(ada, number="1"), await records.make(ada, number="1", provider="smpp")
    assert await apply_receipts(records, ("1", Result.delivered), provider="smpp") == 1
    assert [await records.status(id) for id in (ours, other)] == ["sent", "delivered"]
    assert await apply_receipts(records, (str(uuid7()), Result.delivered)) == 0


async def test_a_provider_whose_id_is_the_message_s_own(records: Records, ada: Any) -> None:
    id = await records.make(ada, "sending", provider="smtp")
    assert await apply_receipts(records, (str(id), Result.delivered), provider="smtp") == 1
    assert await records.status(id) == "delivered"


# A table that has grown


_FILL = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, provider, provider_message_id, handed_at,
                             sent_at)
SELECT gen_random_uuid(), $1, $2, 'sms', '+1415' || (1000000 + g), 'sent', 'twilio', 'SM' || g, now(), now()
FROM generate_series(1, 40000) AS g
"""


async def test_the_statements_read_what_they_need(records: Records, ada: Any) -> None:
    await records.db.fetch(_FILL, await records.project(ada), ada.id)
    await records.db.fetch("ANALYZE message_records")
    ids = [row["id"] for row in await records.db.fetch("SELECT id FROM message_records LIMIT 500")]
    numbers = [f"SM{number}" for number in range(500)]
    nothing = [None] * 500
    columns = (ids, nothing, nothing, numbers, ["sent"] * 500, nothing, nothing, [datetime.now(UTC)] * 500)
    executed: list[tuple[str, tuple[Any, ...]]] = [
        (statements.STATEMENTS["message_records"], (*columns, ada.id, True)),
        (
            statements.STATEMENTS["message_records"],
            (nothing, ["twilio"] * 500, ["sms"] * 500, *columns[3:], None, False),
        ),
        (statements.POP["message_records"], (ids,)),
        (statements.FIND["message_records"], (ids, numbers, None)),
        (replies._ANSWERED, (ada.id, ["+14151000001"], "sms")),
        (replies._WAITING, (ada.id, ["+14151000001"], True)),
        (inbound_messages._OWNER, ("sms", "+14151000001", uuid7())),
        (inbound_messages._WRITERS, ("sms", "+14151000001", uuid7())),
    ]
    async with records.db.reading() as db:
        for statement, arguments in executed:
            rows = await db.fetch(f"EXPLAIN {statement}", *arguments)
            plan = "\n".join(row[0] for row in rows)
            assert "Seq Scan on message_records" not in plan, plan
