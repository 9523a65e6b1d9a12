"""Readers of imported files: one at a time, in a process of its own, which may die."""

import asyncio
import os
import signal
from pathlib import Path
from uuid import UUID

from engine import imports
from runtime.leases import leased
from tests.imports.test_imports import LIST
from tests.support.rounds import run_round
from tests.support.waits import until


async def test_one_reader_at_a_time_and_again_is_harmless(ada, lists, services):
    made = await lists.upload(ada, LIST)
    id = UUID(made["uuid"])
    await asyncio.gather(*(imports.read(services, id) for _ in range(3)))
    done = await lists.read(ada, made)
    assert (done["status"], done["total"]) == ("ready", 4)
    assert await services.db.fetchval("SELECT attempts FROM recipient_imports") == 1


async def test_what_a_dead_worker_left_is_begun_anew(ada, lists, services):
    made = await lists.upload(ada, LIST)
    id = UUID(made["uuid"])
    await services.db.fetch(
        "INSERT INTO import_rows (import_id, line, address) VALUES ($1, 2, 'x'), ($1, 99, 'y')", id
    )
    await services.db.fetch("UPDATE recipient_imports SET total = 2, valid = 2, attempts = 1")
    await services.db.fetch("DELETE FROM pgqueuer")
    waiting = "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'imports.read'"
    async with leased(services.db, f"imports.read:{id}", 30):
        await run_round(services, "wake_read")
        await imports.read(services, id)
    assert await services.db.fetchval(waiting) == 0, "somebody reads it"
    for _ in range(2):
        await run_round(services, "wake_read")
    assert await services.db.fetchval(waiting) == 1
    done = await lists.read(ada, made)
    assert (done["status"], done["total"]) == ("ready", 4)
    assert [row["line"] for row in await lists.rows(ada, made)] == [2, 3, 4, 5]


async def test_an_import_that_ends_all_its_readers_fails(ada, lists, services):
    made = await lists.upload(ada, LIST)
    await services.db.fetch("UPDATE recipient_imports SET attempts = $1", imports.ATTEMPTS)
    done = await lists.read(ada, made)
    assert done["status"] == "failed"
    assert "10 attempts" in done["statusReason"]


BIG = "phone;name\n" + "".join(f"+1415{n:07};Somebody number {n}\n" for n in range(2_000_000, 2_150_000))


async def test_progress_is_seen_and_a_deleted_import_is_not_read_on(ada, lists, services):
    made = await lists.upload(ada, BIG)
    reading = asyncio.create_task(imports.read(services, UUID(made["uuid"])))

    async def some():
        return (await ada.rest("GET", f"/recipient-import/{made['uuid']}")).json()["valid"]

    assert 0 < await until(some) <= 150_000
    assert (await ada.rest("DELETE", f"/recipient-import/{made['uuid']}")).status_code == 204
    await reading
    assert await services.db.fetchval("SELECT count(*) FROM import_rows") == 0


async def test_who_lost_the_lease_writes_nothing_more(ada, lists, services):
    made = await lists.upload(ada, BIG)
    id = UUID(made["uuid"])
    reading = asyncio.create_task(imports.read(services, id))
    await until(lambda: services.db.fetchval("SELECT valid FROM recipient_imports"))
    taken = "UPDATE leases SET holder = gen_random_uuid(), expires_at = now() + interval '1 hour'"
    await services.db.fetch(taken)
    await reading
    written = await services.db.fetchval("SELECT count(*) FROM import_rows")
    row = await services.db.fetchrow("SELECT status, valid FROM recipient_imports")
    assert (row["status"], row["valid"]) == ("processing", written)
    await services.db.fetch("DELETE FROM leases")
    done = await lists.read(ada, made)
    assert (done["status"], done["valid"]) == ("ready", 150_000)


async def test_a_worker_that_is_told_to_stop_leaves_it_to_others(ada, lists, services):
    made = await lists.upload(ada, BIG)
    services.stopping.set()
    await imports.read(services, UUID(made["uuid"]))
    assert await services.db.fetchval("SELECT status FROM recipient_imports") == "processing"
    services.stopping.clear()
    assert (await lists.read(ada, made))["valid"] == 150_000


def children() -> list[int]:
    """Readers of this process."""
    pids = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [int(pid) for pid in pids if b"engine.file_parsers" in _command(pid)]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:  # it has ended meanwhile
        return b""


async def test_a_reader_that_is_killed_is_not_the_list_s_fault(ada, lists, services):
    made = await lists.upload(ada, BIG)
    reading = asyncio.create_task(imports.read(services, UUID(made["uuid"])))
    (pid,) = await until(children)
    os.kill(pid, signal.SIGKILL)
    await reading
    assert await services.db.fetchval("SELECT status FROM recipient_imports") == "processing"
    assert (await lists.read(ada, made))["valid"] == 0, "it is begun again after a pause"
    await services.db.fetch("UPDATE leases SET expires_at = now()")
    assert (await lists.read(ada, made))["valid"] == 150_000
    assert children() == []


async def test_a_reader_that_its_list_brought_down_is_the_list_s_fault(ada, lists, services):
    """The allocator ends the reader like this when a spreadsheet unpacks to more than the process may have."""
    made = await lists.upload(ada, BIG)
    reading = asyncio.create_task(imports.read(services, UUID(made["uuid"])))
    (pid,) = await until(children)
    os.kill(pid, signal.SIGABRT)
    (with_more_memory,) = await until(lambda: [child for child in children() if child != pid])
    os.kill(with_more_memory, signal.SIGABRT)
    await reading
    done = (await ada.rest("GET", f"/recipient-import/{made['uuid']}")).json()
    assert (done["status"], "more memory" in done["statusReason"]) == ("failed", True)


def test_a_reader_knows_no_secrets(monkeypatch):
    for name in ("DB_STRING", "REDIS_URL", "POSTERN_SECRET_KEY", "POSTERN_JWT_KEY"):
        monkeypatch.setenv(name, "secret")
    assert "secret" not in imports.environment().values()
