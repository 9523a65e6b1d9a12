"""The effects of reports about emails, in whatever order and however often they come."""

from datetime import timedelta
from decimal import Decimal

import pytest

from core.ids import least_uuid7, uuid7
from engine.mail_reports.recording import RESTS_FOR, Rules
from engine.reports import report_writer, statements
from engine.upkeep import retention
from tests.mail_reports.made import COMPLAINT, Mails, bounce, mails
from tests.support.feeds import ALL_EVENTS, ALL_WAITING
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "records"]

CODES = {
    "hard": "hard_bounce",
    "full": "mailbox_full",
    "content": "content_refused",
    "policy": "policy_refused",
    "transient": "not_delivered",
    "unknown": "bounced",
}


@pytest.mark.parametrize("kind", ["direct", "project"])
@pytest.mark.parametrize("state", ["sending", "sent", "unknown"])
async def test_a_bounce_fails_a_message_and_refunds_it_once(mails: Mails, kind: str, state: str):
    id = (await mails.direct(state))[0] if kind == "direct" else await mails.of_project(state)
    first = await mails.received(id, name="<1@mx>")
    assert (await mails.record([first])).new == 1
    assert (await mails.record([first, first])).repeated == 2
    await mails.report(id, name="<2@mx>")
    row = await mails.row(id)
    assert (row["state"], row["failure_code"], row["failure_reason"]) == (
        "failed",
        "hard_bounce",
        "550 5.1.1 No.",
    )
    assert row["bounced_at"] == first.at
    assert await mails.refunds() == [Decimal("0.01")]
    assert await mails.blocks() == [("Ada@example.net", "hardBounce", "all")]
    outcomes = await mails.services.db.fetch("SELECT outcome FROM mail_reports ORDER BY id")
    assert [row["outcome"] for row in outcomes] == ["fails", "stays"]


@pytest.mark.parametrize(("klass", "code"), CODES.items())
async def test_only_a_hard_bounce_blocks_at_once(mails: Mails, klass: str, code: str):
    (id,) = await mails.direct()
    await mails.report(id, bounce(klass))
    assert (await mails.row(id))["failure_code"] == code
    assert bool(await mails.blocks()) is (klass == "hard")


@pytest.mark.parametrize("kind", ["direct", "project"])
async def test_what_was_delivered_stays_so_and_keeps_its_price(mails: Mails, kind: str):
    id = (await mails.direct("delivered"))[0] if kind == "direct" else await mails.of_project("delivered")
    await mails.report(id)
    row = await mails.row(id)
    assert (row["state"], row["failure_code"], row["price"]) == ("delivered", None, Decimal("0.01"))
    assert row["bounced_at"] is not None
    assert await mails.refunds() == []
    assert await mails.blocks() == [("Ada@example.net", "hardBounce", "all")]


async def test_a_complaint_changes_no_state_and_blocks_everything(mails: Mails):
    (id,) = await mails.direct()
    await mails.report(id, COMPLAINT)
    row = await mails.row(id)
    assert (row["state"], row["bounced_at"]) == ("sent", None)
    assert row["complained_at"] is not None
    assert await mails.blocks() == [("Ada@example.net", "complaint", "all")]
    await mails.report(id)  # and then it bounces: the stronger reason stays
    assert await mails.blocks() == [("Ada@example.net", "complaint", "all")]
    assert (await mails.row(id))["state"] == "failed"


async def test_a_delay_is_stored_and_does_nothing(mails: Mails):
    (id,) = await mails.direct()
    await mails.report(id, bounce("transient", kind="delay"))
    row = await mails.row(id)
    assert (row["state"], row["bounced_at"]) == ("sent", None)
    assert await mails.services.db.fetchval("SELECT count(*) FROM address_health") == 0
    stored = await mails.services.db.fetchrow("SELECT type, class, outcome FROM mail_reports")
    assert tuple(stored) == ("delay", "transient", "none")


@pytest.mark.parametrize("kind", ["direct", "project"])
async def test_a_report_before_the_hand_over_waits_for_it(mails: Mails, kind: str):
    id = (await mails.direct("queued"))[0] if kind == "direct" else await mails.of_project("queued")
    recorded = await mails.report(id, bounce("full"))
    assert len(recorded.waiting) == 1
    assert (await mails.row(id))["state"] == "queued"
    table = statements.DIRECT if kind == "direct" else statements.PROJECTS
    price = "" if kind == "direct" else ", price = 0.01"
    change = f"UPDATE {table.name} SET {table.status} = 'sent', handed_at = now(), sent_at = now(){price} WHERE id = $1"
    async with mails.services.db.reading() as db:
        if kind == "project":  # it is charged when it is handed over
            await db.execute(
                "WITH e AS (INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
                " VALUES ($1, $2, 'charge', -0.01, $1)) UPDATE accounts SET balance = balance - 0.01 WHERE id = $2",
                uuid7(), mails.person.account_id,
            )  # fmt: skip
        await db.execute(change, id)
        assert (await report_writer.apply_early(db, table, [id])).changed == 1
    assert (await mails.row(id))["failure_code"] == "mailbox_full"
    assert await mails.refunds() == [Decimal("0.01")]
    assert await mails.services.db.fetchval("SELECT count(*) FROM early_reports") == 0


async def test_a_report_of_an_earlier_hand_over_is_not_of_the_next(mails: Mails):
    (id,) = await mails.direct("queued")
    await mails.report(id, bounce("full"))
    async with mails.services.db.reading() as db:
        await db.execute(
            "UPDATE messages SET state = 'sent', handed_at = now() + interval '6 minutes' WHERE id = $1", id
        )
        assert (await report_writer.apply_early(db, statements.DIRECT, [id])).changed == 0
    assert (await mails.row(id))["state"] == "sent"


async def test_a_report_about_a_deleted_message_is_dropped(mails: Mails):
    recorded = await mails.report(uuid7())
    assert (recorded.new, recorded.gone) == (0, 1)
    assert await mails.services.db.fetchval("SELECT count(*) FROM mail_reports") == 0


async def test_five_soft_bounces_let_an_address_rest(mails: Mails):
    ids = await mails.direct(count=7)
    for number, klass in enumerate(("full", "transient", "unknown", "full"), 1):
        await mails.report(ids[number], bounce(klass))
        await mails.report(ids[number], bounce(klass))  # the same message counts once
        assert await mails.blocks() == []
    await mails.report(ids[5], bounce("content"))
    await mails.report(ids[6], bounce("policy"))
    assert await mails.blocks() == []
    await mails.report(ids[0], bounce("full"))
    assert await mails.blocks() == [("Ada@example.net", "softBounce", "promotional")]
    expires_at = await mails.services.db.fetchval("SELECT expires_at FROM blocked_phones")
    assert abs(expires_at - await mails.now() - RESTS_FOR) < timedelta(minutes=1)


async def test_soft_bounces_of_one_batch_count_each(mails: Mails):
    ids = await mails.direct(count=5)
    await mails.record([await mails.received(id, bounce("full")) for id in ids])
    assert await mails.blocks() == [("Ada@example.net", "softBounce", "promotional")]


@pytest.mark.parametrize("kind", ["direct", "project"])
async def test_a_delivery_between_begins_anew(mails: Mails, kind: str):
    ids = await mails.direct(count=5)
    for id in ids[:4]:
        await mails.report(id, bounce("full"))
    _ = (
        await mails.direct("delivered", "ADA@example.net")
        if kind == "direct"
        else await mails.of_project("sent")
    )
    await mails.services.db.fetch(
        "UPDATE message_records SET status = 'delivered', delivered_at = now() WHERE status = 'sent'"
    )
    await mails.report(ids[4], bounce("full"))
    assert await mails.blocks() == []
    health = await mails.services.db.fetch("SELECT address, cardinality(soft_bounces) FROM address_health")
    assert [tuple(row) for row in health] == [("ada@example.net", 1)]


async def test_what_was_delivered_and_came_back_is_no_delivery(mails: Mails):
    ids = await mails.direct(count=5)
    for id in ids[:4]:
        await mails.report(id, bounce("full"))
    (delivered,) = await mails.direct("delivered")
    await mails.report(delivered, bounce("full"))
    assert await mails.blocks() == [("Ada@example.net", "softBounce", "promotional")]


async def test_old_soft_bounces_do_not_count(mails: Mails):
    ids = await mails.direct(count=5)
    for id in ids[:4]:
        await mails.report(id, bounce("full"))
    await mails.services.db.fetch(
        "UPDATE address_health"
        " SET soft_bounces = ARRAY(SELECT at - interval '31 days' FROM unnest(soft_bounces) AS b (at))"
    )
    await mails.report(ids[4], bounce("full"))
    assert await mails.blocks() == []


async def test_the_rule_is_the_operators(mails: Mails):
    ids = await mails.direct(count=2)
    for id in ids:
        await mails.record([await mails.received(id, bounce("full"))], Rules(2, 1))
    assert await mails.blocks() == [("Ada@example.net", "softBounce", "promotional")]


@pytest.mark.parametrize("keeps", [True, False])
async def test_the_mail_is_kept_if_the_operator_wants_it(mails: Mails, keeps: bool):
    (id,) = await mails.direct()
    await mails.record([await mails.received(id, mail=b"\xff\x00 mail")], Rules(keeps_mails=keeps))
    kept = await mails.services.db.fetch("SELECT mail FROM mail_report_mails")
    assert [row["mail"] for row in kept] == ([b"\xff\x00 mail"] if keeps else [])


async def test_the_messages_own_recipient_counts(mails: Mails):
    (id,) = await mails.direct()
    await mails.report(id, bounce("hard", "other@example.org"), bounce("full", "ADA@example.net"))
    assert (await mails.row(id))["failure_code"] == "mailbox_full"
    assert await mails.blocks() == []


@pytest.mark.parametrize("days", [1, 8, 91])
async def test_upkeep_deletes_what_is_old(mails: Mails, days: int):
    (id,) = await mails.direct()
    await mails.record([await mails.received(id, bounce("full"), mail=b"mail")])
    old = least_uuid7(mails.services.db.now() - timedelta(days=days))
    for sql in (
        "ALTER TABLE mail_report_mails DROP CONSTRAINT fk_mail_report_mails_report_id",
        f"UPDATE mail_reports SET id = '{old}'",
        f"UPDATE mail_report_mails SET report_id = '{old}'",
        f"UPDATE address_health SET last_soft_at = now() - interval '{days} days'",
    ):
        await mails.services.db.fetch(sql)
    await retention.retire_mail_reports(mails.services)
    counts = [
        await mails.gateway.count(table) for table in ("mail_report_mails", "mail_reports", "address_health")
    ]
    assert counts == [int(days < 7), int(days < 90), int(days < 30)]


async def test_events_tell_of_it_once(mails: Mails):
    await mails.person.rest("PUT", "/events/feed")
    direct, record = (await mails.direct())[0], await mails.of_project("delivered", "Bob@example.net")
    await mails.services.db.fetch("DELETE FROM event_inbox")
    await mails.services.db.fetch("DELETE FROM events")
    for _ in range(2):
        await mails.report(direct, bounce("policy"))
        await mails.report(record)
        await mails.report(record, COMPLAINT)
    rows = await mails.services.db.fetch(
        f"SELECT type, subject_id, data ->> 'bounceClass' AS class FROM {ALL_WAITING} UNION ALL"
        f" SELECT type, subject_id, data ->> 'bounceClass' FROM {ALL_EVENTS}"
    )
    told = sorted((row["type"], row["class"]) for row in rows if row["type"] != "block.added")
    assert told == [
        ("address.suppressed", None), ("address.suppressed", None), ("message.bounced", "hard"),
        ("message.bounced", "policy"), ("message.complained", None), ("message.failed", None),
    ]  # fmt: skip
    assert {row["subject_id"] for row in rows} >= {direct, record}
