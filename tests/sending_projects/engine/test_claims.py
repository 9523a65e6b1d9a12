"""Units whose worker is gone or frozen, and the money that they held."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from channels.sandbox import box
from core.ids import uuid7
from engine.projects import batch_money, batches, project_moves, scheduler
from engine.projects.items import Item, RecordState
from engine.texts.project_texts import Rendered
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.rounds import run_round
from tests.support.waits import WAITING, until

LEASE = timedelta(seconds=60)
PRICE = Decimal("0.001")


def item(row: Any, price: Decimal) -> Item:
    """A message that nobody has handed over yet."""
    return Item(
        row["id"],
        row,
        1,
        None,
        Rendered(None, "", None),
        price,
        paid=Decimal(0),
        attempts=0,
        tries=0,
        uncertain=False,
    )


class Hand:
    """A worker of our own, who does one step at a time."""

    def __init__(self, projects: Projects, project: UUID) -> None:
        self.projects, self.project = projects, project
        self.claim = uuid7()
        self.unit: UUID | None = None
        self.rows: list[Any] = []

    async def take(self) -> "Hand":
        async with self.projects.db.reading() as db:
            self.unit = await batches.claim(db, self.project, self.claim, "me", LEASE)
            assert self.unit
            self.rows = await batches.messages(db, self.unit, 500, "promotional", None)
        return self

    async def hold(self, account: UUID) -> bool:
        assert self.unit
        async with self.projects.db.reading() as db:
            return await batch_money.reserve(
                db, account, self.project, self.unit, self.claim, PRICE * len(self.rows)
            )

    async def mark(self, count: int) -> set[UUID]:
        assert self.unit
        rows = [item(row, PRICE) for row in self.rows[:count]]
        async with self.projects.db.reading() as db, db.transaction():
            return await batches.record_intents(
                db, self.unit, self.claim, await self.projects.row(self.project), "smtp", rows
            )

    async def say(self, id: UUID, status: str) -> None:
        assert self.unit
        price = PRICE if status != "failed" else Decimal(0)
        row = RecordState(id, status, 0, 0, price, code="x" if status == "failed" else None)
        facts = await self.projects.row(self.project)
        async with self.projects.db.reading() as db, db.transaction():
            await batches.record(
                db, self.unit, self.claim, facts, [row], {}, lambda ids: (PRICE - price) * len(ids)
            )

    async def close(self, account: UUID) -> bool:
        assert self.unit
        async with self.projects.db.reading() as db:
            return await batches.close(db, self.unit, self.claim, account, self.project, timedelta())

    async def die(self) -> None:
        await self.projects.db.fetchval(
            "UPDATE sending_units SET expires_at = now() - interval '1 second' WHERE claim_id = $1",
            self.claim,
        )
        await scheduler.recover_batches(self.projects.services)


async def started(projects: Projects, ada: Person, count: int = 10) -> UUID:
    await projects.db.fetchval("DELETE FROM pgqueuer")
    project = await projects.make(ada, [f"u{n}@example.com" for n in range(count)])
    await projects.step()
    await projects.db.fetchval("DELETE FROM pgqueuer")
    return project


async def balance(projects: Projects) -> Decimal:
    return await projects.db.fetchval("SELECT sum(balance) FROM accounts")


async def test_a_dead_worker_s_unit_goes_back_and_so_does_the_money(projects: Projects, ada: Person):
    project = await started(projects, ada)
    hand = await Hand(projects, project).take()
    assert await hand.hold(ada.account_id)
    assert len(await hand.mark(3)) == 3
    await hand.say(hand.rows[0]["id"], "sent")
    assert await balance(projects) == 100 - 10 * PRICE
    await hand.die()
    assert await projects.states(project) == {"sent": 1, "unknown": 2, "queued": 7}
    assert await balance(projects) == 100 - 3 * PRICE
    await projects.work()
    assert await projects.states(project) == {"sent": 8, "unknown": 2}
    assert (await projects.row(project))["status"] == "finished"
    assert await balance(projects) == 100 - 10 * PRICE
    await projects.sound(project)


async def test_whoever_lost_his_unit_writes_nothing_but_what_he_alone_knows(projects: Projects, ada: Person):
    project = await started(projects, ada)
    hand = await Hand(projects, project).take()
    await hand.hold(ada.account_id)
    first, second, third = [row["id"] for row in hand.rows[:3]]
    assert await hand.mark(2) == {first, second}
    await hand.die()
    assert await hand.mark(5) == set()  # the first worker hands nothing more over
    assert not await hand.close(ada.account_id)
    await hand.say(third, "sent")  # it has recorded no intent for it, so its word never counts
    await hand.say(first, "sent")
    await hand.say(second, "failed")  # and that one is paid back, though its reserved money is gone
    states = {row["id"]: row["status"] for row in await projects.records(project)}
    assert (states[first], states[second], states[third]) == ("sent", "failed", "queued")
    assert await balance(projects) == 100 - PRICE
    await projects.sound(project)


async def test_a_mark_and_a_take_over_never_pass_each_other(projects: Projects, ada: Person):
    """Whichever comes first, no message stays `sending` under a claim that is gone."""
    for _ in range(20):
        project = await started(projects, ada, 5)
        hand = await Hand(projects, project).take()
        await hand.hold(ada.account_id)
        await projects.db.fetchval(
            "UPDATE sending_units SET expires_at = now() + interval '3 milliseconds' WHERE claim_id = $1",
            hand.claim,
        )
        await asyncio.gather(hand.mark(5), asyncio.sleep(0.003))
        await scheduler.recover_batches(projects.services)
        await asyncio.sleep(0.01)
        await scheduler.recover_batches(projects.services)
        assert set(await projects.states(project)) <= {"queued", "unknown"}


async def test_two_never_have_one_unit(projects: Projects, ada: Person):
    project = await started(projects, ada, 600)

    async def take() -> UUID | None:
        async with projects.db.reading() as db:
            return await batches.claim(db, project, uuid7(), "w", LEASE)

    taken = await asyncio.gather(*(take() for _ in range(8)))
    assert len([claim for claim in taken if claim]) == 2
    assert len({claim for claim in taken if claim}) == 2


async def test_what_is_asked_for_again_says_what_it_said(projects: Projects, ada: Person):
    """An uncertain hand-over is repeated under its old key, with its old text, although that has changed since."""
    box().outbox.clear()
    project = await started(projects, ada, 1)
    hand = await Hand(projects, project).take()
    async with projects.db.reading() as db:
        rows = [item(hand.rows[0], Decimal(0))]
        assert await batches.record_intents(
            db, hand.unit, hand.claim, await projects.row(project), "sandbox", rows
        )
    await hand.die()  # the sandbox drops what it has, so this one is queued again
    assert await projects.states(project) == {"queued": 1}
    await projects.db.fetchval(
        "INSERT INTO project_contents (project_id, number, content)"
        ' VALUES ($1, 2, \'{"text": "new", "subject": "s"}\')',
        project,
    )
    await projects.db.fetchval("UPDATE sending_projects SET content = 2 WHERE id = $1", project)
    await projects.work()
    (accepted,) = box().outbox
    assert accepted.message.body == "Hello !"
    assert accepted.message.key == f"{hand.rows[0]['id']}.0"


async def test_a_retry_sends_the_failed_ones_under_a_new_key_and_nobody_else(projects: Projects, ada: Person):
    from engine.projects import project_moves

    box().outbox.clear()
    project = await projects.make(ada, ["a@example.com", "failed@sandbox.postern.test", "b@example.com"])
    await projects.work()
    assert await projects.states(project) == {"sent": 2, "failed": 1}
    await projects.db.fetchval(
        "UPDATE recipients SET address = 'fine@example.com' WHERE address LIKE 'failed%'"
    )
    await projects.db.fetchval(
        "UPDATE message_records SET \"to\" = 'fine@example.com' WHERE \"to\" LIKE 'failed%'"
    )
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.retry(db, project, False)
    await projects.work()
    assert await projects.states(project) == {"sent": 3}
    assert [accepted.message.to for accepted in box().outbox] == [
        "a@example.com",
        "b@example.com",
        "fine@example.com",
    ]
    assert box().outbox[-1].message.key.endswith(".1")
    assert (await projects.row(project))["status"] == "finished"
    await projects.sound(project)


async def test_forgotten_projects_are_found_again(projects: Projects, ada: Person):
    project = await projects.make(ada, [f"u{n}@example.com" for n in range(700)])
    await projects.db.fetchval("DELETE FROM pgqueuer")
    await run_round(projects.services, "wake_prepare")
    await projects.step()
    await projects.db.fetchval("DELETE FROM pgqueuer")
    await projects.db.fetchval("UPDATE sending_units SET due_at = now() - interval '10 seconds'")
    await scheduler.wake_projects(projects.services)
    await projects.work()
    assert await projects.states(project) == {"sent": 700}
    # And one whose last unit is gone, while nobody noticed.
    await projects.db.fetchval("UPDATE sending_projects SET status = 'running' WHERE id = $1", project)
    await scheduler.wake_projects(projects.services)
    assert (await projects.row(project))["status"] == "finished"


async def test_marks_without_a_gap_hold_up_no_freeze_and_a_stop_waits_for_them(
    projects: Projects, ada: Person
):
    project = await started(projects, ada)
    hand = await Hand(projects, project).take()
    row = await projects.row(project)
    done: list[str] = []
    async with projects.db.reading() as marking, projects.db.reading() as other:
        mark = marking.transaction()
        await mark.start()
        marks = [item(row, Decimal(0)) for row in hand.rows]
        intents = (row, "smtp", marks)
        assert await batches.record_intents(marking, hand.unit, hand.claim, *intents)  # type: ignore[arg-type]
        # What the freeze writes with every chunk.
        assert await other.fetchval(
            "UPDATE sending_projects SET prepared_to = prepared_to WHERE id = $1 RETURNING true", project
        )

        async def stop() -> None:
            async with other.transaction():
                await project_moves.stop(other, project)
            done.append("stopped")

        stopping = asyncio.create_task(stop())
        await until(lambda: projects.db.fetchval(WAITING))
        assert not done
        done.append("marked")
        await mark.commit()
        await stopping
    assert done == ["marked", "stopped"]
    assert not await hand.mark(1)
