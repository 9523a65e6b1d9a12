"""Money, days and accounts when answers of the database are lost, tariffs change and files go."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from channels.port import Outcome, Outgoing, Result
from core.ids import uuid7
from engine.blocks import block
from engine.inbound import replies
from engine.projects import batch_money, batches, project_moves, scheduler
from engine.projects.cycle import runner_of
from engine.sending import concurrency
from shapes.blocks import BlockReason
from tests.sending_projects.engine.stuck import (
    PRICE,
    accounted,
    addresses,
    assert_finished,
    expire,
    forget,
    has_nothing_in_flight,
    move,
    rounds,
    run_cycle,
)
from tests.sending_projects.engine.test_claims import Hand, started
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects

WORDS = ("sent", "delivered", "refused", "unknown", "transient", "throttled")


def by_name(message: Outgoing) -> Outcome:
    """`sent.3@example.com` is sent, and so on; what is throttled comes back when a test says so."""
    word = Result(message.to.partition(".")[0])
    id = str(message.id) if word is Result.sent else f"n{message.id}"
    return Outcome(word, id, code="x", retry_after=600)


def all_words(each: int) -> list[str]:
    return [f"{word}.{n}@example.com" for word in WORDS[:5] for n in range(each)]


def lose_an_answer(monkeypatch, name: str) -> list[str]:
    """The first COMMIT of this function is done, and nobody is told so."""
    module = batch_money if name == "reserve" else batches
    real, lost = getattr(module, name), []

    async def losing(*arguments):
        answer = await real(*arguments)
        if not lost:
            lost.append(name)
            raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")
        return answer

    monkeypatch.setattr(module, name, losing)
    return lost


async def test_a_mark_is_paid_for_once(projects: Projects, ada: Person):
    project = await started(projects, ada, 10)
    hand = await Hand(projects, project).take()
    await hand.hold(ada.account_id)
    assert await hand.mark(4) == await hand.mark(4)
    assert await projects.db.fetchval("SELECT held FROM sending_units") == 6 * PRICE
    await hand.mark(10)
    assert await projects.db.fetchval("SELECT held FROM sending_units") == 0
    await accounted(projects, project)


@pytest.mark.parametrize(
    "name", ["reserve", "record_intents", "record", "record_sent", "record_all_sent", "store_unsent", "close"]
)
async def test_whatever_commit_is_lost_nothing_is_paid_twice(
    projects: Projects, ada: Person, monkeypatch, name: str
):
    use(projects.services, fake := Fake(by_name))
    # This route answers at once, and would have all intents of the batch recorded together.
    monkeypatch.setattr(concurrency, "MOST_AHEAD", 0)
    lost = lose_an_answer(monkeypatch, name)
    recipients: list[str | dict[str, Any]] = [*all_words(6)]
    if name == "record_all_sent":
        recipients = [f"sent.{n}@example.com" for n in range(10)]
    project = await projects.make(
        ada,
        [*({"address": address, "name": "n"} for address in recipients), "sent.nameless@example.com"],
        on_missing_variable="skip",
        retry={"maxAttempts": 2, "backoffSeconds": 60},
    )
    await projects.step()
    (broken,) = await asyncio.gather(run_cycle(projects, project), return_exceptions=True)
    assert broken is None or name == "reserve"  # before which nothing is in anybody's hands
    if broken is not None:
        await expire(projects)  # another task of the cycle may have claimed the batch when it was cancelled
    await rounds(projects)
    assert lost
    expected = (
        {"sent": 6, "delivered": 6, "unknown": 6, "failed": 12, "skipped": 1}
        if name != "record_all_sent"
        else {"sent": 10, "skipped": 1}
    )
    assert await projects.states(project) == expected
    keys = [message.key for message in fake.took]
    assert len(set(keys)) == len(keys)
    assert has_nothing_in_flight(projects, fake)
    await assert_finished(projects, project)


async def test_a_lost_commit_of_a_free_unit(projects: Projects, ada: Person, monkeypatch):
    await projects.db.fetchval("""UPDATE tariffs SET prices = '{"USD": {"email": 0}}'""")
    use(projects.services, fake := Fake(batch=100))
    lost = lose_an_answer(monkeypatch, "record_all_intents")
    project = await started(projects, ada, 10)
    await run_cycle(projects, project)
    assert lost
    assert await projects.states(project) == {"sent": 10}
    assert len(fake.took) == 10
    await assert_finished(projects, project)


async def test_all_of_a_unit_are_no_more_than_those_that_were_sent(projects: Projects, ada: Person):
    """A message that has an intent, without anybody knowing of it, was never handed over."""
    project = await started(projects, ada, 5)
    hand = await Hand(projects, project).take()
    await hand.hold(ada.account_id)
    await hand.mark(3)
    async with projects.db.reading() as db:
        await batches.record_all_sent(db, hand.unit, hand.claim, [row["id"] for row in hand.rows[:2]])
    assert await projects.states(project) == {"sent": 2, "sending": 1, "queued": 2}


async def test_who_pays_stays_once_it_was_started(projects: Projects, ada: Person):
    other = uuid7()
    await projects.db.fetchval(
        "INSERT INTO accounts (id, owner_id, name, currency) VALUES ($1, $2, 'other', 'USD')", other, ada.id
    )
    use(projects.services, Fake())
    project = await started(projects, ada, 3)
    await move(projects, project, project_moves.stop)
    path, graph = (
        f"/sending-project/{project}",
        (
            "mutation($id: ID!, $account: UUID) { updateSendingProject(id: $id, "
            "input: {accountId: $account}) { uuid } }"
        ),
    )
    # As it is after a start through the door.
    await projects.db.fetchval("UPDATE sending_projects SET started_at = now() WHERE id = $1", project)
    answer = await ada.rest("PATCH", path, json={"accountId": str(other)})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    assert await ada.code(graph, {"id": str(project), "account": str(other)}) == "not_editable"
    same = await ada.rest("PATCH", path, json={"accountId": str(ada.account_id)})
    assert same.status_code == 200
    await projects.db.fetchval("UPDATE sending_projects SET started_at = NULL WHERE id = $1", project)
    assert (await ada.rest("PATCH", path, json={"accountId": str(other)})).json()["accountId"] == str(other)


async def test_an_account_that_is_another_s_now_pays_no_more(
    projects: Projects, ada: Person, bob: Person, admin: Person
):
    use(projects.services, fake := Fake())
    project = await started(projects, ada, 5)
    answer = await admin.rest("PATCH", f"/accounts/{ada.account_id}", json={"ownerId": str(bob.id)})
    assert answer.status_code == 200
    await run_cycle(projects, project)
    assert not fake.took
    assert (await projects.row(project))["status"] == "paused"
    assert not await projects.db.fetch("SELECT FROM ledger_entries WHERE kind = 'charge'")


@pytest.mark.parametrize(
    "tariff",
    ["channels = '{push}'", """prices = '{"USD": {"push": 0}}'""", """prices = '{"EUR": {"email": 0}}'"""],
)
async def test_a_tariff_that_has_it_no_more_pauses_it(projects: Projects, ada: Person, tariff: str):
    use(projects.services, fake := Fake())
    project = await started(projects, ada, 5)
    before = await projects.db.fetchrow("SELECT channels, prices FROM tariffs")
    await projects.db.fetchval(f"UPDATE tariffs SET {tariff}")

    async def look() -> tuple[str, str | None]:
        await projects.hurry()
        await scheduler.resume_paused(projects.services)
        await run_cycle(projects, project)
        await projects.work()
        row = await projects.row(project)
        return row["status"], row["status_reason"]

    assert await look() == ("paused", "tariff_used_up")
    assert await look() == ("paused", "tariff_used_up")
    assert not fake.took
    assert not await projects.db.fetch("SELECT FROM ledger_entries WHERE kind = 'charge'")
    await projects.db.fetchval("UPDATE tariffs SET channels = $1, prices = $2", *before)
    assert await look() == ("finished", None)
    assert await projects.states(project) == {"sent": 5}
    await assert_finished(projects, project)


async def test_the_tariff_s_day_counts_what_the_provider_did(projects: Projects, ada: Person):
    throttled: set[UUID] = set()

    def answer(message: Outgoing) -> Outcome:
        result = by_name(message)
        if result.result is Result.throttled and message.id in throttled:
            return Outcome(Result.sent)
        throttled.add(message.id)
        return result

    use(projects.services, Fake(answer))
    project = await projects.make(
        ada,
        [f"{word}.{n}@example.com" for word in WORDS for n in range(3)],
        retry={"maxAttempts": 2, "backoffSeconds": 60},
    )
    await projects.step()
    await run_cycle(projects, project)
    used = "SELECT sum(messages) FROM tariff_usage"
    assert await projects.db.fetchval(used) == 12  # sent, delivered, refused, unknown
    forget(projects)
    await rounds(projects)
    assert await projects.states(project) == {"sent": 6, "delivered": 3, "failed": 6, "unknown": 3}
    assert await projects.db.fetchval(used) == 15
    await assert_finished(projects, project)


async def file(projects: Projects, person: Person) -> UUID:
    """A file whose bytes are gone."""
    made = uuid7()
    await projects.db.fetchval(
        "INSERT INTO files (id, owner_id, name, original_name, mime, size, sha256)"
        " VALUES ($1, $2, 'a', 'a', 'text/plain', 1, '\\x00')",
        made, person.id,
    )  # fmt: skip
    return made


@pytest.mark.parametrize(
    "row_too",
    [
        False,
        pytest.param(True),
    ],
)
async def test_a_file_that_is_gone_costs_nothing(projects: Projects, ada: Person, row_too: bool):
    """Only its bytes are gone, or its row too, as after DELETE /files: nobody gets a letter without what it speaks
    of.
    """
    use(projects.services, fake := Fake())
    attached = await file(projects, ada)
    project = await projects.make(ada, addresses(5), attachment_uuids=[attached])
    if row_too:
        await projects.db.fetchval("DELETE FROM files WHERE id = $1", attached)
    await projects.work()
    assert {(row["status"], row["failure_code"]) for row in await projects.records(project)} == {
        ("failed", "attachment_missing")
    }
    assert not fake.took
    assert not await projects.db.fetch("SELECT FROM ledger_entries WHERE kind = 'charge'")
    assert not await projects.db.fetchval("SELECT sum(messages) FROM tariff_usage")
    await assert_finished(projects, project)


async def asked_for_again(projects: Projects, ada: Person, **fields: Any) -> UUID:
    """A project whose five messages are queued once more, without anybody knowing whether they have arrived."""
    use(projects.services, fake := Fake(lambda message: Result.unknown))
    project = await projects.make(ada, addresses(5), **fields)
    await projects.work()
    assert len(fake.took) == 5
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.retry(db, project, True)
    await projects.step()
    assert await projects.states(project) == {"queued": 5}
    fake.took.clear()
    use(projects.services, Fake(lambda message: pytest.fail("nobody may hand it over")))
    return project


async def blocked(projects: Projects, ada: Person, project: UUID) -> None:
    async with projects.db.reading() as db:
        for address in addresses(5):
            await block(db, ada.id, address, BlockReason.manual)


async def deleted(projects: Projects, ada: Person, project: UUID) -> None:
    await move(projects, project, project_moves.stop, project_moves.delete)


async def opted_out(projects: Projects, ada: Person, project: UUID) -> None:
    for address in addresses(5):
        async with projects.db.reading() as db, db.transaction():
            await replies.receive(db, ada.id, replies.Reply([address], "STOP", "email"), ["stop"])


async def answered(projects: Projects, ada: Person, project: UUID) -> None:
    await projects.db.fetchval("UPDATE sending_projects SET stop_on_reply = true")
    for address in addresses(5):
        async with projects.db.reading() as db, db.transaction():
            await replies.receive(db, ada.id, replies.Reply([address], "Thanks!", "email"), ["stop"])


async def file_lost(projects: Projects, ada: Person, project: UUID) -> None:
    attached = await file(projects, ada)
    await projects.db.fetchval(
        "UPDATE project_contents SET content = content || jsonb_build_object('attachment_uuids', ARRAY[$1::text])",
        str(attached),
    )
    runner_of(projects.services).content_cache._cache.clear()


@pytest.mark.parametrize(
    "end",
    [
        blocked,
        deleted,
        opted_out,
        answered,
        pytest.param(file_lost),
    ],
)
async def test_what_may_have_arrived_stays_unknown_and_paid(
    projects: Projects, ada: Person, end: Callable[[Projects, Person, UUID], Awaitable[None]]
):
    project = await asked_for_again(projects, ada)
    await end(projects, ada, project)
    await rounds(projects)
    records = [row for row in await projects.records(project) if row["direction"] == "outbound"]
    assert {(row["status"], row["price"]) for row in records} == {("unknown", PRICE)}
    assert not await projects.db.fetch("SELECT FROM sending_units")
    row = await projects.row(project)
    assert row["status"] == ("deleted" if end is deleted else "finished")
    assert row["preparation"] is None
    await accounted(projects, project)


async def test_each_has_the_template_of_its_own_content(projects: Projects, ada: Person):
    """A repeated message has the template that it had; another one of its batch has the project's current one."""
    first, second = "+14155550100", "+14155550101"
    use(
        projects.services,
        Fake(lambda message: Result.unknown if message.to == first else Result.refused),
        kind="whatsapp",
    )
    template = {"name": "old", "language": "en", "params": []}
    project = await projects.make(ada, [first, second], channel="whatsapp", template=template)
    await projects.work()
    assert await projects.states(project) == {"unknown": 1, "failed": 1}
    await projects.db.fetchval(
        'UPDATE sending_projects SET template = template || \'{"name": "new"}\' WHERE id = $1', project
    )
    use(projects.services, fake := Fake(), kind="whatsapp")
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.retry(db, project, True)
    await rounds(projects)
    assert {message.to: message.metadata["template"]["name"] for message in fake.took} == {
        first: "old",
        second: "new",
    }


async def test_a_missing_file_fails_only_those_who_should_have_it(projects: Projects, ada: Person):
    first, second = "first@example.com", "second@example.com"
    use(
        projects.services,
        Fake(lambda message: Result.unknown if message.to == first else Result.refused),
    )
    project = await projects.make(ada, [first, second])
    await projects.work()
    await projects.db.fetchval("UPDATE sending_projects SET text = 'new' WHERE id = $1", project)
    await file_lost(projects, ada, project)
    use(projects.services, fake := Fake())
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.retry(db, project, True)
    await rounds(projects)
    assert [message.to for message in fake.took] == [second]
    assert await projects.states(project) == {"unknown": 1, "sent": 1}
    await assert_finished(projects, project)
