"""Imports whose rows take longer to add than a request should: a worker goes on."""

import asyncio
from uuid import UUID

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine import imports
from engine.imports import bulk_add
from engine.jobs import JOBS, JobName
from engine.projects import project_moves, scheduler
from resolvers.recipients import recipient_addition
from tests.recipients.test_recipients import A, add, imported, project
from tests.sending_projects.engine.conftest import projects
from tests.support.people import Person
from tests.support.rounds import run_round

__all__ = ["projects"]

MANY = "\n".join(f"+1415555{n:04}; N{n}" for n in range(1000, 1100))
ADDED = (
    "mutation($id:ID!,$input:AddRecipients!){addRecipients(sendingProjectId:$id,input:$input){added pending}}"
)


@pytest.fixture(autouse=True)
def _slow(monkeypatch) -> None:
    """A request has time for one bite of 30 rows, and so has a job."""
    monkeypatch.setattr(imports.jobs, "BITE", 30)
    monkeypatch.setattr(recipient_addition, "_ADDING_SECONDS", 0)
    monkeypatch.setattr(bulk_add, "_BUDGET_SECONDS", 0)


async def shown(ada: Person, id: str) -> dict:
    return (await ada.rest("GET", f"/sending-project/{id}")).json()


async def begun(ada: Person, services) -> tuple[str, str]:
    """A project, and an import of a hundred of which thirty are in it."""
    id, source = await project(ada), await imported(ada, services, MANY)
    await services.db.fetchval("DELETE FROM pgqueuer")
    body = (await add(ada, id, importUuid=source)).json()
    assert (body["added"], body["pending"], body["duplicates"]) == (30, True, 0)
    assert (await shown(ada, id))["recipientsPending"] == 70
    return id, source


async def total(ada: Person, id: str) -> int:
    return (await ada.rest("GET", f"/recipient/list/{id}")).json()["meta"]["total"]


async def busy_elsewhere(services) -> None:
    """Leases the additions, as a worker does that adds their rows."""
    await services.db.fetch(
        "INSERT INTO leases (name, holder, expires_at)"
        " SELECT 'recipients.add:' || id, gen_random_uuid(), now() + interval '1 hour' FROM recipient_additions"
    )


async def one_bite(services) -> None:
    """A worker adds thirty of the rows that are left."""
    await bulk_add.add(services, await services.db.fetchval("SELECT id FROM recipient_additions"))


async def test_a_worker_adds_the_rest_in_its_order(ada, services, projects):
    id, _ = await begun(ada, services)
    await one_bite(services)
    assert (await shown(ada, id))["recipientsPending"] == 40
    await projects.work()
    page = (await ada.rest("GET", f"/recipient/list/{id}", params={"limit": 100})).json()
    assert [item["name"] for item in page["items"]] == [f"N{n}" for n in range(1000, 1100)]
    assert (await shown(ada, id))["recipientsPending"] == 0
    assert not await services.db.fetch("SELECT FROM recipient_additions")


async def test_a_small_import_is_in_at_once(ada, services):
    id, source = await project(ada), await imported(ada, services, A)
    body = (await add(ada, id, importUuid=source)).json()
    assert (body["added"], body["pending"]) == (1, False)


async def test_a_started_project_sends_nothing_until_all_are_in(ada, services, projects):
    id, _ = await begun(ada, services)
    assert (await ada.rest("POST", f"/sending-project/start/{id}")).status_code == 200
    row = await shown(ada, id)
    assert (row["status"], row["statusReason"]) == ("running", "recipients_pending")
    for _ in range(2):  # the bites before the last one
        await one_bite(services)
    assert await total(ada, id) < 100
    assert not await projects.records(UUID(id))
    await projects.work()
    assert await projects.states(UUID(id)) == {"sent": 100}
    row = await shown(ada, id)
    assert (row["status"], row["statusReason"]) == ("finished", None)


@pytest.mark.parametrize("move", ["stop", "delete"])
async def test_stop_and_delete_end_the_adding(ada, services, projects, move):
    id, source = await begun(ada, services)
    if move == "stop":
        await ada.rest("POST", f"/sending-project/start/{id}")
        await ada.rest("POST", f"/sending-project/stop/{id}")
        assert (await shown(ada, id))["recipientsPending"] == 0
    else:
        await ada.rest("DELETE", f"/sending-project/{id}")
    await projects.work()
    count = "SELECT count(*) FROM recipients WHERE project_id = $1"
    assert await services.db.fetchval(count, UUID(id)) == 30
    assert (await ada.rest("DELETE", f"/recipient-import/{source}")).status_code < 300


async def test_an_import_that_is_being_added_cannot_be_deleted(ada, services, projects):
    id, source = await begun(ada, services)
    answer = await ada.rest("DELETE", f"/recipient-import/{source}")
    assert (answer.status_code, answer.json()["code"]) == (409, "import_in_use")
    await projects.work()
    assert (await ada.rest("DELETE", f"/recipient-import/{source}")).status_code < 300
    assert await total(ada, id) == 100


async def test_what_cannot_be_added_pauses_the_project_and_says_how_many_went_in(ada, services, projects):
    id, _ = await begun(ada, services)
    await ada.rest("POST", f"/sending-project/start/{id}")
    await services.db.fetchval("UPDATE tariffs SET max_recipients_per_project = 65")
    await projects.work()
    row = await shown(ada, id)
    assert (row["status"], row["statusReason"], row["recipientsPending"]) == (
        "paused",
        "recipients_failed",
        0,
    )
    assert row["recipientsError"].startswith("60 recipients of the import were added")
    assert "65" in row["recipientsError"]
    assert not await projects.records(UUID(id))
    await ada.rest("POST", f"/sending-project/stop/{id}")
    assert (await shown(ada, id))["recipientsError"] is None
    await ada.rest("POST", f"/sending-project/start/{id}")
    await projects.work()
    assert await projects.states(UUID(id)) == {"sent": 60}


async def test_a_draft_whose_adding_failed_is_paused_when_it_is_started(ada, services, projects):
    id, _ = await begun(ada, services)
    await services.db.fetchval("UPDATE tariffs SET max_recipients_per_project = 65")
    await projects.work()
    assert (await shown(ada, id))["status"] == "draft"
    await ada.rest("POST", f"/sending-project/start/{id}")
    row = await shown(ada, id)
    assert (row["status"], row["statusReason"]) == ("paused", "recipients_failed")


async def test_a_repeated_key_gives_the_first_answer(ada, services, projects):
    id, source = await project(ada), await imported(ada, services, MANY)
    await services.db.fetchval("DELETE FROM pgqueuer")
    request = {"json": {"importUuid": source}, "headers": {"idempotency-key": "k"}}
    first = await ada.rest("POST", f"/recipient/{id}", **request)
    await projects.work()
    second = await ada.rest("POST", f"/recipient/{id}", **request)
    assert first.json() == second.json()
    assert second.json()["pending"] is True
    assert await total(ada, id) == 100
    graph = await ada.data(ADDED, {"id": id, "input": {"importUuid": source}})
    assert graph["addRecipients"] == {"added": 0, "pending": True}


async def test_only_so_many_imports_at_once(ada, services):
    id, source = await begun(ada, services)
    for _ in range(bulk_add.MOST - 1):
        await add(ada, id, importUuid=source)
    answer = await add(ada, id, importUuid=source)
    assert (answer.status_code, answer.json()["code"]) == (409, "recipients_pending")


async def test_an_addition_that_nobody_works_on_is_found(ada, services, projects):
    id, _ = await begun(ada, services)
    await services.db.fetchval("DELETE FROM pgqueuer")
    await run_round(services, "wake_add")
    await projects.work()
    assert await total(ada, id) == 100


async def test_two_workers_add_nothing_twice(ada, services, projects):
    id, _ = await begun(ada, services)
    (row,) = await services.db.fetch("SELECT id FROM recipient_additions")
    await asyncio.gather(*(JOBS[JobName.add_recipients].work(services, row["id"]) for _ in range(4)))
    await projects.work()
    assert await total(ada, id) == 100


async def test_a_deleted_owner_s_additions_end(ada, services, projects):
    id, _ = await begun(ada, services)
    async with services.db.reading() as db, db.transaction():
        await project_moves.owner_left(db, ada.id, for_good=True)
    await projects.work()
    assert await services.db.fetchval("SELECT count(*) FROM recipients WHERE project_id = $1", UUID(id)) == 30
    assert await services.db.fetchval("SELECT recipients_pending FROM sending_projects") == 0


async def test_what_a_stop_left_waits_too(ada, services, projects):
    id, source = await project(ada), await imported(ada, services, MANY)
    await services.db.fetchval("DELETE FROM pgqueuer")
    await add(ada, id, recipients=[{"phone": f"+1415555{n}"} for n in range(2000, 2010)])
    await ada.rest("POST", f"/sending-project/start/{id}")
    await projects.step()  # frozen, nothing sent
    await ada.rest("POST", f"/sending-project/stop/{id}")
    await services.db.fetchval("DELETE FROM pgqueuer")
    assert (await add(ada, id, importUuid=source)).json()["pending"]
    await busy_elsewhere(services)
    r = await ada.rest("POST", f"/sending-project/start/{id}")
    assert r.json()["statusReason"] == "recipients_pending", r.text
    await projects.work()
    await services.db.fetchval("UPDATE sending_units SET due_at = due_at - interval '3 seconds'")
    await scheduler.wake_projects(services)
    await projects.work()
    await shown(ada, id)
    assert (await projects.states(UUID(id)))["sent"] == 0


async def _stopped_with_failures(ada, services, projects, id, numbers):
    """The project has recipients with these numbers, whose messages failed, and was stopped; no job is queued."""
    await services.db.fetchval("DELETE FROM pgqueuer")
    await add(ada, id, recipients=[{"phone": f"+1415555{n}"} for n in numbers])
    await ada.rest("POST", f"/sending-project/start/{id}")
    await projects.step()
    await services.db.fetchval(
        "UPDATE message_records SET status='failed', failure_code='x' WHERE project_id=$1", UUID(id)
    )
    await ada.rest("POST", f"/sending-project/stop/{id}")
    await services.db.fetchval("DELETE FROM pgqueuer")


async def test_a_retry_waits_too(ada, services, projects):
    id, source = await project(ada), await imported(ada, services, MANY)
    await _stopped_with_failures(ada, services, projects, id, range(2000, 2010))
    assert (await add(ada, id, importUuid=source)).json()["pending"]
    await busy_elsewhere(services)
    await ada.rest("POST", f"/sending-project/retry/{id}")
    await projects.work()
    await shown(ada, id)
    assert (await projects.states(UUID(id)))["sent"] == 0


async def test_the_tariff_bounds_it_whoever_else_adds_meanwhile(ada, services, projects, monkeypatch):
    id, _source = await begun(ada, services)  # 30 in
    await services.db.fetchval("UPDATE tariffs SET max_recipients_per_project = 100")
    (row,) = await services.db.fetch("SELECT id FROM recipient_additions")
    old, done = bulk_add._bite, []

    async def _bite(*a):
        if not done:  # between the job's count and its first bite somebody else adds 20
            done.append(1)
            r = await add(ada, id, recipients=[{"phone": f"+1415555{n}"} for n in range(2000, 2020)])
            assert r.status_code == 200
        return await old(*a)

    monkeypatch.setattr(bulk_add, "_bite", _bite)
    monkeypatch.setattr(bulk_add, "_BUDGET_SECONDS", 10)
    await JOBS[JobName.add_recipients].work(services, row["id"])
    n = await total(ada, id)
    assert n <= 100


async def test_a_stop_while_the_adding_fails(ada, services, projects, monkeypatch):
    """stop commits while `_fail` waits for the project's row."""
    id, _source = await begun(ada, services)
    await ada.rest("POST", f"/sending-project/start/{id}")
    await services.db.fetchval("UPDATE tariffs SET max_recipients_per_project = 35")
    (row,) = await services.db.fetch("SELECT id FROM recipient_additions")
    stopping, go = asyncio.Event(), asyncio.Event()

    async def stop():
        async with services.db.reading() as db, db.transaction():
            await project_moves.stop(db, UUID(id))
            stopping.set()
            await go.wait()

    old = bulk_add._fail

    async def fail(*a):
        task = asyncio.create_task(stop())
        await stopping.wait()
        mine = asyncio.create_task(old(*a))
        await asyncio.sleep(0.3)
        go.set()
        await task
        await mine

    monkeypatch.setattr(bulk_add, "_fail", fail)
    await JOBS[JobName.add_recipients].work(services, row["id"])
    row = await shown(ada, id)
    await ada.rest("POST", f"/sending-project/start/{id}")
    assert row["recipientsError"] is None


async def test_a_deleted_owner_and_a_bite_wait_for_each_other(ada, services, projects, monkeypatch):
    id, _source = await begun(ada, services)
    (row,) = await services.db.fetch("SELECT id FROM recipient_additions")
    async with services.db.reading() as first, services.db.reading() as second:
        t1, t2 = first.transaction(), second.transaction()
        await t1.start()
        await t2.start()
        await first.fetchrow(bulk_add._PROJECT, UUID(id))  # _bite's first statement
        left = asyncio.create_task(project_moves.owner_left(second, ada.id, for_good=True))
        await asyncio.sleep(0.3)
        result = "fine"
        try:
            await first.fetchrow(bulk_add._LOCK, row["id"])  # _bite's second
        except Exception as e:
            result = "bite: " + repr(e)
        await t1.rollback()
        try:
            await left
        except Exception as e2:
            result = "owner_left: " + repr(e2)
        await t2.rollback()
    assert result == "fine"


async def test_a_later_import_that_is_in_makes_good_for_the_one_that_failed(ada, services, projects):
    id, source = await begun(ada, services)
    await services.db.fetchval("UPDATE tariffs SET max_recipients_per_project = 65")
    await projects.work()
    await services.db.fetchval("UPDATE tariffs SET max_recipients_per_project = 1000")
    await add(ada, id, importUuid=source)
    await projects.work()
    await shown(ada, id)
    r = await ada.rest("POST", f"/sending-project/start/{id}")
    assert r.json()["status"] == "running"


async def test_an_import_of_whole_bites(ada, services, projects, monkeypatch):
    """60 rows, bites of 30: the second ends with rows_left 0 and is not the last."""
    id = await project(ada)
    source = await imported(ada, services, "\n".join(f"+1415555{n:04}; N" for n in range(1000, 1060)))
    await services.db.fetchval("DELETE FROM pgqueuer")
    await add(ada, id, importUuid=source)
    await ada.rest("POST", f"/sending-project/start/{id}")
    await services.db.fetchval("DELETE FROM pgqueuer")
    (a,) = await services.db.fetch("SELECT * FROM recipient_additions")
    await JOBS[JobName.add_recipients].work(services, a["id"])
    await services.db.fetchval("DELETE FROM pgqueuer WHERE entrypoint = 'recipients.add'")
    await scheduler.wake_projects(services)
    await projects.work()
    row = await shown(ada, id)
    await run_round(services, "wake_add")
    await projects.work()
    row = await shown(ada, id)
    assert row["statusReason"] is None


async def test_a_retry_loses_nothing_of_the_import(ada, services, projects):
    id, source = await project(ada), await imported(ada, services, MANY)
    await _stopped_with_failures(ada, services, projects, id, range(1000, 1030))
    (await add(ada, id, importUuid=source)).json()
    await ada.rest("POST", f"/sending-project/retry/{id}")
    # other jobs of the same group come first: preparing and visiting are other groups
    await services.db.fetchval(
        "UPDATE pgqueuer SET execute_after = now() + interval '1 minute' WHERE entrypoint = 'recipients.add'"
    )
    await projects.work()
    await services.db.fetchval("UPDATE pgqueuer SET execute_after = now()")
    await projects.work()
    await shown(ada, id)
    assert await total(ada, id) == 100 and (await projects.states(UUID(id)))["sent"] == 100


async def test_a_retry_that_comes_first_loses_nothing_either(ada, services, projects):
    """the same with the adder at work at once, and no unit ending the project: are the added ones frozen?"""
    id, source = await project(ada), await imported(ada, services, MANY)
    await services.db.fetchval("DELETE FROM pgqueuer")
    await add(ada, id, recipients=[{"phone": f"+1415555{n}"} for n in range(1000, 1030)])
    await ada.rest("POST", f"/sending-project/start/{id}")
    await projects.step()
    await services.db.fetchval(
        "UPDATE message_records SET status='failed', failure_code='x' WHERE project_id=$1", UUID(id)
    )
    await ada.rest("POST", f"/sending-project/stop/{id}")
    await services.db.fetchval("DELETE FROM pgqueuer")
    await add(ada, id, importUuid=source)
    await busy_elsewhere(services)
    await ada.rest("POST", f"/sending-project/retry/{id}")
    await projects.step()  # retry is prepared
    await services.db.fetch("DELETE FROM leases")
    (a,) = await services.db.fetch("SELECT id FROM recipient_additions")
    for _ in range(5):
        await bulk_add.add(services, a["id"])  # all are in
    await projects.work()
    await shown(ada, id)
    assert (await projects.states(UUID(id)))["sent"] == 100
