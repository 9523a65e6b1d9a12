"""A project from its start to its end, with recipients of every kind."""

from collections import Counter
from decimal import Decimal
from uuid import UUID, uuid5

import pytest

from channels.sandbox import box
from core.ids import uuid7
from engine.projects.audience import BATCH, message_ids
from tests.support.gateway import MAGIC
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

PRICE = Decimal("0.001")  # of an email, by the default tariff


def outbox() -> list[str]:
    return [accepted.message.body for accepted in box().outbox]


async def balance(projects: Projects, person: Person) -> Decimal:
    return await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", person.account_id)


async def test_everybody_gets_his_own_text_once_and_it_is_paid_for(projects: Projects, ada: Person):
    box().outbox.clear()
    people = [{"address": f"u{n}@example.com", "name": f"Имя {n}"} for n in range(1234)]
    project = await projects.make(ada, people)
    await projects.work()
    assert await projects.states(project) == {"sent": 1234}
    row = await projects.row(project)
    assert (row["status"], row["preparation"]) == ("finished", None)
    assert row["finished_at"] is not None
    assert Counter(outbox()) == Counter(f"Hello Имя {n}!" for n in range(1234))
    assert await balance(projects, ada) == 100 - 1234 * PRICE
    charges = await projects.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'")
    assert charges == 3  # one a unit
    await projects.sound(project)
    assert await projects.db.fetchval("SELECT count(*) FROM sending_units") == 0


async def test_ids_are_version_5_of_project_and_recipient(projects: Projects, ada: Person):
    project = await projects.make(ada, ["a@example.com"])
    await projects.work()
    (record,) = await projects.records(project)
    assert record["id"] == uuid5(project, str(record["recipient_id"]))
    many = [uuid7() for _ in range(100)]
    assert [UUID(str(message_id)) for message_id in message_ids(project, many)] == [
        uuid5(project, str(number)) for number in many
    ]


async def test_magic_recipients_end_as_they_should(projects: Projects, ada: Person):
    magic = MAGIC["email"]
    project = await projects.make(ada, list(magic.values()), retry={"maxAttempts": 3, "backoffSeconds": 1})

    async def settled() -> bool:
        await projects.hurry()
        await projects.work()
        states = {row["to"]: row["status"] for row in await projects.records(project)}
        return states == {
            magic["delivered"]: "delivered", magic["failed"]: "failed", magic["bounced"]: "failed",
            magic["flaky"]: "delivered", magic["throttled"]: "sent", magic["timeout"]: "sent",
            magic["slow"]: "sent", magic["silent"]: "unknown", magic["sent"]: "sent",
        }  # fmt: skip

    await until(settled, 0.1)
    assert (await projects.row(project))["status"] == "finished"
    # Failed ones are refunded; what nobody knows stays charged.
    assert await balance(projects, ada) == 100 - 7 * PRICE
    entries = await projects.db.fetch("SELECT kind, project_id FROM ledger_entries WHERE kind <> 'credit'")
    assert {(entry["kind"], entry["project_id"]) for entry in entries} == {
        ("charge", project),
        ("refund", project),
    }
    query = (
        "query ($id: ID!) { account(id: $id) { ledger { nodes { kind sendingProject { uuid } "
        "message { uuid } } } } }"
    )
    ledger = (await ada.data(query, {"id": str(ada.account_id)}))["account"]["ledger"]["nodes"]
    for entry in ledger:
        expected = None if entry["kind"] == "credit" else {"uuid": str(project)}
        assert (entry["sendingProject"], entry["message"]) == (expected, None)
    routes = await ada.data("{ messageRecords(first: 20) { nodes { provider } } }")
    assert [node["provider"] for node in routes["messageRecords"]["nodes"]] == ["sandbox"] * len(magic)
    await projects.sound(project)
    reasons = await projects.db.fetch(
        "SELECT code, sum(count)::int AS n FROM failure_counters GROUP BY 1 HAVING sum(count) > 0"
    )
    assert sum(row["n"] for row in reasons) == 2


async def test_who_may_not_or_can_t_be_written_to_is_skipped_and_told_why(projects: Projects, ada: Person):
    await projects.db.fetchval(
        "INSERT INTO blocked_phones (id, owner_id, phone, reason) VALUES ($1, $2, 'no@example.com', 'optOut')",
        uuid7(),
        ada.id,
    )
    project = await projects.make(
        ada,
        ["no@example.com", "+14155550100", {"address": "zone@example.com", "timezone": "Mars/Base"},
         {"address": "nameless@example.com"}, {"address": "yes@example.com", "name": "Y"}],
        on_missing_variable="skip",
        window={"timezone": "UTC", "days": [1, 2, 3, 4, 5, 6, 7], "from": "00:00", "to": "24:00",
            "recipientTimezone": True},
    )  # fmt: skip
    await projects.work()
    states = {row["to"]: (row["status"], row["failure_code"]) for row in await projects.records(project)}
    assert states == {
        "no@example.com": ("skipped", "blocked"),
        "+14155550100": ("skipped", "invalid_recipient"),
        "zone@example.com": ("skipped", "bad_timezone"),
        "nameless@example.com": ("skipped", "missing_variable"),
        "yes@example.com": ("sent", None),
    }
    assert (await projects.row(project))["status"] == "finished"
    await projects.sound(project)


async def test_a_block_after_the_start_still_counts(projects: Projects, ada: Person):
    project = await projects.make(ada, ["a@example.com", "b@example.com"])
    await projects.step()  # frozen
    await projects.db.fetchval(
        "INSERT INTO blocked_phones (id, owner_id, phone, reason) VALUES ($1, $2, 'a@example.com', 'optOut')",
        uuid7(),
        ada.id,
    )
    await projects.work()
    assert await projects.states(project) == {"skipped": 1, "sent": 1}


@pytest.mark.settings(channel_sms="sandbox://failing?deliver=0")
async def test_an_sms_of_two_parts_costs_twice(projects: Projects, ada: Person):
    project = await projects.make(ada, ["+14155550100"], channel="sms", text="x" * 161)
    await projects.work()
    assert await balance(projects, ada) == 100 - 2 * Decimal("0.01")
    await projects.sound(project)


async def test_variants_by_weight_and_always_the_same(projects: Projects, ada: Person):
    box().outbox.clear()
    await projects.make(
        ada,
        [f"u{n}@example.com" for n in range(1000)],
        variants=[{"text": "A", "weight": 3}, {"text": "B", "weight": 1}],
    )
    await projects.work()
    count = Counter(outbox())
    assert count["A"] + count["B"] == 1000
    assert 650 < count["A"] < 850


async def test_an_empty_project_ends_at_once(projects: Projects, ada: Person):
    project = await projects.make(ada, [])
    await projects.work()
    assert (await projects.row(project))["status"] == "finished"


async def test_units_hold_what_they_should(projects: Projects, ada: Person):
    await projects.make(ada, [f"u{n}@example.com" for n in range(BATCH + 1)])
    await projects.step()
    sizes = await projects.db.fetch(
        "SELECT count(*)::int AS n FROM message_records GROUP BY unit_id ORDER BY 1"
    )
    assert [row["n"] for row in sizes] == [1, BATCH]
