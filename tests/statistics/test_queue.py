"""The queue, and whether the work on it goes on."""

from datetime import UTC, datetime, timedelta

from core.ids import uuid7
from runtime.workers import Reporter
from tests.message_records.rows import many, project, unit
from tests.statistics.test_statistics import got

MINUTES = timedelta(minutes=1)


async def set_counters(services, project_id, **changes):
    names = ", ".join(f"{name} = ${place}" for place, name in enumerate(changes, 2))
    async with services.db.reading() as db:
        await db.execute(
            f"UPDATE sending_counters SET {names} WHERE project_id = $1", project_id, *changes.values()
        )


async def ran_since(services, project_id, ago):
    await services.db.fetch(
        "UPDATE sending_projects SET running_since = now() - $2::interval WHERE id = $1", project_id, ago
    )


async def test_what_waits_and_who_works(ada, bob, admin, services):
    started = datetime.now(UTC) - 10 * MINUTES
    busy = await project(services, ada, status="running", started_at=started)
    await ran_since(services, busy, 10 * MINUTES)
    paused = await project(services, ada, status="paused")
    stopped = await project(services, ada, status="stopped")
    await many(services, ada, busy, 600)
    await many(services, ada, busy, 50, "sending")
    await many(services, ada, paused, 7)
    await many(services, ada, stopped, 1000)
    # 100 messages went out in the last minute.
    async with services.db.reading() as db:
        await db.execute(
            "UPDATE message_records SET status = 'sent', sent_at = now() WHERE id IN"
            " (SELECT id FROM message_records WHERE project_id = $1 AND status = 'queued' LIMIT 100)",
            busy,
        )
    await unit(services, busy, due=-3 * MINUTES)
    await unit(services, busy, due=-5 * MINUTES, worker="host-a:12", expires=MINUTES)
    await unit(services, busy, due=5 * MINUTES)
    await Reporter(services.store, "host-a:12").report()
    await Reporter(services.store, "host-b:7").report()

    seen = await got(ada, "/queue/statistics")
    assert (seen["queued"], seen["sending"]) == (507, 50)
    assert 300 <= seen["oldestQueuedSeconds"] < 360  # also while a worker has it
    assert [row["uuid"] for row in seen["projects"]] == [str(paused), str(busy)]
    idle, moving = seen["projects"]
    assert idle == {"uuid": str(paused), "queued": 7, "sending": 0, "perMinute": 0.0, "etaSeconds": None}
    assert (moving["queued"], moving["sending"]) == (500, 50)
    assert 50 <= moving["perMinute"] <= 100  # fewer if a minute ends meanwhile
    assert abs(moving["etaSeconds"] - 550 / moving["perMinute"] * 60) < 5
    assert seen["perMinute"] == moving["perMinute"]
    assert (seen["workers"], seen["routes"]) == ([], [])
    worker, idle = (await got(admin, "/queue/statistics"))["workers"]
    assert (idle["name"], idle["units"]) == ("host-b:7", 0)
    assert (worker["name"], worker["host"], worker["units"]) == ("host-a:12", "host-a", 1)
    assert worker["id"] == worker["name"]  # deprecated; the specification has it
    assert datetime.now(UTC) - datetime.fromisoformat(worker["lastSeenAt"]) < timedelta(seconds=60)

    graph = await ada.data(
        "{queueStatistics{queued sending oldestQueuedSeconds perMinute projects{uuid etaSeconds} workers{name units}}}"
    )
    assert graph["queueStatistics"]["queued"] == 507
    assert graph["queueStatistics"]["workers"] == []
    nothing = await got(bob, "/queue/statistics")
    assert {(work["waiting"], work["atWork"], work["users"]) for work in nothing.pop("background")} == {
        (0, 0, 0)
    }
    assert nothing == {
        "queued": 0, "sending": 0, "oldestQueuedSeconds": 0.0, "perMinute": 0.0, "projects": [], "workers": [],
        "routes": [], "directQueued": None, "directOldestSeconds": None,
    }  # fmt: skip
    everything = await got(admin, "/queue/statistics")
    assert everything["queued"] == 507
    assert [(worker["name"], worker["units"]) for worker in everything["workers"]] == [
        ("host-a:12", 1),
        ("host-b:7", 0),
    ]


async def test_more_projects_than_are_shown_are_all_summed_up(ada, services):
    for _ in range(103):
        await many(services, ada, await project(services, ada, status="running"), 2)
    seen = await got(ada, "/queue/statistics")
    assert (seen["queued"], len(seen["projects"])) == (206, 100)


async def test_it_answers_while_redis_is_away(ada, admin, services, monkeypatch):
    project_id = await project(services, ada, status="running")
    await unit(services, project_id, worker="host-a:12", expires=MINUTES)

    async def away(*_):
        raise ConnectionError

    monkeypatch.setattr("runtime.workers.living", away)
    (worker,) = (await got(admin, "/queue/statistics"))["workers"]
    name = "host-a:12"
    assert worker == {"id": name, "name": name, "host": "host-a", "units": 1, "lastSeenAt": None}


async def old(services, project_id, minutes):
    async with services.db.reading() as db:
        for table, key in (("sending_counters", "project_id"), ("sending_projects", "id")):
            await db.execute(
                f"UPDATE {table} SET updated_at = now() - $2::interval WHERE {key} = $1",
                project_id,
                minutes * MINUTES,
            )


async def health(who):
    seen = await got(who, "/sending-project-processing/health-check")
    return seen["status"], {row["uuid"]: row for row in seen["projects"]}


async def test_stuck_is_what_is_due_and_does_not_move(ada, bob, admin, services):
    project_id = await project(services, ada, status="running", started_at=datetime.now(UTC) - 60 * MINUTES)
    await many(services, ada, project_id, 5)
    await old(services, project_id, 10)
    # Nothing is due: it waits for its time.
    await unit(services, project_id, due=5 * MINUTES)
    status, seen = await health(ada)
    assert (status, seen[str(project_id)]["stuck"]) == ("ok", False)
    # Something is, for a minute; that is no wonder.
    await unit(services, project_id, due=-MINUTES)
    assert (await health(ada))[0] == "ok"
    late = await unit(services, project_id, due=-3 * MINUTES)
    status, seen = await health(ada)
    assert (status, seen[str(project_id)]["stuck"], seen[str(project_id)]["workers"]) == ("stuck", True, [])
    assert datetime.now(UTC) - datetime.fromisoformat(seen[str(project_id)]["lastProgressAt"]) > 9 * MINUTES
    assert await ada.data("{processingHealth{status projects{uuid stuck}}}") == {
        "processingHealth": {"status": "stuck", "projects": [{"uuid": str(project_id), "stuck": True}]}
    }
    assert await health(bob) == ("ok", {})
    # A worker takes it up, and renews its claim.
    async with services.db.reading() as db:
        await db.execute(
            "UPDATE sending_units SET claim_id = gen_random_uuid(), worker = 'h:1',"
            " expires_at = now() + interval '30 seconds' WHERE id = $1",
            late,
        )
    status, seen = await health(ada)
    assert (status, seen[str(project_id)]["stuck"], seen[str(project_id)]["workers"]) == ("ok", False, [])
    assert (await health(admin))[1][str(project_id)]["workers"] == ["h:1"]
    # It died long ago.
    async with services.db.reading() as db:
        await db.execute(
            "UPDATE sending_units SET expires_at = now() - interval '5 minutes' WHERE id = $1", late
        )
    status, seen = await health(ada)
    assert (status, seen[str(project_id)]["workers"]) == ("stuck", [])
    # A message moves.
    async with services.db.reading() as db:
        await db.execute("UPDATE message_records SET status = 'sent' WHERE project_id = $1", project_id)
    assert (await health(ada))[0] == "ok"


async def test_a_start_that_nobody_takes_up_is_stuck_too(ada, services):
    project_id = await project(services, ada, status="running", preparation="freeze")
    assert (await health(ada))[0] == "ok"
    await old(services, project_id, 3)
    assert (await health(ada))[0] == "stuck"


async def test_only_what_runs_can_be_stuck_and_only_what_is_live_is_shown(ada, services):
    shown = []
    for status in ("draft", "scheduled", "running", "paused", "stopped", "finished", "deleted"):
        project_id = await project(services, ada, status=status)
        await many(services, ada, project_id, 1)
        await unit(services, project_id, due=-10 * MINUTES)
        await old(services, project_id, 10)
        if status in ("scheduled", "running", "paused"):
            shown.append(str(project_id))
    status, seen = await health(ada)
    assert (status, set(seen)) == ("stuck", set(shown))
    assert [row["stuck"] for row in seen.values()] == [True, False, False]
    assert {row["status"] for row in seen.values()} == {"scheduled", "running", "paused"}


async def test_work_in_the_background_by_kind(ada, bob, admin, services):
    for owner, pieces in ((ada, 2), (bob, 1)):
        for _ in range(pieces):
            await services.db.fetch(
                "INSERT INTO recipient_imports (id, owner_id, region) VALUES ($1, $2, 'US')",
                uuid7(),
                owner.id,
            )
    await services.db.fetch(
        "INSERT INTO leases (name, holder, expires_at, owner_id) SELECT 'imports.read:' || id, id,"
        " now() + interval '1 minute', owner_id FROM recipient_imports WHERE owner_id = $1 LIMIT 1",
        ada.id,
    )
    for viewer, expected in ((ada, (1, 1, 1)), (bob, (1, 0, 1)), (admin, (2, 1, 2))):
        rows = {row["kind"]: row for row in (await got(viewer, "/queue/statistics"))["background"]}
        assert (rows["imports"]["waiting"], rows["imports"]["atWork"], rows["imports"]["users"]) == expected
        assert [*rows] == ["imports", "exports", "recipients", "copies", "preparations"]
        graph = await viewer.data("{queueStatistics{background{kind waiting atWork users}}}")
        assert graph["queueStatistics"]["background"] == [*rows.values()]
