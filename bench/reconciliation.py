"""`python -m bench.reconciliation` measures how long the reconciliation of a project with a million recipients takes.

Rows are made by SQL, with three prices in three countries; one in twenty has failed, and one in ten has no report. The
job then runs in this process, as a worker would run it. Printed are its seconds, the most memory that the process had,
the bytes of the stored lines, and how long a hundred proofs took; then `postern verify`'s check of all
lines. `--recipients` sets the number.
"""

import argparse
import asyncio
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from core.ids import uuid7
from core.settings import Settings
from engine.projects import progress
from engine.reconciliations import making
from engine.reconciliations.lines import person_hash
from engine.reconciliations.owner_keys import key_of_owner
from engine.reconciliations.proofs import proof_of
from engine.reconciliations.verifying import Trust, read_lines, verify_document, verify_lines
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, open_services
from tests.support.arguments import integer
from tests.support.reconciled import files_of

GOAL_SECONDS, GOAL_MIB, GOAL_MS = 60, 512, 50
_PROOFS = 100
_STEP = 100_000
_OWNER = """
INSERT INTO users (id, email, roles)
SELECT id, id || '@example.com', '{user}' FROM (SELECT $1::uuid AS id) AS u
"""
_ACCOUNT = "INSERT INTO accounts (id, owner_id, name, currency, balance) VALUES ($1, $2, 'x', 'USD', 0)"
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, text, prepared_to)
VALUES ($1, $2, $3, 'bench', 'sms', 'running', 'Hi', 9223372036854775807)
"""
_RECIPIENTS = """
INSERT INTO recipients (id, project_id, address)
SELECT gen_random_uuid(), $1, (ARRAY['+1415', '+4915', '+4477'])[1 + i % 3] || lpad(i::text, 8, '0')
FROM generate_series($2::int, $3::int) AS i
"""
_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, failure_code, price, parts,
  provider, provider_message_id, handed_at, sent_at, delivered_at)
SELECT gen_random_uuid(), $1, $2, r.id, 'sms', r.address, s.status, CASE s.status WHEN 'failed' THEN 'rejected' END,
  CASE s.status WHEN 'failed' THEN 0 ELSE (ARRAY[0.01, 0.07, 0.04])[1 + r.seq % 3] END, 1, 'twilio',
  'SM' || md5(r.seq::text), now(), now(), CASE s.status WHEN 'delivered' THEN now() END
FROM recipients AS r CROSS JOIN LATERAL (SELECT CASE WHEN r.seq % 20 = 0 THEN 'failed' WHEN r.seq % 10 = 1 THEN 'sent'
  ELSE 'delivered' END AS status) AS s
WHERE r.project_id = $1 AND r.seq BETWEEN $3 AND $4
"""
_CHARGE = """
INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id)
SELECT $1, $2, 'charge', -sum(price), $1, $3 FROM message_records WHERE project_id = $3
"""


async def fill(db: asyncpg.Connection, owner: UUID, project: UUID, count: int) -> None:
    """Makes a project whose messages have all been sent."""
    account = uuid7()
    await db.execute(_OWNER, owner)
    await db.execute(_ACCOUNT, account, owner)
    await db.execute(_PROJECT, project, owner, account)
    for first in range(1, count + 1, _STEP):
        await db.execute(_RECIPIENTS, project, first, min(first + _STEP - 1, count))
    least, most = await db.fetchrow("SELECT min(seq), max(seq) FROM recipients")
    for first in range(least, most + 1, _STEP):
        await db.execute(_RECORDS, project, owner, first, min(first + _STEP - 1, most))
    await db.execute(_CHARGE, uuid7(), account, project)
    await db.execute("VACUUM ANALYZE")


async def measure(services: Services, owner: UUID, project: UUID) -> bool:
    """Makes the reconciliation and reads proofs. Returns whether the goals are met."""
    assert await progress.finish(services.db, project)
    waiting = await services.db.fetchval("SELECT id FROM reconciliations")
    before, begun = peak(), time.perf_counter()
    await making.make(services, waiting)
    seconds = time.perf_counter() - begun
    row: Any = await services.db.fetchrow("SELECT state, line_count FROM reconciliations")
    size = await services.db.fetchval("SELECT pg_total_relation_size('reconciliation_chunks')")
    print(
        f"{row['line_count']:,} lines, {row['state']}: {seconds:.1f} s, {peak():.0f} MiB at most"
        f" ({before:.0f} before), {size / 2**20:.0f} MiB stored"
    )
    proofs = await _proofs(services, owner, project, waiting)
    most = statistics.quantiles(proofs, n=20)[-1]
    print(
        f"a proof: {statistics.median(proofs):.1f} ms, 95 % within {most:.1f} ms, {max(proofs):.1f} ms at most"
    )
    met = seconds <= GOAL_SECONDS and peak() <= GOAL_MIB and most <= GOAL_MS
    async with services.db.reading() as db:
        files = await files_of(db, project)
    assert files is not None
    begun = time.perf_counter()
    verify_lines(verify_document(files.document, Trust()).document, read_lines(files.lines))
    print(f"verified in {time.perf_counter() - begun:.1f} s")
    print(orjson.dumps(files.contents["counts"]["sent"]).decode())
    return met and row["state"] == "balanced"


async def _proofs(services: Services, owner: UUID, project: UUID, id: UUID) -> list[float]:
    addresses = await services.db.fetch(
        'SELECT "to" FROM message_records WHERE project_id = $1 ORDER BY random() LIMIT 200', project
    )
    times = []
    for each in random.sample(addresses, _PROOFS):
        begun = time.perf_counter()
        key = await key_of_owner(services, owner)
        assert await proof_of(services.db, id, person_hash(key, each["to"])) is not None
        times.append((time.perf_counter() - begun) * 1000)
    return times[1:]


def peak() -> float:
    """Returns the most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def main(count: int) -> int:
    """Runs it on servers of its own. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        data = Path(folder)
        with EmbeddedPostgres(data / "postgres") as postgres, EmbeddedRedis(data / "redis") as redis:
            settings = Settings(
                _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32,
                data_dir=data,
            )  # fmt: skip
            await prepare(settings)
            owner, project = uuid7(), uuid7()
            db = await asyncpg.connect(postgres.url)
            await fill(db, owner, project, count)
            await db.close()
            services = open_services(settings)
            try:
                return 0 if await measure(services, owner, project) else 1
            finally:
                await services.close()


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.reconciliation")
    parse.add_argument("--recipients", type=integer(1000, 20_000_000), default=1_000_000)
    raise SystemExit(asyncio.run(main(parse.parse_args().recipients)))
