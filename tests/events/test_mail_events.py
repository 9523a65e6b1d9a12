"""Bounces, delays and complaints about emails, from an engine's hook: recorded like reports that come by mail."""

import itertools

import pytest

from shapes.mail_reports import MailReportClass
from tests.events.hooks import counts, post
from tests.support.records import Records

MAIL = "person@example.com"
REPORTS = """
SELECT type, class, source, address, domain, status, code, diagnostic, outcome FROM mail_reports ORDER BY id
"""
BLOCKS = "SELECT phone, reason, scope FROM blocked_phones ORDER BY id"


async def reports(records: Records) -> list[tuple]:
    return [tuple(row) for row in await records.db.fetch(REPORTS)]


async def blocks(records: Records) -> list[tuple]:
    return [tuple(row) for row in await records.db.fetch(BLOCKS)]


async def test_a_bounce_with_a_class_is_recorded_and_blocks(records: Records, ada):
    id = await records.make(ada, number="M1", to=MAIL, channel="email")
    bounce = {
        "id": "event-1", "providerMessageId": "M1", "status": "bounced", "class": "hard", "email": MAIL,
        "reason": "550 5.1.1 No such user here",
    }  # fmt: skip
    assert await counts(ada, bounce, bounce) == (1, 1, 0)
    assert await counts(ada, bounce) == (0, 1, 0)
    row = ("bounce", "hard", "engine", MAIL, "example.com", "5.1.1", 550, bounce["reason"], "fails")
    assert await reports(records) == [row]
    assert await blocks(records) == [(MAIL, "hardBounce", "all")]
    stored = await records.db.fetchrow(
        "SELECT status, failure_code, bounced_at IS NOT NULL AS bounced FROM message_records WHERE id = $1",
        id,
    )
    assert tuple(stored) == ("failed", "hard_bounce", True)
    assert (await ada.rest("GET", "/mail-reports")).json()["items"][0]["source"] == "engine"


@pytest.mark.parametrize("klass", [*MailReportClass, "soft"])
async def test_each_class_has_its_code_and_only_hard_blocks(klass: str, records: Records, ada):
    """A class that is none of ours is `unknown`."""
    id = await records.make(ada, to=MAIL, channel="email")
    assert await counts(ada, {"messageId": str(id), "status": "failed", "bounceClass": klass}) == (1, 0, 0)
    ((type, stored, *_),) = await reports(records)
    assert (type, stored) == ("bounce", "unknown" if klass == "soft" else klass)
    assert bool(await blocks(records)) is (klass == MailReportClass.hard)


async def test_events_without_an_id_count_once_for_each_message_and_kind(records: Records, ada):
    ids = [await records.make(ada, to=f"{number}@example.com", channel="email") for number in range(3)]
    kinds = [{"status": "deferred", "class": "transient"}, {"status": "bounce", "class": "full"},
             {"event": "complaint"}]  # fmt: skip
    for order in itertools.permutations(kinds):
        for id in ids:
            assert await counts(ada, *({"messageId": str(id), **kind} for kind in order)) == (3, 0, 0)
    assert len(await reports(records)) == len(ids) * len(kinds)
    assert [row[1:] for row in await blocks(records)] == [("complaint", "all")] * len(ids)
    rows = await records.db.fetch(
        "SELECT failure_code, complained_at IS NOT NULL AS complained FROM message_records"
    )
    assert {tuple(row) for row in rows} == {("mailbox_full", True)}


async def test_what_is_about_no_email_of_the_user_stays_a_plain_report(records: Records, ada, bob):
    sms = await records.make(ada, number="S1")
    theirs = await records.make(bob, number="M9", to=MAIL, channel="email")
    failed = {"providerMessageId": "S1", "status": "failed", "class": "hard"}
    assert await counts(ada, failed, {**failed, "providerMessageId": "M9"}) == (1, 0, 1)
    assert await counts(ada, {"messageId": str(theirs), "event": "complaint"}) == (0, 0, 1)
    assert await reports(records) == [] and await blocks(records) == []
    states = dict(await records.db.fetch("SELECT id, status FROM message_records"))
    assert states == {sms: "failed", theirs: "sent"}


async def test_a_bounce_before_the_message_is_handed_over_waits(records: Records, ada):
    id = await records.make(ada, "queued", to=MAIL, channel="email")
    answer = await post(ada, {"messageId": str(id), "status": "bounced", "class": "hard"})
    assert answer.status_code == 202
    assert [row[-1] for row in await reports(records)] == ["waits"]
    assert await records.db.fetchval("SELECT count(*) FROM early_reports") == 1
