"""The counters equal a recount, whatever moves the messages."""

import asyncio
import random

from core.ids import uuid7
from tests.message_records.rows import project

NINE = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")

COUNTED = f"""
SELECT project_id, owner_id, sum(total)::int AS total, {", ".join(f"sum({name})::int AS {name}" for name in NINE)},
  sum(replied)::int AS replied
FROM sending_counters GROUP BY 1, 2 ORDER BY 1
"""
RECOUNTED = f"""
SELECT project_id, owner_id, count(*)::int AS total,
  {", ".join(f"(count(*) FILTER (WHERE status = '{name}'))::int AS {name}" for name in NINE)},
  count(replied_at)::int AS replied
FROM message_records WHERE direction = 'outbound' GROUP BY 1, 2 ORDER BY 1
"""
REASONS = """
SELECT project_id, code, sum(count)::int AS number FROM failure_counters GROUP BY 1, 2 HAVING sum(count) <> 0
ORDER BY 1, 2
"""
REASONS_AGAIN = """
SELECT project_id, failure_code AS code, count(*)::int AS number FROM message_records
WHERE direction = 'outbound' AND status IN ('failed', 'skipped') AND failure_code IS NOT NULL GROUP BY 1, 2
  ORDER BY 1, 2
"""
INSERT = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, direction, failure_code, sent_at,
  replied_at)
SELECT gen_random_uuid(), p, o, 'sms', '+1', s, d, CASE WHEN s IN ('failed', 'skipped', 'unknown') THEN c END,
  CASE WHEN s IN ('sent', 'delivered', 'read') THEN now() END, CASE WHEN s = 'read' THEN now() END
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) AS n (p, o, s, d, c)
"""
UPDATE = """
UPDATE message_records AS m SET status = n.s, failure_code = CASE WHEN n.s IN ('failed', 'skipped', 'unknown')
  THEN n.c END,
  sent_at = CASE WHEN n.s IN ('sent', 'delivered', 'read') THEN COALESCE(m.sent_at, now()) ELSE m.sent_at END,
  delivered_at = CASE WHEN n.s IN ('delivered', 'read') THEN COALESCE(m.delivered_at, now()) ELSE m.delivered_at END,
  read_at = CASE WHEN n.s = 'read' THEN now() ELSE m.read_at END,
  replied_at = CASE WHEN n.s = 'read' AND n.c = 'expired' THEN now() ELSE m.replied_at END
FROM unnest($1::uuid[], $2::text[], $3::text[]) AS n (id, s, c) WHERE m.id = n.id
"""
CODES = ("expired", "rejected", "blocked")


async def moves(services, chance, owners, projects, rounds, *, undone=False):
    """Inserts and changes rows as one writer does; other writers change the same rows."""
    for _ in range(rounds):
        async with services.db.reading() as db, db.transaction():
            if chance.random() < 0.4:
                where = [chance.randrange(len(projects)) for _ in range(chance.randrange(40))]
                await db.execute(
                    INSERT,
                    [projects[at] for at in where],
                    [owners[at] for at in where],
                    [chance.choice(NINE) for _ in where],
                    [chance.choice(("outbound", "outbound", "inbound")) for _ in where],
                    [chance.choice(CODES) for _ in where],
                )
            else:
                rows = await db.fetch(
                    "SELECT id FROM message_records WHERE abs(hashtext(id::text)) % 7 = $1 ORDER BY id"
                    " LIMIT 60 FOR UPDATE",
                    chance.randrange(7),
                )
                await db.execute(
                    UPDATE,
                    [row["id"] for row in rows],
                    [chance.choice(NINE) for _ in rows],
                    [chance.choice(CODES) for _ in rows],
                )
            if undone and chance.random() < 0.3:
                await db.execute("SAVEPOINT s")
                await db.execute("UPDATE message_records SET status = 'canceled'")
                await db.execute("ROLLBACK TO SAVEPOINT s")


async def world(services, ada, bob):
    owners = [ada, ada, ada, bob]
    projects = [await project(services, owner) for owner in owners]
    return [owner.id for owner in owners], projects


async def equal(services):
    async with services.db.reading() as db, db.transaction(isolation="repeatable_read"):
        assert [tuple(row) for row in await db.fetch(COUNTED)] == [
            tuple(row) for row in await db.fetch(RECOUNTED)
        ]
        reasons, again = await db.fetch(REASONS), await db.fetch(REASONS_AGAIN)
        assert [tuple(row) for row in reasons] == [tuple(row) for row in again]


async def test_random_moves_one_after_the_other(ada, bob, services):
    owners, projects = await world(services, ada, bob)
    chance = random.Random(20261120)
    for _ in range(12):
        await moves(services, chance, owners, projects, 5, undone=True)
        await equal(services)


async def test_random_moves_at_once(ada, bob, services):
    """The writers change the same messages, projects and shards; each change is one transaction."""
    owners, projects = await world(services, ada, bob)

    async def writer(number):
        await moves(services, random.Random(number), owners, projects, 10)

    over = asyncio.Event()
    watching = asyncio.create_task(watch(services, over))
    try:
        await asyncio.gather(*(writer(number) for number in range(8)))
    finally:
        over.set()  # not cancelled: amid a query that may end in another way
        await watching
    await equal(services)


async def watch(services, over):
    """Checks at every moment that the counters agree."""
    while not over.is_set():
        await equal(services)


async def test_events_are_counted_when_they_happen_and_never_taken_back(ada, services):
    project_id = await project(services, ada)
    id = uuid7()
    async with services.db.reading() as db:
        await db.execute(
            "INSERT INTO message_records (id, project_id, owner_id, channel, \"to\") VALUES ($1, $2, $3, 'sms', '+1')",
            id,
            project_id,
            ada.id,
        )
        for change in (
            "status = 'sent', sent_at = now()",
            "status = 'delivered', delivered_at = now()",
            "status = 'read', read_at = now()",
            "replied_at = now()",
            "replied_at = now()",
            "status = 'failed', failure_code = 'rejected'",
            "status = 'queued'",
            "status = 'failed'",
        ):
            await db.execute(f"UPDATE message_records SET {change} WHERE id = $1", id)
        events = ("queued", "sent", "delivered", "read", "failed", "replied")
        sums = ", ".join(f"sum({name})::int" for name in events)
        row = await db.fetchrow(f"SELECT {sums} FROM statistics_buckets WHERE project_id = $1", project_id)
    assert tuple(row) == (1, 1, 1, 1, 2, 1)


async def test_rows_that_retention_deletes_stay_counted(ada, services):
    project_id = await project(services, ada)
    async with services.db.reading() as db:
        await db.execute(INSERT, [project_id], [ada.id], ["sent"], ["outbound"], ["expired"])
        await db.execute("DELETE FROM message_records")
        assert await db.fetchval("SELECT sum(sent) FROM sending_counters") == 1
