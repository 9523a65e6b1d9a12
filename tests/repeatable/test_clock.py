"""A firing makes one project, whatever other workers do or die; misfires; what goes wrong on the way."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from core.errors import Unavailable
from engine.projects import repeatable
from engine.projects.repeatable import begin, copy, copy_chunk, fire_due, fire_next
from runtime.render_pool import pool
from tests.repeatable.schedules import PATH
from tests.support.render_pool import stop_processes
from tests.support.rounds import run_round


async def drained(services, schedules):
    """Does the copying that the firings left."""
    await fire_due(services)
    for project in await schedules.jobs("repeatable.copy"):
        await copy(services, project)


async def test_a_firing_makes_a_project_copies_its_audience_and_starts_it(ada, schedules, services):
    uuid = await schedules.make(ada)
    at = await schedules.due(uuid)
    await drained(services, schedules)
    (run,) = await schedules.runs(uuid)
    assert (run["status"], run["preparation"], run["recipients"]) == ("running", "freeze", 3)
    assert (run["fire_at"], run["account_id"], run["text"]) == (at, ada.account_id, "Hello {{ name }}")
    assert run["id"] in await schedules.jobs("projects.prepare")
    row = await schedules.row(uuid)
    assert (row["runs"], row["status"], row["last_error"]) == (1, "active", None)
    assert row["next_run_at"] > row["last_run_at"] > at
    assert await services.db.fetchval("SELECT count(*) FROM repeatable_firings") == 0
    shown = await ada.data(
        "query($id: ID!) { repeatableSendingProject(id: $id) { runs sendingProjects { nodes { uuid "
        "repeatableUuid } } } }",
        {"id": uuid},
    )
    projects = [{"uuid": str(run["id"]), "repeatableUuid": uuid}]
    assert shown["repeatableSendingProject"] == {"runs": 1, "sendingProjects": {"nodes": projects}}
    sent = await services.db.fetch("SELECT address, name, variables FROM recipients ORDER BY seq")
    assert [(recipient["address"], recipient["name"], recipient["variables"]) for recipient in sent] == [
        (f"+1415555000{n}", f"N{n}", {"x": 1}) for n in (1, 2, 3)
    ]


async def test_four_clocks_fire_each_once(ada, schedules, services):
    uuids = [await schedules.make(ada) for _ in range(6)]
    for ago in ("60 seconds", "1 second"):
        for uuid in uuids:
            await schedules.due(uuid, ago)
        await asyncio.gather(*(fire_due(services) for _ in range(4)))
    for uuid in uuids:
        assert len(await schedules.runs(uuid)) == 2
        assert (await schedules.row(uuid))["runs"] == 2
    projects = await schedules.jobs("repeatable.copy")
    assert len(set(projects)) == 12
    await asyncio.gather(*(copy(services, project) for project in projects for _ in range(2)))
    for project in projects:  # of two at once one may have left it to the other, who was at an earlier step
        await copy(services, project)
    for uuid in uuids:
        assert [(run["status"], run["recipients"]) for run in await schedules.runs(uuid)] == [
            ("running", 3)
        ] * 2


async def test_a_firing_that_was_made_before_makes_nothing(ada, schedules, services):
    uuid = await schedules.make(ada)
    at = await schedules.due(uuid)
    await fire_due(services)
    async with services.db.reading() as db:
        await db.execute("UPDATE repeatable_projects SET next_run_at = $1", at)
    await fire_due(services)
    assert len(await schedules.runs(uuid)) == 1
    row = await schedules.row(uuid)
    assert row["runs"] == 1
    assert row["next_run_at"] > at


async def test_a_death_before_the_commit_leaves_it_due(ada, schedules, services):
    uuid = await schedules.make(ada)
    at = await schedules.due(uuid)
    async with services.db.reading() as db:
        dying = db.transaction()
        await dying.start()
        assert await fire_next(db, services.render_pool)
        await dying.rollback()
    assert await schedules.runs(uuid) == []
    assert (await schedules.row(uuid))["next_run_at"] == at
    await drained(services, schedules)
    assert [run["status"] for run in await schedules.runs(uuid)] == ["running"]


async def test_a_death_at_any_step_of_the_copying_is_made_good(ada, schedules, services, monkeypatch):
    """Each chunk is done and lost, done twice, and the job is lost between all of them."""
    monkeypatch.setattr(repeatable, "CHUNK", 3)
    source = {"importUuid": await schedules.audience(ada, 8)}
    uuid = await schedules.make(ada, source=source)
    await schedules.due(uuid)
    await fire_due(services)
    (run,) = await schedules.runs(uuid)
    step, seen = copy_chunk, []
    while step is not None:
        async with services.db.reading() as db:
            await db.execute("DELETE FROM pgqueuer")
            dying = db.transaction()
            await dying.start()
            await step(services, db, run["id"])
            await dying.rollback()
            async with db.transaction():
                step = await step(services, db, run["id"])
        (now,) = await schedules.runs(uuid)
        seen.append((now["status"], now["recipients"]))
        if step is not None:
            await run_round(services, "wake_copy")
            assert await schedules.jobs("repeatable.copy") == [UUID(int=0)]
    assert seen == [("draft", 3), ("draft", 6), ("draft", 8), ("running", 8)]
    async with services.db.reading() as db, db.transaction():
        await begin(services, db, run["id"])  # once more does nothing
    (after,) = await schedules.runs(uuid)
    assert after["content"] == now["content"]
    assert len(await schedules.jobs("projects.prepare")) == 1


async def test_the_recipients_of_a_project_are_copied(ada, schedules, services, monkeypatch):
    monkeypatch.setattr(repeatable, "CHUNK", 2)
    first = await schedules.make(ada)
    await schedules.due(first)
    await drained(services, schedules)
    (source,) = await schedules.runs(first)
    uuid = await schedules.make(ada, source={"sendingProjectUuid": str(source["id"])})
    await schedules.due(uuid)
    await drained(services, schedules)
    (run,) = await schedules.runs(uuid)
    assert (run["status"], run["recipients"]) == ("running", 3)


@pytest.mark.parametrize(("misfire", "made"), [("skip", 0), ("one", 1)])
async def test_after_an_outage(misfire, made, ada, schedules, services):
    """An hour without a clock, and a schedule of every five minutes."""
    away = (datetime.now(UTC).minute + 2) % 5  # none is due while the test runs
    uuid = await schedules.make(ada, cron=f"{away}-59/5 * * * *", misfire=misfire)
    await schedules.due(uuid, "1 hour")
    await fire_due(services)
    row = await schedules.row(uuid)
    assert (len(await schedules.runs(uuid)), row["runs"]) == (made, made)
    assert row["next_run_at"] > await services.db.fetchval("SELECT now()") - timedelta(seconds=30)
    assert (row["last_error"] is None) == (misfire == "one")


async def test_within_the_grace_every_firing_counts(ada, schedules, services):
    uuid = await schedules.make(ada, cron="* * * * *")
    await schedules.due(uuid, "5 minutes")
    await fire_due(services)
    runs = await schedules.runs(uuid)
    assert 5 <= len(runs) <= 7
    assert len({run["fire_at"] for run in runs}) == len(runs)


async def test_the_last_run_finishes_it(ada, schedules, services):
    uuid = await schedules.make(ada, maxRuns=2)
    for expected in ("active", "finished"):
        await schedules.due(uuid, "30 seconds" if expected == "active" else "5 seconds")
        await fire_due(services)
        assert (await schedules.row(uuid))["status"] == expected
    row = await schedules.row(uuid)
    assert (row["runs"], row["next_run_at"]) == (2, None)
    answer = await ada.rest("POST", f"{PATH}/{uuid}/start")
    assert (answer.status_code, answer.json()["code"]) == (409, "schedule_over")


async def test_the_end_finishes_it(ada, schedules, services):
    end = await services.db.fetchval("SELECT now() + interval '2 days'")
    uuid = await schedules.make(ada, endAt=end.isoformat())
    async with services.db.reading() as db:
        await db.execute(
            "UPDATE repeatable_projects SET schedule = jsonb_set(schedule, '{endAt}', to_jsonb($1::text))",
            (end - timedelta(days=2)).isoformat(),
        )
    await schedules.due(uuid)
    await fire_due(services)
    row = await schedules.row(uuid)
    assert (row["status"], row["runs"], row["next_run_at"]) == ("finished", 1, None)


async def test_a_stopped_one_or_a_suspended_owners_does_not_fire(ada, bob, admin, schedules, services):
    stopped, suspended = await schedules.make(bob), await schedules.make(ada)
    await bob.rest("POST", f"{PATH}/{stopped}/stop")
    await schedules.due(stopped)
    at = await schedules.due(suspended)
    await admin.data("mutation($i:ID!){suspendUser(id:$i){uuid}}", {"i": str(ada.id)})
    await fire_due(services)
    assert await schedules.runs(stopped) == await schedules.runs(suspended) == []
    assert (await schedules.row(suspended))["next_run_at"] == at
    await admin.data("mutation($i:ID!){activateUser(id:$i){uuid}}", {"i": str(ada.id)})
    await fire_due(services)
    assert len(await schedules.runs(suspended)) == 1


async def test_a_project_that_may_not_start_stays_a_draft_and_the_schedule_goes_on(ada, schedules, services):
    empty = (await ada.rest("POST", "/sending-project", json={"name": "e", "channel": "sms"})).json()["uuid"]
    uuid = await schedules.make(ada, source={"sendingProjectUuid": empty})
    await schedules.due(uuid, "10 seconds")
    await drained(services, schedules)
    row = await schedules.row(uuid)
    assert (row["status"], row["runs"]) == ("active", 1)
    assert "no recipients" in row["last_error"]
    assert [run["status"] for run in await schedules.runs(uuid)] == ["draft"]
    assert (await ada.rest("GET", f"{PATH}/{uuid}")).json()["lastError"] == row["last_error"]
    audience = {"importUuid": await schedules.audience(ada)}
    await ada.rest("PATCH", f"{PATH}/{uuid}", json={"source": audience})
    await schedules.due(uuid)
    await drained(services, schedules)
    assert [run["status"] for run in await schedules.runs(uuid)] == ["draft", "running"]
    assert (await schedules.row(uuid))["last_error"] is None


async def test_what_can_t_be_made_stops_nobody_else(ada, schedules, services):
    bad, gone, unread, good = [await schedules.make(ada) for _ in range(4)]
    async with services.db.reading() as db:
        for uuid, change in (
            (bad, """template = '{"channel": "fax"}'"""),
            (gone, "source = jsonb_build_object('importUuid', gen_random_uuid())"),
            (unread, "schedule = jsonb_set(schedule, '{timezone}', '\"Mars/Olympus\"')"),
        ):
            await db.execute(f"UPDATE repeatable_projects SET {change} WHERE id = $1", UUID(uuid))
    for place, uuid in enumerate((bad, gone, unread, good)):
        await schedules.due(uuid, f"{60 - place} seconds")
    await fire_due(services)
    assert len(await schedules.runs(good)) == 1
    rows = {
        name: await schedules.row(uuid) for name, uuid in (("bad", bad), ("gone", gone), ("unread", unread))
    }
    assert [row["runs"] for row in rows.values()] == [0, 0, 0]
    assert [row["status"] for row in rows.values()] == ["active", "active", "stopped"]
    assert "channel" in rows["bad"]["last_error"]
    assert "was deleted or has failed" in rows["gone"]["last_error"]
    assert "not a time zone" in rows["unread"]["last_error"]
    assert rows["bad"]["next_run_at"] > await services.db.fetchval("SELECT now()")


async def test_an_import_that_is_not_ready_is_waited_for(ada, schedules, services):
    audience = await schedules.audience(ada)
    uuid = await schedules.make(ada, source={"importUuid": audience})
    async with services.db.reading() as db:
        await db.execute("UPDATE recipient_imports SET status = 'processing'")
    await schedules.due(uuid)
    await drained(services, schedules)
    assert [(run["status"], run["recipients"]) for run in await schedules.runs(uuid)] == [("draft", 0)]
    async with services.db.reading() as db:
        await db.execute("UPDATE recipient_imports SET status = 'ready'")
        await db.execute("DELETE FROM pgqueuer")
    await services.db.fetch("DELETE FROM leases")  # it looks again after a pause
    await run_round(services, "wake_copy")
    assert await schedules.jobs("repeatable.copy") == [UUID(int=0)]
    await copy(services, (await schedules.runs(uuid))[0]["id"])
    assert [(run["status"], run["recipients"]) for run in await schedules.runs(uuid)] == [("running", 3)]


async def test_a_run_that_is_deleted_while_it_is_copied_stays_deleted(ada, schedules, services):
    uuid = await schedules.make(ada)
    await schedules.due(uuid)
    await fire_due(services)
    (run,) = await schedules.runs(uuid)
    assert (await ada.rest("DELETE", f"/sending-project/{run['id']}")).status_code == 204
    await copy(services, run["id"])
    (run,) = await schedules.runs(uuid)
    assert (run["status"], run["recipients"]) == ("deleted", 0)
    assert await services.db.fetchval("SELECT count(*) FROM repeatable_firings") == 0


async def test_a_schedule_that_gets_no_processor_time_fires_in_a_later_round(
    ada, schedules, services, monkeypatch
):
    """The processes that read schedules are stopped, like processes that others leave no processor time."""
    monkeypatch.setattr(pool, "_STRETCH", 0.2)
    uuid = await schedules.make(ada)
    at = await schedules.due(uuid)
    render_pool = services.render_pool
    await stop_processes(render_pool)
    with pytest.raises(Unavailable):
        await fire_due(services)
    row = await schedules.row(uuid)
    assert (row["status"], row["next_run_at"], row["runs"], row["last_error"]) == ("active", at, 0, None)
    render_pool._pool.end()
    await fire_due(services)
    row = await schedules.row(uuid)
    assert (row["status"], row["runs"], row["last_error"]) == ("active", 1, None)
