"""Starting exports, their progress, cancelling, and workers that die."""

import asyncio

import pytest

from core.ids import uuid7
from engine.exports import export_links, formats, message_source
from engine.jobs import JobName
from tests.exports.cells import table
from tests.message_records.rows import many, project
from tests.support.rounds import run_round
from tests.support.waits import until


async def test_progress_is_seen_and_a_cancel_is_heard(ada, services, written, monkeypatch):
    monkeypatch.setattr(message_source, "PAGE", 10)
    project_id = await project(services, ada)
    await many(services, ada, project_id, 100, "sent")
    reached, go_on = asyncio.Event(), asyncio.Event()
    real = export_links._Export.moved

    async def moved(self, rows):
        await real(self, rows)
        if self.done == 30:
            reached.set()
            await go_on.wait()

    monkeypatch.setattr(export_links._Export, "moved", moved)
    link = await written.start(ada, "messages", columns=["uuid"])
    writing = asyncio.create_task(written.write(link))
    await asyncio.wait_for(reached.wait(), 30)
    seen = await written.get(ada, link)
    assert (seen["status"], seen["total"], seen["done"]) == ("running", 100, 30)
    for _ in range(2):
        answer = await ada.rest("POST", f"/export-link/cancel/{link['uuid']}")
        assert (answer.status_code, answer.json()["status"]) == (200, "canceled")
    go_on.set()
    await writing
    seen = await written.get(ada, link)
    assert (seen["status"], seen["done"], seen["fileUuid"], seen["url"]) == ("canceled", 30, None, None)
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0
    # Nobody begins it again.
    await written.write(link)
    assert (await written.get(ada, link))["status"] == "canceled"


async def test_a_cancel_at_the_last_moment_leaves_no_file(ada, services, written, monkeypatch):
    await many(services, ada, await project(services, ada), 3, "sent")
    real = export_links._store_pending

    async def hold(*arguments):
        held = await real(*arguments)
        assert (await ada.rest("POST", f"/export-link/cancel/{link['uuid']}")).status_code == 200
        return held

    monkeypatch.setattr(export_links, "_store_pending", hold)
    link = await written.start(ada, "messages")
    await written.write(link)
    assert (await written.get(ada, link))["status"] == "canceled"
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


async def test_only_one_writes_it(ada, services, written):
    await many(services, ada, await project(services, ada), 50, "sent")
    link = await written.start(ada, "messages")
    await asyncio.gather(*(written.write(link) for _ in range(5)))
    await written.write(link)
    assert (await written.get(ada, link))["status"] == "ready"
    assert await services.db.fetchval("SELECT count(*) FROM files") == 1


async def test_another_worker_takes_it_over_and_the_first_one_writes_no_more(
    ada, services, written, monkeypatch
):
    """A worker that froze: its lease is over, and it wakes up after its successor is done."""
    await many(services, ada, await project(services, ada), 20, "sent")
    monkeypatch.setattr(message_source, "PAGE", 10)
    frozen, thaw = asyncio.Event(), asyncio.Event()
    real, first = export_links._Export.moved, True

    async def moved(self, rows):
        nonlocal first
        if first:
            first = False
            frozen.set()
            await thaw.wait()
        await real(self, rows)

    monkeypatch.setattr(export_links._Export, "moved", moved)
    link = await written.start(ada, "messages", columns=["to"])
    old = asyncio.create_task(written.write(link))
    await asyncio.wait_for(frozen.wait(), 30)
    async with services.db.reading() as db:
        await db.execute("DELETE FROM leases")
        await db.execute("DELETE FROM pgqueuer")
        await db.execute("UPDATE export_links SET updated_at = now() - interval '1 minute'")
    await run_round(services, "wake_write")
    jobs = await services.db.fetch(
        "SELECT convert_from(payload, 'UTF8') AS row FROM pgqueuer WHERE entrypoint = $1",
        JobName.write_export,
    )
    assert len(jobs) == 1
    await written.write(link)
    assert len(table(await written.fetched(ada, link))) == 21
    thaw.set()
    await old
    assert len(table(await written.fetched(ada, link))) == 21
    assert await services.db.fetchval("SELECT count(*) FROM files") == 1


async def test_one_that_kills_its_workers_fails_some_time(ada, services, written):
    link = await written.start(ada, "messages")
    async with services.db.reading() as db:
        await db.execute("UPDATE export_links SET status = 'running', tries = $1", export_links.TRIES)
    await written.write(link)
    seen = await written.get(ada, link)
    assert seen["status"] == "failed"
    assert "5 workers" in seen["statusReason"]


async def test_a_failure_says_why(ada, services, written, monkeypatch):
    await many(services, ada, await project(services, ada), 3, "sent")
    monkeypatch.setattr(export_links, "MOST_BYTES", 10)
    large = await written.start(ada, "messages")
    await written.write(large)
    seen = await written.get(ada, large)
    assert seen["status"] == "failed"
    assert "10 bytes" in seen["statusReason"]

    def broken(*_):
        raise RuntimeError("the secret story")

    monkeypatch.setattr(formats.Csv, "head", broken)
    link = await written.start(ada, "messages")
    await written.write(link)
    seen = await written.get(ada, link)
    assert seen["status"] == "failed"
    assert "secret" not in seen["statusReason"]
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


async def test_a_user_who_was_suspended_gets_nothing(ada, admin, services, written):
    link = await written.start(ada, "messages")
    await admin.data("mutation($i:ID!){suspendUser(id:$i){uuid}}", {"i": str(ada.id)})
    await written.write(link)
    assert (await written.get(admin, link))["status"] == "failed"


async def test_an_administrator_exports_everybody_s(ada, bob, admin, services, written):
    for who in (ada, bob):
        await many(services, who, await project(services, who), 2, "sent")
    assert len(table(await written.complete(admin, "messages"))) == 5
    assert len(table(await written.complete(admin, "statistics"))) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": "Messages"}, "source"),
        ({"source": "x" * 41}, "source"),
        ({"source": "recipients"}, "sendingProjectUuid"),
        ({"source": "amocrm"}, "sendingProjectUuid"),
        ({"source": "messages", "columns": ["nothing"]}, "columns"),
        ({"source": "messages", "columns": ["to", "to"]}, "columns"),
        ({"source": "messages", "columns": ["variables.x"]}, "columns"),
        ({"source": "messages", "filters": {"color": "red"}}, "filters.color"),
        ({"source": "messages", "filters": {"status": "gone"}}, "filters.status"),
        ({"source": "messages", "filters": {"dateFrom": "today"}}, "filters.dateFrom"),
        ({"source": "blocked-phones", "filters": {"status": "sent"}}, "filters.status"),
        ({"source": "messages", "filters": {"phone": "x" * 9000}}, "filters"),
        ({"source": "messages", "format": "pdf"}, "format"),
        ({"source": "messages", "columns": ["x"] * 201}, "columns"),
        ({"source": "statistics", "sendingProjectUuid": str(uuid7())}, "sendingProjectUuid"),
        ({}, "source"),
    ],
)
async def test_bad_input_is_told(ada, options, message):
    answer = await ada.rest("POST", "/export-link/start", json=options)
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    assert message in str(answer.json()["message"])


async def test_another_s_project_is_not_found(ada, bob, services):
    project_id = await project(services, ada)
    for id in (project_id, uuid7()):
        answer = await bob.rest(
            "POST", "/export-link/start", json={"source": "messages", "sendingProjectUuid": str(id)}
        )
        assert (answer.status_code, answer.json()["code"]) == (404, "sending_project_not_found")


async def test_the_same_key_starts_one(ada, services):
    headers, body = {"Idempotency-Key": "k"}, {"source": "messages"}
    first = await ada.rest("POST", "/export-link/start", json=body, headers=headers)
    again = await ada.rest("POST", "/export-link/start", json=body, headers=headers)
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (201, 201, "true")
    assert first.json() == again.json()
    other = await ada.rest("POST", "/export-link/start", json={"source": "statistics"}, headers=headers)
    assert other.status_code == 422
    assert await services.db.fetchval("SELECT count(*) FROM export_links") == 1


async def test_so_many_at_once(ada, services, written):
    answers = await asyncio.gather(
        *(ada.rest("POST", "/export-link/start", json={"source": "statistics"}) for _ in range(15))
    )
    assert sorted(answer.status_code for answer in answers) == [201] * 10 + [409] * 5
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"too_many_exports"}
    await written.write(next(answer.json() for answer in answers if answer.status_code == 201))
    await written.start(ada, "statistics")


async def test_the_columns_of_a_source(ada):
    for source in (
        "messages",
        "recipients",
        "sending-projects",
        "statistics",
        "blocked-phones",
        "audit",
        "bitrix24",
    ):
        shown = (await ada.rest("GET", f"/export-link/variables/{source}")).json()
        assert all(
            set(variable) == {"name", "label", "example"} and all(variable.values()) for variable in shown
        )
        graph = await ada.data(
            "query($s:String!){exportVariables(source:$s){name label example}}", {"s": source}
        )
        assert graph["exportVariables"] == shown
    assert (await ada.rest("GET", "/export-link/variables/No")).status_code == 400


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("message", "messages"),
        ("statistic", "statistics"),
        ("blockedphones", "blocked-phones"),
        ("sending-project", "sending-projects"),
    ],
)
async def test_a_source_that_is_nearly_ours_is_no_integration(ada, source, right):
    answer = await ada.rest("GET", f"/export-link/variables/{source}")
    assert (answer.status_code, answer.json()["code"]) == (404, "export_source_not_found"), answer.text
    assert right in answer.json()["message"]
    query = "query($s: String!) { exportVariables(source: $s) { name } }"
    assert await ada.code(query, {"s": source}) == "export_source_not_found"
    started = await ada.rest("POST", "/export-link/start", json={"source": source})
    assert (started.status_code, started.json()["code"]) == (404, "export_source_not_found")


async def test_through_graphql(ada, services, written):
    await many(services, ada, await project(services, ada), 1, "sent")
    made = await ada.data(
        'mutation{startExport(input:{source:"messages",format:ndjson,columns:["status"],filters:{status:"sent"}})'
        "{uuid id status filters columns}}"
    )
    link = made["startExport"]
    assert (link["status"], link["filters"], link["columns"]) == ("created", {"status": "sent"}, ["status"])
    await written.write(link)
    assert await written.fetched(ada, link) == b'{"status":"sent"}\n'
    seen = await ada.data("query($i:ID!){exportLink(id:$i){status url done}}", {"i": link["id"]})
    assert (seen["exportLink"]["status"], seen["exportLink"]["done"]) == ("ready", 1)
    assert "signature=" in seen["exportLink"]["url"]
    listed = await ada.data("{exportLinks{nodes{uuid url file{exports{nodes{uuid}}}} totalCount}}")
    (node,) = listed["exportLinks"]["nodes"]
    assert "signature=" in node.pop("url")
    assert node == {"uuid": link["uuid"], "file": {"exports": {"nodes": [{"uuid": link["uuid"]}]}}}
    assert listed["exportLinks"]["totalCount"] == 1
    assert (
        await ada.code("mutation($i:ID!){cancelExport(id:$i){uuid}}", {"i": link["id"]}) == "export_not_open"
    )


async def test_a_worker_writes_it(ada, services, written):
    """The job that `start` leaves, taken by a real worker."""
    from engine.worker import Worker

    await many(services, ada, await project(services, ada), 10, "sent")
    link = await written.start(ada, "messages")
    worker = Worker(services)
    working = asyncio.create_task(worker.run())
    try:

        async def ready():
            return (await written.get(ada, link))["status"] == "ready"

        await until(ready, 0.05)
    finally:
        worker.stop()
        await asyncio.wait_for(working, 30)
    assert len(table(await written.fetched(ada, link))) == 11


async def test_links_are_listed_newest_first_without_their_signed_link(ada, bob, written):
    made = [await written.start(ada, "messages") for _ in range(3)]
    await written.start(bob, "messages")
    await written.write(made[0])
    first = (await ada.rest("GET", "/export-link", params={"limit": 2})).json()
    last = (await ada.rest("GET", "/export-link", params={"limit": 2, "after": first["next"]})).json()
    assert last["next"] is None
    listed = [*first["items"], *last["items"]]
    assert [link["uuid"] for link in listed] == [link["uuid"] for link in reversed(made)]
    one = await written.get(ada, made[0])
    assert one.pop("url")
    assert listed[-1] == one
