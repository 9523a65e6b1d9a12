"""`python -m bench.erasure` erases people among two million messages, and then looks for them in all that is stored.

Contacts are those of `bench.consent`, a twentieth as many as messages. Each has a message in each of twenty projects,
every tenth a direct message, and every fifth an event in the feed. The owner has ten lists, files of a hundredth of the
contacts each, of which every second one has some of the people. `--messages` and `--people` set the numbers. The search
is `grep -F` for all addresses and names of the erased people in the text of every table, in every stored file, and in
every key and value of Redis, before and after.
"""

import argparse
import asyncio
import random
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.consent import fill, main
from core.ids import uuid7
from engine import files
from engine.persons import erasing
from engine.persons.beginning import begin, open_hasher
from runtime.services import Services
from tests.support.redis_search import keys_with

PROJECTS = 20
LISTS = 10
_AT_ONCE = 4
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status)
VALUES ($1, $2, $2, 'x', 'email', 'finished')
"""
_RECIPIENTS = """
INSERT INTO recipients (id, project_id, address, name, contact_id)
SELECT gen_random_uuid(), $1, a.address, c.name, c.id FROM contacts AS c
JOIN contact_addresses AS a ON a.contact_id = c.id
"""
_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, sent_at)
SELECT gen_random_uuid(), $1, $2, id, 'email', address, 'sent', now() FROM recipients WHERE project_id = $1
"""
_MESSAGES = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body)
SELECT postern_uuid7(), $1, $1, 'outbound', 'email', 'sent', a.address, 'Dear ' || c.name || ', your code is 1234.'
FROM contacts AS c JOIN contact_addresses AS a ON a.contact_id = c.id WHERE random() < 0.1
"""
_EVENTS = """
INSERT INTO events (owner_id, position, id, type, subject, subject_id, data, at)
SELECT $1, row_number() OVER (), postern_uuid7(), 'message.sent', 'message', gen_random_uuid(),
  jsonb_build_object('to', a.address, 'channel', 'email'), now()
FROM contact_addresses AS a WHERE random() < 0.2
"""
_TABLES = """
SELECT c.relname FROM pg_class AS c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1
"""
_LIST = """
INSERT INTO recipient_imports (id, owner_id, status, region, file_uuid, file_name)
VALUES ($1, $2, 'ready', 'US', $3, 'list.csv')
"""
_OTHERS = """
SELECT c.name || ',' || a.address FROM contacts AS c JOIN contact_addresses AS a ON a.contact_id = c.id
WHERE c.id <> ALL($1) ORDER BY random() LIMIT $2
"""
_CHOSEN = """
SELECT c.id, c.name, a.address FROM contacts AS c JOIN contact_addresses AS a ON a.contact_id = c.id
ORDER BY c.id LIMIT $1 OFFSET $2
"""


async def measure(services: Services, messages: int, people: int) -> None:
    contacts = messages // PROJECTS
    owner, _ = await fill(services, contacts)
    db = await asyncpg.connect(services.db.url)
    for _ in range(PROJECTS):
        project = uuid7()
        await db.execute(_PROJECT, project, owner)
        await db.execute(_RECIPIENTS, project, timeout=600)
        await db.execute(_RECORDS, project, owner, timeout=600)
    await db.execute(_MESSAGES, owner, timeout=600)
    await db.execute(_EVENTS, owner, timeout=600)
    await db.execute("VACUUM ANALYZE", timeout=600)
    chosen = await db.fetch(_CHOSEN, people, random.Random(1).randrange(max(contacts - people, 1)))
    await add_lists(services, db, owner, chosen, contacts // 100)
    needles = [text for row in chosen for text in (f'"{row["name"]}"', f",{row['name']},", row["address"])]
    print(f"{messages:,} messages of projects to {contacts:,} contacts; {len(chosen)} people")
    print(f"lines with one of them before: {await search(services, db, needles)}")
    hasher = await open_hasher(services)
    ids = [(await begin(db, hasher, owner, row["id"], None, owner)).id for row in chosen]
    begun, longest = time.perf_counter(), 0.0
    waiting = asyncio.Semaphore(_AT_ONCE)

    async def one(id: UUID) -> float:
        async with waiting:
            since = time.perf_counter()
            while await services.db.fetchval("SELECT state = 'running' FROM erasures WHERE id = $1", id):
                await erasing.erase(services, id)
                await services.db.fetch("DELETE FROM leases WHERE name LIKE 'persons.erase%'")
            return time.perf_counter() - since

    longest = max(await asyncio.gather(*map(one, ids)))
    took = time.perf_counter() - begun
    print(
        f"erased in {took:.1f} s, {took / len(ids) * 1000:.0f} ms each, {_AT_ONCE} at once; the longest {longest:.1f} s"
    )
    print(f"lines with one of them after: {await search(services, db, needles)}")
    print(f"files that stay, of {LISTS}: {await db.fetchval('SELECT count(*) FROM files')}")
    await db.close()


async def add_lists(
    services: Services, db: asyncpg.Connection, owner: UUID, chosen: list[asyncpg.Record], rows: int
) -> None:
    """Adds lists whose rows are gone and whose files are there; every second one has some of the people."""
    for number in range(LISTS):
        others = await db.fetch(_OTHERS, [row["id"] for row in chosen], rows)
        lines = [row[0] for row in others]
        lines += [f"{row['name']},{row['address']}" for row in chosen[number::LISTS] if number % 2 == 0]
        random.Random(number).shuffle(lines)

        async def content(lines: list[str] = lines) -> AsyncIterator[bytes]:
            yield "\n".join(lines).encode()

        file = await files.save(services, owner, "list.csv", None, content())
        await db.execute(_LIST, uuid7(), owner, file.id)


async def search(services: Services, db: asyncpg.Connection, needles: list[str]) -> dict[str, int]:
    """Returns how many lines of each table and of all files, and how many keys of Redis, have one of the texts."""
    hits = {}
    with tempfile.TemporaryDirectory() as folder:
        patterns, dump = Path(folder, "patterns"), Path(folder, "dump")
        patterns.write_text("\n".join(needles))
        stored = subprocess.run(
            ["grep", "-rhcF", "-f", patterns, services.settings.data_dir / "files"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if count := sum(map(int, stored.stdout.split())):
            hits["lines of files"] = count
        if keys := await keys_with(services.store.client, needles):
            hits["keys of Redis"] = len(keys)
        for table in await db.fetch(_TABLES):
            query = f"SELECT t::text FROM {table['relname']} AS t"
            await db.copy_from_query(query, output=dump, timeout=600)
            found = subprocess.run(
                ["grep", "-cF", "-f", patterns, dump],
                capture_output=True,
                text=True,
                check=False,
            )
            if count := int(found.stdout or 0):
                hits[table["relname"]] = count
    return hits


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=2_000_000)
    parser.add_argument("--people", type=int, default=500)
    asked = parser.parse_args()
    asyncio.run(main(asked.messages, lambda services, count: measure(services, count, asked.people)))
