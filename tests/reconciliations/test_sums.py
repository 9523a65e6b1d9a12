"""The document says what became of each person and of the money, as a recount of the records does."""

from collections import Counter
from decimal import Decimal
from uuid import UUID

import pytest

from engine.blocks import block
from engine.reconciliations.lines import person_hash
from engine.reconciliations.owner_keys import key_of_owner
from shapes.blocks import BlockReason
from tests.reconciliations.conftest import all_words, ended, files, finished
from tests.support.people import People, Person
from tests.support.projects import Projects
from tests.support.rounds import run_round


async def execute(projects: Projects, sql: str, *arguments: object) -> None:
    async with projects.db.reading() as db:
        await db.execute(sql, *arguments)


async def chain(projects: Projects, project: UUID) -> list[object]:
    rows = await projects.db.fetch(
        "SELECT number, kind, state, settled FROM reconciliations WHERE project_id = $1 AND made_at IS NOT NULL"
        " ORDER BY number",
        project,
    )
    return [tuple(row.values()) for row in rows]


async def test_every_person_is_counted_once(projects: Projects, ada: Person):
    async with projects.services.db.transaction() as db:
        await block(db, ada.id, "blocked@example.com", BlockReason.manual)
    project = await finished(projects, ada, [*all_words(3), "blocked@example.com"])
    made = await files(projects, project)
    document, counts = made.contents, made.contents["counts"]
    assert document["state"] == "balanced"
    assert document["differences"] == []
    assert counts["materialised"] == document["lines"]["count"] == document["lines"]["persons"] == 13
    assert counts["sent"] == {
        "total": 6, "delivered": 3, "read": 0, "undelivered": 0, "noReport": 3, "undeliveredCauses": []
    }  # fmt: skip
    assert counts["failed"] == {"total": 3, "causes": [{"cause": "x", "count": 3}]}
    assert counts["skipped"] == {"total": 1, "causes": [{"cause": "blocked", "count": 1}]}
    assert counts["unknown"]["total"] == 3
    key = await key_of_owner(projects.services, ada.id)
    records = {person_hash(key, row["to"]).hex(): row for row in await projects.records(project)}
    assert {line["person"] for line in made.people} == records.keys()
    assert [line["person"] for line in made.people] == sorted(records)
    for line in made.people:
        row = records[line["person"]]
        assert line["message"] == str(row["id"])
        assert Decimal(line.get("price", "0")) == row["price"]
        assert row["to"].encode() not in b"".join(made.lines)


async def test_money_is_that_of_the_ledger(projects: Projects, ada: Person):
    phones = [f"+1415555{number:04}" for number in range(5)] + [
        f"+49151234567{number:02}" for number in range(3)
    ]
    project = await finished(projects, ada, phones, channel="sms", text="x" * 200)
    document = (await files(projects, project)).contents
    records = await projects.records(project)
    prices = sum(row["price"] for row in records)
    assert prices > 0
    assert {row["parts"] for row in records} == {2}
    money = document["money"]
    assert Decimal(money["net"]) == Decimal(money["prices"]) == prices
    assert [(each["country"], each["messages"], each["parts"]) for each in money["groups"]] == [
        ("DE", 3, 6), ("US", 5, 10),
    ]  # fmt: skip


async def test_what_does_not_add_up_is_said(projects: Projects, ada: Person):
    """A lost message, a wrong counter, money that nobody was charged: never a sum made to fit."""
    project = await finished(projects, ada, all_words(2))
    await execute(
        projects, "UPDATE sending_counters SET delivered = delivered + 1 WHERE project_id = $1", project
    )
    await execute(
        projects,
        "UPDATE message_records SET price = price + 1 WHERE project_id = $1 AND status = 'sent'",
        project,
    )
    lost = await projects.db.fetchval(
        "DELETE FROM message_records WHERE id = (SELECT id FROM message_records WHERE project_id = $1"
        " AND status = 'failed' LIMIT 1) RETURNING id",
        project,
    )
    assert lost
    await again(projects, project)
    document = (await files(projects, project)).contents
    assert document["state"] == "open"
    assert {each["what"] for each in document["differences"]} == {
        "counter delivered", "counter failed", "counter total", "counter of x", "money",
        "recipients without a message",
    }  # fmt: skip


async def again(projects: Projects, project: UUID) -> None:
    """Has another reconciliation of the same end made."""
    await execute(
        projects,
        "INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at)"
        " SELECT postern_uuid7(), owner_id, id, 'finished', finished_at FROM sending_projects WHERE id = $1",
        project,
    )
    await run_round(projects.services, "wake_make")
    await projects.work()


async def test_a_further_one_when_the_reports_are_in(projects: Projects, ada: Person):
    project = await finished(projects, ada, ["sent.1@example.com", "delivered.1@example.com"])
    assert await chain(projects, project) == [(1, "finished", "balanced", False)]
    first = await files(projects, project)
    await run_round(projects.services, "settle")
    await projects.work()
    assert len(await chain(projects, project)) == 1
    await execute(
        projects,
        "UPDATE message_records SET status = 'delivered', delivered_at = now() WHERE project_id = $1",
        project,
    )
    await run_round(projects.services, "settle")
    await run_round(projects.services, "wake_make")
    await projects.work()
    assert await chain(projects, project) == [
        (1, "finished", "balanced", False), (2, "settled", "balanced", True)
    ]  # fmt: skip
    second = await files(projects, project)
    assert second.contents["counts"]["sent"]["delivered"] == 2
    hash_of_first = await projects.db.fetchval(
        "SELECT encode(hash, 'hex') FROM reconciliations WHERE project_id = $1 AND number = 1", project
    )
    assert second.contents["previous"] == hash_of_first
    assert first.contents["previous"] is None
    await run_round(projects.services, "settle")
    await projects.work()
    assert len(await chain(projects, project)) == 2


async def test_a_further_one_when_the_time_is_over(projects: Projects, ada: Person):
    project = await finished(projects, ada, ["sent.1@example.com"])
    await execute(projects, "UPDATE reconciliations SET settles_at = now() - interval '1 second'")
    await run_round(projects.services, "settle")
    await run_round(projects.services, "wake_make")
    await projects.work()
    assert await chain(projects, project) == [
        (1, "finished", "balanced", False),
        (2, "settled", "balanced", True),
    ]


async def test_nothing_is_waited_for_where_nothing_was_sent(projects: Projects, ada: Person):
    project = await finished(projects, ada, ["refused.1@example.com"])
    assert await chain(projects, project) == [(1, "finished", "balanced", True)]
    assert (
        await projects.db.fetchval("SELECT count(*) FROM reconciliations WHERE settles_at IS NOT NULL") == 0
    )


async def test_each_end_of_a_retried_project_has_its_own(projects: Projects, ada: Person):
    project = await finished(
        projects, ada, ["refused.1@example.com", "sent.1@example.com"], category="transactional"
    )
    answer = await ada.rest("POST", f"/sending-project/retry/{project}")
    assert answer.status_code == 200, answer.text
    await ended(projects, project)
    assert [row[:3] for row in await chain(projects, project)] == [
        (1, "finished", "balanced"), (2, "finished", "balanced")
    ]  # fmt: skip
    await run_round(projects.services, "settle")  # the first end is over
    await projects.work()
    waiting = await projects.db.fetchval("SELECT count(*) FROM reconciliations WHERE settles_at IS NOT NULL")
    assert waiting == 1


async def test_a_project_that_runs_again_is_counted_at_its_next_end(projects: Projects, ada: Person):
    project = await finished(projects, ada, ["sent.1@example.com"])
    await execute(projects, "DELETE FROM reconciliations")
    await execute(
        projects,
        "INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at)"
        " SELECT postern_uuid7(), owner_id, id, 'finished', finished_at FROM sending_projects",
    )
    await execute(projects, "UPDATE sending_projects SET status = 'running'")
    await run_round(projects.services, "wake_make")
    await projects.work(3)
    assert (
        await projects.db.fetchval("SELECT count(*) FROM reconciliations WHERE project_id = $1", project) == 0
    )


async def test_the_hook_is_shown_apart(projects: Projects, ada: Person):
    """A report of the owner's own hook moves the shown status, and neither the count of the way nor money."""
    project = await finished(
        projects, ada, ["sent.1@example.com", "sent.2@example.com", "sent.3@example.com"]
    )
    for number, status in ((1, "delivered"), (2, "failed")):
        await execute(
            projects,
            "UPDATE message_records SET way_status = status, status = $2, reported_by = 'hook',"
            " failure_code = CASE $2 WHEN 'failed' THEN 'rejected' END WHERE project_id = $1 AND \"to\" = $3",
            project, status, f"sent.{number}@example.com",
        )  # fmt: skip
    await again(projects, project)
    document = (await files(projects, project)).contents
    assert document["state"] == "balanced"
    assert document["counts"]["sent"]["noReport"] == 3
    assert document["counts"]["failed"]["total"] == 0
    assert document["counts"]["byHook"] == [
        {"status": "delivered", "count": 1},
        {"status": "failed", "count": 1},
    ]
    assert not document["settled"]


async def test_a_message_that_came_back_is_undelivered(projects: Projects, ada: Person):
    project = await finished(projects, ada, ["sent.1@example.com", "sent.2@example.com"])
    await execute(
        projects,
        "UPDATE message_records SET status = 'failed', failure_code = 'bounced' WHERE project_id = $1"
        " AND \"to\" = 'sent.1@example.com'",
        project,
    )
    await again(projects, project)
    counts = (await files(projects, project)).contents["counts"]
    assert (counts["sent"]["undelivered"], counts["sent"]["noReport"], counts["failed"]["total"]) == (1, 1, 0)
    assert counts["sent"]["undeliveredCauses"] == [{"cause": "bounced", "count": 1}]


async def test_two_owners_have_other_hashes(projects: Projects, ada: Person, people: People):
    bob = await people.make(credit="100")
    hashes = []
    for person in (ada, bob):
        project = await finished(projects, person, ["sent.1@example.com"])
        hashes.append((await files(projects, project)).people[0]["person"])
    assert hashes[0] != hashes[1]


@pytest.mark.settings(record_retention_days=30)
async def test_the_retention_leaves_hashes_and_the_document(projects: Projects, ada: Person):
    project = await finished(projects, ada, all_words(1))
    await execute(projects, "UPDATE sending_projects SET finished_at = now() - interval '31 days'")
    await execute(projects, "UPDATE reconciliations SET project_finished_at = now() - interval '31 days'")
    await run_round(projects.services, "retire_projects")
    assert await projects.records(project) == []
    row = await projects.db.fetchrow("SELECT body, salts, length(hashes) AS bytes FROM reconciliation_chunks")
    assert (row["body"], row["salts"], row["bytes"]) == (None, None, 4 * 32)
    answer = await ada.rest("GET", f"/sending-project/{project}/reconciliation/lines")
    assert Counter(line.split(b":")[0] for line in answer.content.splitlines()) == {b'{"leaf"': 4}
    for address in (all_words(1)[0], "never@example.com"):  # of neither can anybody tell
        path = f"/sending-project/{project}/reconciliation/proof?address={address}"
        gone = await ada.rest("GET", path)
        assert (gone.status_code, gone.json()["code"]) == (410, "lines_deleted")
