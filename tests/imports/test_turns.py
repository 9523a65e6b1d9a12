"""Owners take turns: one user's imports and exports hold up nobody else's."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from engine import imports
from engine.exports import export_links
from engine.imports.reader import large_reader
from engine.jobs import JOBS, JobName
from engine.worker import Worker
from runtime.leases import leased
from tests.imports.lists import unfolding
from tests.imports.test_imports import LIST, A
from tests.imports.test_readers import BIG, children
from tests.support.rounds import run_round
from tests.support.waits import until

UNFINISHED = "SELECT count(*) FROM recipient_imports WHERE owner_id = $1 AND status = 'processing'"
QUEUED = (
    "SELECT payload, execute_after > now() AS later FROM pgqueuer WHERE entrypoint = 'imports.read'"
    " AND status = 'queued'"
)


@asynccontextmanager
async def working(services) -> AsyncIterator[None]:
    """A real worker."""
    worker = Worker(services)
    running = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await asyncio.wait_for(running, 60)


async def test_one_user_s_imports_keep_nobody_waiting(ada, bob, lists, services):
    """With slots for all, a stranger's line waited until all imports before it were read."""
    file = (await ada.rest("POST", "/file-uploader", files={"file": ("l.csv", BIG.encode())})).json()["uuid"]
    for _ in range(6):
        assert (await ada.rest("POST", "/recipient-import", json={"fileUuid": file})).status_code == 202
    made = await lists.upload(bob, LIST)
    link = (await bob.rest("POST", "/export-link/start", json={"source": "messages"})).json()
    most = 0

    async def done():
        nonlocal most
        most = max(most, len(children()))
        state = (await bob.rest("GET", f"/recipient-import/{made['uuid']}")).json()["status"]
        exported = (await bob.rest("GET", f"/export-link/{link['uuid']}")).json()["status"]
        return state == "ready" and exported == "ready"

    async with working(services):
        await until(done, 0.02)
        assert await services.db.fetchval(UNFINISHED, ada.id) >= 4
        assert most <= 2


async def test_spreadsheets_that_unfold_end_soon(ada, bob, lists, services):
    file = (await ada.rest("POST", "/file-uploader", files={"file": ("l.xlsx", unfolding())})).json()["uuid"]
    for _ in range(24):
        assert (await ada.rest("POST", "/recipient-import", json={"fileUuid": file})).status_code == 202
    made = await lists.upload(bob, LIST)

    async def done():
        return (await bob.rest("GET", f"/recipient-import/{made['uuid']}")).json()["status"] == "ready"

    async with working(services):
        await until(done, 0.02)
        assert await services.db.fetchval(UNFINISHED, ada.id) > 12
        for left in range(23, -1, -1):  # they are read one after another
            await until(
                lambda most=left: services.db.fetchval(f"SELECT ({UNFINISHED}) <= $2", ada.id, most), 0.1
            )
    rows = await services.db.fetch(
        "SELECT DISTINCT status, failure_code, attempts FROM recipient_imports WHERE owner_id = $1", ada.id
    )
    assert [tuple(row) for row in rows] == [("failed", "file_too_complex", 1)]


async def test_of_an_owner_s_imports_one_is_read_at_a_time(ada, bob, lists, services):
    first, second = await lists.upload(ada, BIG), await lists.upload(ada, LIST)
    other = await lists.upload(bob, LIST)
    reading = asyncio.create_task(imports.read(services, UUID(first["uuid"])))
    await until(children)
    assert (await lists.read(ada, second))["status"] == "processing"
    assert (await lists.read(bob, other))["status"] == "ready"
    await reading
    assert (await lists.read(ada, second))["status"] == "ready"


async def test_a_round_finds_imports_that_have_no_job(ada, bob, lists, services):
    made = [await lists.upload(owner, LIST) for owner in (ada, ada, bob)]
    await services.db.fetch("DELETE FROM pgqueuer")
    for _ in range(2):
        await run_round(services, "wake_read")
    (job,) = await services.db.fetch(QUEUED)
    assert not job["later"]
    await JOBS[JobName.read_import].work(services, UUID(int=0))
    for owner, each in zip((ada, ada, bob), made, strict=True):
        assert (await owner.rest("GET", f"/recipient-import/{each['uuid']}")).json()["status"] == "ready"
    await services.db.fetch("DELETE FROM pgqueuer")
    await run_round(services, "wake_read")
    assert await services.db.fetch(QUEUED) == []


async def test_a_list_that_needs_much_memory_waits_for_the_one_reader_that_has_it(ada, lists, services):
    large, small = await lists.upload(ada, BIG), await lists.upload(ada, LIST)
    await services.db.fetch("DELETE FROM pgqueuer")
    async with large_reader(services):
        reading = asyncio.create_task(imports.read(services, UUID(large["uuid"])))
        (pid,) = await until(children)
        os.kill(pid, signal.SIGABRT)  # like the allocator of a reader that gets no more memory
        await reading
        assert children() == []
        (job,) = await services.db.fetch(QUEUED)
        assert job["later"], "it asks again after a pause"
        assert (await lists.read(ada, small))["status"] == "ready"
        assert (await lists.read(ada, large))["status"] == "processing"
    await services.db.fetch("UPDATE leases SET expires_at = now()")
    done = await lists.read(ada, large)
    assert (done["status"], done["valid"]) == ("ready", 150_000)
    assert (
        await services.db.fetchval(
            "SELECT attempts FROM recipient_imports WHERE id = $1", UUID(large["uuid"])
        )
        == 1
    )


async def test_who_had_the_reader_with_much_memory_lets_another_owner_go_first(ada, bob, lists, services):
    """Else the imports of one owner could follow each other for as long as there are any."""
    first, second = await lists.upload(ada, LIST), await lists.upload(ada, LIST)
    other = await lists.upload(bob, LIST)
    await services.db.fetch("UPDATE recipient_imports SET options = options || '{\"large\": true}'")
    assert (await lists.read(ada, first))["status"] == "ready"
    assert (await lists.read(ada, second))["status"] == "processing"
    await services.db.fetch("UPDATE leases SET expires_at = now()")
    async with leased(services.db, f"imports.read:{other['uuid']}", 30):  # it is being read already
        assert (await lists.read(ada, second))["status"] == "ready"
    assert (await lists.read(bob, other))["status"] == "ready"


async def test_so_many_imports_of_a_user_may_wait(ada, bob, services):
    await services.db.fetch(
        "INSERT INTO recipient_imports (id, owner_id, region) SELECT gen_random_uuid(), $1, 'US'"
        " FROM generate_series(1, 99)",
        ada.id,
    )
    body = {"rows": [{"phone": A}]}
    key = {"Idempotency-Key": "k"}
    accepted = await ada.rest("POST", "/recipient-import", json=body, headers=key)
    assert accepted.status_code == 202
    form = {"file": ("l.csv", LIST.encode())}
    for answer in (
        await ada.rest("POST", "/recipient-import", json=body),
        await ada.rest("POST", "/recipient-import", files=form),
        await ada.rest("POST", "/recipient-import", files=form, headers={"Idempotency-Key": "other"}),
        await ada.rest("POST", "/recipient-import/text", json={"text": A}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_imports"), answer.text
        assert answer.headers["Retry-After"]
    again = await ada.rest("POST", "/recipient-import", json=body, headers=key)
    assert (again.status_code, again.json()["uuid"]) == (202, accepted.json()["uuid"])
    assert (await bob.rest("POST", "/recipient-import", json=body)).status_code == 202
    await imports.read(services, UUID(accepted.json()["uuid"]))
    assert (await ada.rest("POST", "/recipient-import", json=body)).status_code == 202


async def test_of_two_at_once_only_one_is_the_last_that_may_wait(ada, services):
    await services.db.fetch(
        "INSERT INTO recipient_imports (id, owner_id, region) SELECT gen_random_uuid(), $1, 'US'"
        " FROM generate_series(1, 99)",
        ada.id,
    )
    answers = await asyncio.gather(
        *(ada.rest("POST", "/recipient-import", json={"rows": [{"phone": A}]}) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [202, 429, 429, 429]


async def test_one_export_of_an_owner_is_written_at_a_time(ada, bob, services, monkeypatch):
    at_work, most, go = set(), 0, asyncio.Event()
    write = export_links._write

    async def slowly(export):
        nonlocal most
        at_work.add(export.id)
        most = max(most, len(at_work))
        await go.wait()
        await write(export)
        at_work.discard(export.id)

    monkeypatch.setattr(export_links, "_write", slowly)
    links = [
        (await ada.rest("POST", "/export-link/start", json={"source": "messages"})).json() for _ in range(4)
    ]
    other = (await bob.rest("POST", "/export-link/start", json={"source": "messages"})).json()
    status = "SELECT status FROM export_links WHERE id = ANY($1)"
    async with working(services):
        await until(lambda: len(at_work) == 2)
        assert UUID(other["uuid"]) in at_work
        go.set()
        ids = [UUID(link["uuid"]) for link in (*links, other)]

        async def ready():
            return {row["status"] for row in await services.db.fetch(status, ids)} == {"ready"}

        await until(ready, 0.05)
    assert most == 2
