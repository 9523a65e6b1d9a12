"""Two hostile users beside a calm one, in each kind of background work: `python -m bench.fair_work [rounds]`.

A real `postern serve` with one worker, real sockets. The hostile users have much work, of one kind at a time, before
the calm one begins. Printed is how long the calm user waits for one small piece, alone and beside the hostile ones.
"""

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

import asyncpg
import httpx

from bench.hostile_imports import ended
from bench.serving import Installation, installation

GOAL = 3.0  # seconds that the calm user waits at most longer
HOSTILE = ("mallory", "trudy")
_LINES = 200_000  # of a hostile import
_PROJECTS = 60  # of a hostile user
_RECIPIENTS = 20_000  # of each of these
_IMPORTS, _EXPORTS = 30, 10

_ROWS = """
INSERT INTO import_rows (import_id, line, address, name)
SELECT $1, n, '+1415' || lpad(n::text, 7, '0'), 'N' FROM generate_series(1, $2::int) AS n
"""
_AUDIENCE = """
INSERT INTO recipients (id, project_id, address)
SELECT gen_random_uuid(), $1, '+1415' || lpad(n::text, 7, '0') FROM generate_series(1, $2::int) AS n
"""
Attack = Callable[[Installation, httpx.AsyncClient], Awaitable[None]]


async def _made(http: httpx.AsyncClient, path: str, **body: object) -> str:
    uuid: str = (await http.post(path, json=body)).raise_for_status().json()["uuid"]
    return uuid


async def _project(http: httpx.AsyncClient) -> str:
    return await _made(http, "/sending-project", name="p", channel="sms", text="t")


async def _imports(running: Installation, http: httpx.AsyncClient) -> None:
    lines = "\n".join(f"+1415{number:07}; N" for number in range(_LINES))
    file = (await http.post("/file-uploader", files={"file": ("l.csv", lines.encode())})).json()["uuid"]
    for _ in range(_IMPORTS):
        await _made(http, "/recipient-import", fileUuid=file)


async def _exports(running: Installation, http: httpx.AsyncClient) -> None:
    project = await _filled(running, http, _LINES)
    for _ in range(_EXPORTS):
        await _made(http, "/export-link/start", source="recipients", sendingProjectUuid=project)


async def _filled(running: Installation, http: httpx.AsyncClient, recipients: int) -> str:
    project = await _project(http)
    db = await asyncpg.connect(running.database_url)
    await db.execute(_AUDIENCE, project, recipients, timeout=300)
    await db.close()
    return project


async def _additions(running: Installation, http: httpx.AsyncClient) -> None:
    source = await _made(http, "/recipient-import/text", text="+14155550100; Anna")
    await ended(http, f"/recipient-import/{source}", ("ready", "failed"))
    db = await asyncpg.connect(running.database_url)
    await db.execute("DELETE FROM import_rows WHERE import_id = $1", source)
    await db.execute(_ROWS, source, 2 * _LINES, timeout=300)
    await db.execute("UPDATE recipient_imports SET total = $2, valid = $2 WHERE id = $1", source, 2 * _LINES)
    await db.close()
    for _ in range(_PROJECTS // 2):
        (
            await http.post(f"/recipient/{await _project(http)}", json={"importUuid": source})
        ).raise_for_status()


async def _starts(running: Installation, http: httpx.AsyncClient) -> None:
    for _ in range(_PROJECTS):
        project = await _filled(running, http, _RECIPIENTS)
        (await http.post(f"/sending-project/start/{project}")).raise_for_status()


async def _import(http: httpx.AsyncClient) -> None:
    made = await _made(http, "/recipient-import/text", text="+14155550100; Anna")
    await ended(http, f"/recipient-import/{made}", ("ready", "failed"))


async def _export(http: httpx.AsyncClient) -> None:
    made = await _made(http, "/export-link/start", source="messages")
    await ended(http, f"/export-link/{made}", ("ready", "failed"))


async def _send(http: httpx.AsyncClient) -> None:
    project = await _project(http)
    people = [{"phone": f"+1415555{number:04}"} for number in range(10)]
    (await http.post(f"/recipient/{project}", json={"recipients": people})).raise_for_status()
    (await http.post(f"/sending-project/start/{project}")).raise_for_status()
    await ended(http, f"/sending-project/{project}", ("finished", "paused"))


KINDS: dict[str, tuple[Attack, Callable[[httpx.AsyncClient], Awaitable[None]]]] = {
    "imports": (_imports, _import),
    "exports": (_exports, _export),
    "additions to projects": (_additions, _send),
    "projects that are prepared and sent": (_starts, _send),
}


async def _waits(
    calm: httpx.AsyncClient, work: Callable[[httpx.AsyncClient], Awaitable[None]]
) -> list[float]:
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        await work(calm)
        times.append(time.perf_counter() - begun)
    return times


async def main(rounds: int) -> int:
    worst = 0.0
    for name, (attack, work) in KINDS.items():
        for _ in range(rounds):
            async with installation("calm", *HOSTILE) as running:
                db = await asyncpg.connect(running.database_url)
                await db.execute(
                    "UPDATE tariffs SET max_recipients_per_project = 100000000, messages_per_day = 100000000"
                )
                await db.execute("UPDATE accounts SET balance = 1000000")
                await db.close()
                calm = running.users["calm"]
                await work(calm)  # until the worker has started
                alone = await _waits(calm, work)
                await asyncio.gather(*(attack(running, running.users[each]) for each in HOSTILE))
                beside = await _waits(calm, work)
            longer = max(beside) - statistics.median(alone)
            worst = max(worst, longer)
            print(
                f"{name:36} alone {statistics.median(alone):5.2f} s; beside p50 {statistics.median(beside):6.2f} s,"
                f" worst {max(beside):6.2f} s"
            )
    print(f"the calm user waited at most {worst:.2f} s longer, goal {GOAL} s")
    return 0 if worst <= GOAL else 1


if __name__ == "__main__":
    os.environ.setdefault("POSTERN_LOG_LEVEL", "error")
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)))
