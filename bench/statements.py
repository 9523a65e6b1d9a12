"""`python -m bench.statements` measures how long the statement of a month takes that has five million entries.

Rows are made by SQL on servers of its own, which are deleted at the end: one entry in five is of a project with as many
messages as entries, the others are of direct messages. `--messages` says which part of the direct entries has its
message, as a percentage: what the retention has deleted has none, and a message takes far longer to insert than an
entry. The job then runs in this process, as a worker would run it. Printed are its seconds, the most memory of this
process, the lines, and whether they are the ledger to the digit.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from core.ids import least_uuid7, uuid7
from core.settings import Settings
from engine.reconciliations import jws
from engine.reconciliations.verifying import Trust, verify_document
from engine.statements.form import FORM
from engine.statements.making import make_statement
from engine.statements.months import begin_of, newest_final
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, open_services
from tests.support.arguments import integer

GOAL_SECONDS, GOAL_MIB = 60, 512
_STEP = 250_000
_OWNER = """
INSERT INTO users (id, email, roles)
SELECT id, id || '@example.com', '{user}' FROM (SELECT $1::uuid AS id) AS made
"""
_ACCOUNT = """
INSERT INTO accounts (id, owner_id, name, currency, balance, created_at) VALUES ($1, $2, 'x', 'USD', 0, $3)
"""
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, text)
VALUES ($1, $2, $3, 'bench', 'sms', 'stopped', 'Hi')
"""
_ID = """
CREATE FUNCTION bench_id(first uuid, number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT encode(overlay(uuid_send(first) PLACING int8send(number) FROM 9 FOR 8), 'hex')::uuid
$$
"""
_ENTRIES = """
INSERT INTO ledger_entries (id, created_at, account_id, kind, amount, reference, project_id)
SELECT bench_id($1, i), $2::timestamptz + i * interval '0.4 s', $3, 'charge', -(ARRAY[0.0079, 0.075, 0.04])[1 + i % 3],
  bench_id($1, i), CASE WHEN i % 5 = 0 THEN $4::uuid END FROM generate_series($5::int, $6::int) AS i
"""
_TO = "(ARRAY['+1415', '+49151', '+44770'])[1 + i % 3] || lpad((i % 10000000)::text, 7, '0')"
_MESSAGES = f"""
INSERT INTO messages (id, created_at, owner_id, account_id, direction, channel, "to", body, price, segments, provider,
  state, sent_at)
SELECT bench_id($1, i), $2::timestamptz + i * interval '0.4 s', $3, $4, 'outbound', 'sms', {_TO}, 'x',
  (ARRAY[0.0079, 0.075, 0.04])[1 + i % 3], 1 + i % 2, (ARRAY['twilio', 'vonage'])[1 + i % 2], 'delivered', $2
FROM generate_series($5::int, $6::int) AS i WHERE i % 5 <> 0 AND i % 100 < $7
"""
_RECORDS = f"""
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, price, parts, provider, handed_at,
  sent_at)
SELECT gen_random_uuid(), $1, $2, 'sms', {_TO}, 'delivered', (ARRAY[0.0079, 0.075, 0.04])[1 + i % 3], 1, 'twilio', $3,
  $3
FROM generate_series($4::int, $5::int) AS i WHERE i % 5 = 0
"""
_CREDIT = """
INSERT INTO ledger_entries (id, created_at, account_id, kind, amount, reference)
SELECT $1, $2, $3, 'credit', -sum(amount), $1 FROM ledger_entries WHERE account_id = $3
"""
_STATEMENT = "INSERT INTO statements (id, account_id, month) VALUES ($1, $2, $3)"
_MADE = """
SELECT s.document, s.signature, s.state, k.public_key FROM statements AS s JOIN signing_keys AS k ON k.kid = s.key_id
"""


async def fill(db: asyncpg.Connection, account: UUID, begin: datetime, count: int, messages: int) -> None:
    """Makes a month of an account."""
    owner, project, first = uuid7(), uuid7(), least_uuid7(begin + timedelta(minutes=1))
    await db.execute(_ID)
    await db.execute(_OWNER, owner)
    await db.execute(_ACCOUNT, account, owner, begin)
    await db.execute(_PROJECT, project, owner, account)
    # Counters and events of rows are not what is measured.
    for table in ("ledger_entries", "messages", "message_records"):
        await db.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    for at in range(1, count + 1, _STEP):
        to = min(at + _STEP - 1, count)
        await db.execute(_ENTRIES, first, begin, account, project, at, to, timeout=600)
        await db.execute(_MESSAGES, first, begin, owner, account, at, to, messages, timeout=600)
        await db.execute(_RECORDS, project, owner, begin + timedelta(days=3), at, to, timeout=600)
    await db.execute(_CREDIT, least_uuid7(begin), begin, account, timeout=600)
    await db.execute("VACUUM ANALYZE", timeout=1200)


async def measure(services: Services, account: UUID) -> bool:
    """Makes the statement and checks it. Returns whether the goals are met."""
    month = newest_final(services.db.now())
    statement = uuid7()
    async with services.db.transaction() as db:
        await db.execute(_STATEMENT, statement, account, month)
    begun = time.perf_counter()
    await make_statement(services, statement)
    seconds = time.perf_counter() - begun
    row: Any = await services.db.fetchrow(_MADE)
    document = orjson.loads(row["document"])
    bundle = {
        "document": document,
        "signature": row["signature"],
        "keys": {"keys": [jws.jwk(row["public_key"])]},
    }
    verify_document(orjson.dumps(bundle), Trust(), (FORM,))
    lines = sum((Decimal(line["amount"] or 0) for line in document["lines"]), Decimal())
    async with services.db.reading() as db:
        stored = await db.fetchval("SELECT sum(amount) FROM ledger_entries", timeout=600)
    entries = sum(total["entries"] for total in document["totals"])
    print(
        f"{entries:,} entries, {row['state']}: {seconds:.1f} s, {peak():.0f} MiB at most,"
        f" {len(document['lines'])} lines; lines {lines}, ledger {stored}"
    )
    return seconds <= GOAL_SECONDS and peak() <= GOAL_MIB and lines == stored and row["state"] == "balanced"


def peak() -> float:
    """Returns the most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def main(count: int, messages: int) -> int:
    """Runs it on servers of its own. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        data = Path(folder)
        with EmbeddedPostgres(data / "postgres") as postgres, EmbeddedRedis(data / "redis") as redis:
            settings = Settings(
                _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32,
                data_dir=data,
            )  # fmt: skip
            await prepare(settings)
            db = await asyncpg.connect(postgres.url)
            account, begun = uuid7(), time.perf_counter()
            month = newest_final(await db.fetchval("SELECT now()"))
            await fill(db, account, begin_of(month), count, messages)
            size = await db.fetchval("SELECT pg_database_size(current_database())")
            print(f"filled in {time.perf_counter() - begun:.0f} s, {size / 2**20:.0f} MiB")
            await db.close()
            services = open_services(settings)
            try:
                return 0 if await measure(services, account) else 1
            finally:
                await services.close()


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.statements")
    parse.add_argument("--entries", type=integer(1000, 5_500_000), default=5_000_000)
    parse.add_argument("--messages", type=integer(0, 100), default=20)
    arguments = parse.parse_args()
    raise SystemExit(asyncio.run(main(arguments.entries, arguments.messages)))
