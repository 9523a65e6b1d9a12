"""Nothing stays in anybody's hands for ever: visits that are cut off, odd answers, routes that go, stops, deletions."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from channels.port import Outcome, Outgoing, Result
from core.ids import uuid7
from engine.jobs import JOBS
from engine.projects import batches, jobs, project_moves, scheduler
from engine.projects.items import RecordState
from tests.sending_projects.engine.stuck import (
    PRICE,
    accounted,
    are,
    assert_finished,
    expire,
    has_nothing_in_flight,
    move,
    rounds,
    run_cycle,
    waiting,
)
from tests.sending_projects.engine.test_claims import Hand, started
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until


@pytest.fixture
def claims(monkeypatch) -> list[UUID]:
    """Collects the projects for which a batch was asked for."""
    made, claim = [], batches.claim

    async def counted(db, project, *rest):
        made.append(project)
        return await claim(db, project, *rest)

    monkeypatch.setattr(batches, "claim", counted)
    return made


async def cut_off(projects: Projects, ada: Person) -> tuple[UUID, Fake]:
    """Cancels a cycle of thirty messages when ten are on their way. Returns the project and the provider."""
    use(projects.services, fake := Fake(hangs=True))
    project = await started(projects, ada, 30)
    cut = asyncio.create_task(run_cycle(projects, project))
    await until(lambda: len(fake.took) == 10)
    cut.cancel()
    await asyncio.gather(cut, return_exceptions=True)
    # What was not dispatched is withdrawn.
    await until(lambda: are(projects, project, {"sending": 10, "queued": 20}))
    return project, fake


async def test_a_cycle_that_is_cut_off_keeps_what_the_provider_has(projects: Projects, ada: Person):
    project, fake = await cut_off(projects, ada)
    (unit,) = await projects.db.fetch("SELECT claim_id, held FROM sending_units")
    assert unit["claim_id"] is not None  # so nobody has it before the claim has expired
    assert unit["held"] in (
        0,
        5 * PRICE,
    )  # of what was withdrawn after the claim had ended; the take-over returns it
    await accounted(projects, project)
    use(projects.services, Fake())
    await projects.work()
    assert await projects.states(project) == {"sending": 10, "queued": 20}
    await expire(projects)
    await projects.work()
    assert await projects.states(project) == {"unknown": 10, "sent": 20}
    await assert_finished(projects, project)
    fake.gate.set()


_WITHDRAWN_LATE = """
WITH withdrawn AS (
  UPDATE message_records SET status = 'queued', handed_at = NULL, price = 0
  WHERE id = (SELECT id FROM message_records WHERE status = 'sending' LIMIT 1)
)
UPDATE sending_units SET held = held + $1
"""


async def test_what_is_withdrawn_after_the_end_of_the_claim_is_refunded_too(projects: Projects, ada: Person):
    """The end of the claim has refunded it once already."""
    project, fake = await cut_off(projects, ada)
    assert await projects.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'refund'") == 1
    await projects.db.fetch(_WITHDRAWN_LATE, PRICE)
    await accounted(projects, project)
    use(projects.services, Fake())
    await expire(projects)
    await projects.work()
    assert await projects.states(project) == {"unknown": 9, "sent": 21}
    await assert_finished(projects, project)
    fake.gate.set()


@pytest.mark.parametrize(
    ("id", "state", "remaining"),
    [
        ("a\x00b", "sent", "ab"),
        ("\ud800x", "sent", "?x"),
        ("".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(9000)), "unknown", None),  # no index holds it
    ],
    ids=["nul", "surrogate", "endless"],
)
async def test_an_id_that_can_t_be_written_holds_nobody_up(
    projects: Projects, ada: Person, id: str, state: str, remaining: str | None
):
    def odd(message: Outgoing) -> Outcome:
        return Outcome(Result.sent, id if message.to == "u3@example.com" else f"n{message.id}")

    use(projects.services, Fake(odd))
    project = await started(projects, ada, 30)
    await run_cycle(projects, project)
    rows = {row["to"]: row for row in await projects.records(project)}
    strange = rows.pop("u3@example.com")
    assert {row["status"] for row in rows.values()} == {"sent"}
    assert (strange["status"], strange["provider_message_id"]) == (state, remaining)
    await assert_finished(projects, project)


async def test_a_word_that_can_t_be_written_holds_nobody_up(projects: Projects, ada: Person):
    outcome = Outcome(Result.refused, code="\x00\udfff", reason="\x00" * 10 + "no")
    use(projects.services, Fake(lambda message: outcome))
    project = await started(projects, ada, 10)
    await run_cycle(projects, project)
    assert {row["failure_reason"] for row in await projects.records(project)} == {"no"}
    assert await projects.states(project) == {"failed": 10}
    await assert_finished(projects, project)


async def test_without_a_route_it_pauses_and_touches_nothing(
    projects: Projects, ada: Person, claims: list[UUID]
):
    use(projects.services)
    project = await started(projects, ada, 5)
    await scheduler.wake_projects(projects.services)
    await run_cycle(projects, project)
    assert await projects.work() < 10
    row = await projects.row(project)
    assert (row["status"], row["status_reason"]) == ("paused", "provider_refuses_credentials")
    assert await projects.states(project) == {"queued": 5}
    assert not claims
    assert not await projects.db.fetch("SELECT FROM ledger_entries WHERE kind = 'charge'")
    use(projects.services, Fake())
    await projects.hurry()
    await scheduler.resume_paused(projects.services)
    await projects.work()
    assert await projects.states(project) == {"sent": 5}
    await assert_finished(projects, project)


async def test_whose_route_is_gone_stays_unknown(projects: Projects, ada: Person, claims: list[UUID]):
    use(projects.services, Fake(lambda message: Result.unknown))
    project = await started(projects, ada, 5)
    await run_cycle(projects, project)
    await assert_finished(projects, project)
    use(projects.services, other := Fake(), label="other")
    claims.clear()
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.retry(db, project, True)
    await projects.work()
    records = await projects.records(project)
    assert {(row["status"], row["failure_code"], row["price"]) for row in records} == {
        ("unknown", "route_gone", PRICE)
    }
    assert not other.took
    assert len(claims) < 10
    await assert_finished(projects, project)


async def test_a_late_refusal_of_a_finished_project_is_sent_by_another_route(projects: Projects, ada: Person):
    use(projects.services, slow := Fake(lambda message: Result.throttled, hangs=True), Fake())
    project = await started(projects, ada, 5)
    late = asyncio.create_task(run_cycle(projects, project))
    await until(lambda: len(slow.took) == 5)
    await expire(projects)
    await projects.work()  # which wakes the visit that hangs
    left = "SELECT count(*) = 0 FROM sending_units"
    await until(lambda: projects.db.fetchval(left))
    assert await projects.states(project) == {"unknown": 5}
    await scheduler.wake_projects(projects.services)
    await assert_finished(projects, project)
    slow.gate.set()
    await late
    await rounds(projects)
    assert await projects.states(project) == {"sent": 5}
    assert {row["price"] for row in await projects.records(project)} == {PRICE}
    await assert_finished(projects, project)


async def test_a_deletion_while_hand_overs_are_under_way(projects: Projects, ada: Person):
    use(projects.services, fake := Fake(lambda message: Result.transient, hangs=True))
    project = await started(projects, ada, 30)
    working = asyncio.create_task(run_cycle(projects, project))
    await until(lambda: len(fake.took) == 10)
    await move(projects, project, project_moves.stop, project_moves.delete)
    await projects.work()
    assert (await projects.row(project))["preparation"] == "cancel"  # not before all is known
    fake.gate.set()
    await working
    await rounds(projects)
    assert await projects.states(project) == {"canceled": 30}
    assert (await projects.row(project))["preparation"] is None
    assert not await projects.db.fetch("SELECT FROM sending_units")
    await accounted(projects, project)


async def test_a_deletion_leaves_no_message_without_its_unit(projects: Projects, ada: Person):
    """One message is put off and canceled; the next is just coming to the same unit, which looks empty till then."""
    project = await started(projects, ada, 2)
    hand = await Hand(projects, project).take()
    await hand.hold(ada.account_id)
    await hand.mark(2)
    shared, facts, in_a_minute = uuid7(), await projects.row(project), timedelta(minutes=1)

    async def put_off(db: Any, row: Any) -> None:
        verdict = RecordState(row["id"], "queued", 1, 1, Decimal(0), shared, code="busy")
        await batches.record(
            db, hand.unit, hand.claim, facts, [verdict], {shared: in_a_minute}, lambda ids: PRICE * len(ids)
        )

    async with projects.db.reading() as db:
        await put_off(db, hand.rows[0])
        await move(projects, project, project_moves.stop, project_moves.delete)
        coming = db.transaction()
        await coming.start()
        await put_off(db, hand.rows[1])
        await JOBS["projects.prepare"].work(projects.services, project)
        await coming.commit()
    await hand.close(ada.account_id)
    await rounds(projects)
    assert await projects.states(project) == {"canceled": 2}
    assert (await projects.row(project))["preparation"] is None
    await accounted(projects, project)


async def test_a_stop_ends_the_visit_that_is_under_way(projects: Projects, ada: Person, claims: list[UUID]):
    use(projects.services, fake := Fake(hangs=True))
    project = await started(projects, ada, 1200)
    working = asyncio.create_task(run_cycle(projects, project))
    await until(lambda: len(fake.took) == 10)
    await move(projects, project, project_moves.stop)
    fake.gate.set()
    await working
    taken = len(claims)
    assert taken <= 2
    assert len(fake.took) == 15  # five had their intents recorded ahead
    assert await projects.states(project) == {"sent": 15, "queued": 1185}
    assert not await projects.db.fetch("SELECT FROM sending_units WHERE claim_id IS NOT NULL")
    assert await projects.work() < 10  # what lies in the line finds nothing to do
    assert len(claims) == taken
    await accounted(projects, project)


async def test_no_mark_comes_after_a_stop(projects: Projects, ada: Person):
    """This includes an intent that began before the stop, and has had to wait for a row."""
    project = await started(projects, ada, 3)
    hand = await Hand(projects, project).take()
    await hand.hold(ada.account_id)

    async def stop() -> int:
        await move(projects, project, project_moves.stop)
        return (await projects.states(project))["sending"]

    async with projects.db.reading() as db:
        holding = db.transaction()
        await holding.start()
        await db.execute("SELECT FROM message_records WHERE id = $1 FOR UPDATE", hand.rows[0]["id"])
        marking = asyncio.create_task(hand.mark(3))
        await until(lambda: waiting(projects, 1))
        stopping = asyncio.create_task(stop())
        await until(lambda: waiting(projects, 2))
        await holding.rollback()
    assert len(await marking) == 3
    assert await stopping == 3  # they were marked when it committed
    other = await started(projects, ada, 3)
    hand = await Hand(projects, other).take()
    await move(projects, other, project_moves.stop)
    assert await hand.mark(3) == set()
    assert await projects.states(other) == {"queued": 3}


async def test_who_waited_through_a_stop_and_a_start_says_what_it_says_now(projects: Projects, ada: Person):
    use(projects.services, fake := Fake(hangs=True, batch=1))
    project = await started(projects, ada, 2)
    working = asyncio.create_task(run_cycle(projects, project))
    await until(lambda: len(fake.took) == 1)
    await move(projects, project, project_moves.stop)
    await projects.db.fetchval("UPDATE sending_projects SET text = 'new' WHERE id = $1", project)
    await move(projects, project, project_moves.begin)
    fake.gate.set()
    await working
    await rounds(projects)
    assert [message.body for message in fake.took] == ["Hello !", "new"]


@pytest.mark.parametrize("error", [ConnectionError("gone"), RuntimeError("a bug")])
async def test_slots_are_given_back_whatever_a_mark_says(
    projects: Projects, ada: Person, monkeypatch, error: Exception
):
    use(projects.services, fake := Fake())
    project = await started(projects, ada, 30)
    mark, failed = batches.record_intents, []

    async def once(*arguments):
        if not failed:
            failed.append(True)
            raise error
        return await mark(*arguments)

    monkeypatch.setattr(batches, "record_intents", once)
    await asyncio.gather(run_cycle(projects, project), return_exceptions=True)
    assert has_nothing_in_flight(projects, fake)
    await rounds(projects)
    assert await projects.states(project) == {"sent": 30}
    await assert_finished(projects, project)


async def test_two_who_put_off_to_the_same_units_never_wait_for_each_other(
    projects: Projects, ada: Person, monkeypatch
):
    """Each has come to its first unit before any goes on; unless one waits there for the other, as it should."""
    project = await started(projects, ada, 600)
    facts, soon, late = await projects.row(project), uuid7(), uuid7()
    hands = [await Hand(projects, project).take() for _ in range(2)]
    for hand in hands:
        await hand.hold(ada.account_id)
        await hand.mark(2)
    visit_later, at_first = jobs.enqueue_cycle, []

    async def together(db, *arguments) -> None:
        at_first.append(db)
        await until(lambda: len(at_first) >= 2 or waiting(projects, 1))
        await visit_later(db, *arguments)

    monkeypatch.setattr(jobs, "enqueue_cycle", together)

    async def put_off(hand: Hand, *to: UUID) -> None:
        verdicts = [
            RecordState(row["id"], "queued", 1, 1, Decimal(0), unit, code="busy")
            for row, unit in zip(hand.rows[:2], to, strict=True)
        ]
        later = dict.fromkeys(to, timedelta(minutes=1))
        async with projects.db.reading() as db, db.transaction():
            await batches.record(
                db, hand.unit, hand.claim, facts, verdicts, later, lambda ids: PRICE * len(ids)
            )

    await asyncio.gather(put_off(hands[0], soon, late), put_off(hands[1], late, soon))
    assert (await projects.states(project))["queued"] == 600
