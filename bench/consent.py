"""`python -m bench.consent` measures topics with a million subscribers: lists, sizes, the reading of an audience, and
what asking for consent costs a message.

Rows are made by SQL: contacts with an email address each, and five topics to which half, a fifth and three times a
tenth of them are subscribed. The reading of an audience is held against COPY of the same recipients within the run.
`--contacts` sets the number.
"""

import argparse
import asyncio
import io
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from core.settings import Settings
from engine.projects import batches, contact_audience
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, open_services

_OWNER = "INSERT INTO users (id, email, roles) VALUES ($1, 'bench@example.com', '{user}')"
_ACCOUNT = "INSERT INTO accounts (id, owner_id, name, currency) VALUES ($1, $1, 'x', 'USD')"
_CONTACTS = """
INSERT INTO contacts (id, owner_id, name, fields)
SELECT gen_random_uuid(), $1, 'Name ' || i, jsonb_build_object('city', 'city' || i % 100)
FROM generate_series($2::int, $3::int) AS i
"""
_ADDRESSES = """
INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, "primary")
SELECT gen_random_uuid(), owner_id, id, 'email', replace(name, ' ', '') || '@example.com', true FROM contacts
"""
_TOPIC = "INSERT INTO topics (id, owner_id, key, name) VALUES ($1, $2, $3, $3)"
_SUBSCRIBE = """
INSERT INTO topic_subscriptions (id, owner_id, contact_id, topic_id, channel, state)
SELECT gen_random_uuid(), owner_id, id, $1, 'email', CASE WHEN random() < 0.9 THEN 'active' ELSE 'withdrawn' END
FROM contacts WHERE random() < $2
"""
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, preparation, recipients_pending,
  audience)
VALUES ($1, $2, $2, 'x', 'email', 'running', 'freeze', 1, $3)
"""
_PAGE = "SELECT * FROM topic_subscriptions WHERE topic_id = $1 ORDER BY id DESC LIMIT 21"
_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, unit_id, channel, "to")
SELECT gen_random_uuid(), project_id, $1, id, $2, 'email', address FROM recipients WHERE project_id = $3 LIMIT 500
"""
_SHARES = {"half": 0.5, "fifth": 0.2, "tenth a": 0.1, "tenth b": 0.1, "tenth c": 0.1}
_STEP = 50_000


async def main(contacts: int, measure: Callable[[Services, int], Awaitable[None]]) -> None:
    """Measures on a database of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        settings = Settings(
            _env_file=None,
            data_dir=Path(folder),
            db_string=postgres.url,
            redis_url=redis.url,
            secret_key="s" * 32,
            jwt_key="j" * 32,
            log_level="error",
        )
        await prepare(settings)
        services = open_services(settings)
        try:
            await measure(services, contacts)
        finally:
            await services.close()


async def fill(services: Services, contacts: int) -> tuple[UUID, dict[str, UUID]]:
    """Adds contacts and their subscriptions. Returns their owner, and the topics by the shares of `_SHARES`."""
    owner = uuid7()
    db = await asyncpg.connect(services.db.url)  # without the limit of a statement's time
    try:
        await db.execute(_OWNER, owner)
        await db.execute(_ACCOUNT, owner)
        for first in range(1, contacts + 1, _STEP):
            await db.execute(_CONTACTS, owner, first, min(first + _STEP - 1, contacts), timeout=300)
        await db.execute(_ADDRESSES, timeout=600)
        topics = {}
        for name, share in _SHARES.items():
            topics[name] = uuid7()
            await db.execute(_TOPIC, topics[name], owner, name.replace(" ", "-"))
            await db.execute(_SUBSCRIBE, topics[name], share, timeout=600)
        await db.execute("VACUUM ANALYZE", timeout=600)
    finally:
        await db.close()
    return owner, topics


async def measure(services: Services, contacts: int) -> None:
    owner, topics = await fill(services, contacts)
    print(f"{contacts:,} contacts, five topics")
    for name in ("half", "tenth a"):
        print(
            f"a page of the subscribers of {name}: {await median(lambda n=name: page(services, topics[n])):.2f} ms"
        )
    every = {"topicUuids": [*map(str, topics.values())]}
    without = {"topicUuids": [str(topics["half"])], "exceptTopicUuids": [str(topics["fifth"])]}
    for label, audience in (("all topics", every), ("half without a fifth", without)):
        begun = time.perf_counter()
        size, _ = await contact_audience.size(services.db, owner, "email", audience)
        print(f"size of {label}: {size:,} in {time.perf_counter() - begun:.2f} s")
    project = await read(services, owner, every)
    rest = {"topicUuids": [str(topics["half"])], "exceptProjectUuids": [str(project)]}
    begun = time.perf_counter()
    size, _ = await contact_audience.size(services.db, owner, "email", rest)
    print(
        f"size of half without the recipients of that project: {size:,} in {time.perf_counter() - begun:.2f} s"
    )
    await intents(services, owner, project, [*topics.values()])


async def page(services: Services, topic: UUID) -> None:
    await services.db.fetch(_PAGE, topic)


async def read(services: Services, owner: UUID, audience: Any, asked: Any = None) -> UUID:
    """Reads an audience as a worker does, and copies its recipients to another project."""
    project, other = uuid7(), uuid7()
    async with services.db.reading() as db:
        await db.execute(_PROJECT, project, owner, audience)
        await db.execute("UPDATE sending_projects SET audience_segments = $2 WHERE id = $1", project, asked)
        await db.execute(_PROJECT, other, owner, None)
    begun, done = time.perf_counter(), False
    while not done:
        async with services.db.transaction() as db:
            done = await contact_audience._read_page(db, project)
    took = time.perf_counter() - begun
    rows = io.BytesIO()
    plain = await asyncpg.connect(services.db.url)
    columns = ["address", "address_key", "name", "variables", "timezone", "contact_id"]
    query = f"SELECT gen_random_uuid(), '{other}', {', '.join(columns)} FROM recipients WHERE project_id = '{project}'"
    await plain.copy_from_query(query, output=rows, timeout=600)
    rows.seek(0)
    begun = time.perf_counter()
    tag = await plain.copy_to_table(
        "recipients", source=rows, columns=["id", "project_id", *columns], timeout=600
    )
    copied = time.perf_counter() - begun
    await plain.close()
    count = int(tag.split()[1])
    print(f"read: {count:,} recipients in {took:.1f} s, {count / took:,.0f}/s; COPY {count / copied:,.0f}/s: "
          f"{copied / took:.2f} of COPY")  # fmt: skip
    return project


async def intents(services: Services, owner: UUID, project: UUID, topics: list[UUID]) -> None:
    """Reads and marks a batch of 500 messages with and without the question for consent, in turns."""
    unit = uuid7()
    async with services.db.reading() as db:
        await db.execute(
            "INSERT INTO sending_units (id, project_id, claim_id) VALUES ($1, $2, $1)", unit, project
        )
        await db.execute(_RECORDS, owner, unit, project)
        await db.execute("VACUUM ANALYZE message_records", timeout=600)
        taken: dict[str, list[float]] = {"without": [], "with": []}
        for _ in range(20):
            for name, asked in (("without", None), ("with", topics)):
                transaction = db.transaction()
                await transaction.start()
                begun = time.perf_counter()
                await db.fetch(batches._MESSAGES, unit, 500, "promotional", asked)
                await db.execute(batches._RECORD_ALL_INTENTS, unit, unit, "smtp", 1, asked, "promotional")
                taken[name].append(time.perf_counter() - begun)
                await transaction.rollback()
    without, asking = (statistics.median(taken[name]) * 2000 for name in ("without", "with"))
    print(f"a batch's reading and intents: {without:.1f} µs a message, with consent {asking:.1f}")


async def median(call: Callable[[], Awaitable[None]]) -> float:
    """Returns the median milliseconds of twenty calls."""
    taken = []
    for _ in range(20):
        begun = time.perf_counter()
        await call()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contacts", type=int, default=1_000_000)
    asyncio.run(main(parser.parse_args().contacts, measure))
