"""The job that makes reconciliations, and the round that asks for a further one when the reports are in.

A worker counts in one snapshot, and stores lines, document and signature in one transaction. One that is killed leaves
the row as it was, with the time at which it was begun and the seed of the salts: the next worker makes the same bytes
of the same records.
"""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from itertools import islice
from typing import Any, Final
from uuid import UUID

import structlog

from core import change_events
from engine.faultpoints import fault_point
from engine.jobs import JobName, every
from engine.jobs.fair_queue import fairly
from engine.reconciliations import signing_keys
from engine.reconciliations.canonical import canonical, canonical_line
from engine.reconciliations.chunks import Chunk, Sorter
from engine.reconciliations.document import Lines, Position, document_of
from engine.reconciliations.lines import PAGE, line_of
from engine.reconciliations.merkle import root_of
from engine.reconciliations.owner_keys import key_of_owner
from engine.reconciliations.records import Recorded, recorded
from engine.reconciliations.sums import Sums
from runtime.leases import JobLease
from runtime.services import Services

log = structlog.get_logger("postern.reconciliations")

_ROWS: Final = 5000  # records of one page
_CHUNKS: Final = 16  # chunks that one COPY stores
_AGAIN: Final = timedelta(seconds=2)

_WAITING = "SELECT owner_id, id FROM reconciliations WHERE made_at IS NULL"
# The time is that of the first attempt: a later one makes the same document.
_BEGIN = """
UPDATE reconciliations SET begun_at = COALESCE(begun_at, now()), seed = COALESCE(seed, $2)
WHERE id = $1 AND made_at IS NULL
RETURNING id, owner_id, project_id, kind, project_finished_at, begun_at, seed
"""
# Nothing is stored of what has failed: the next attempt begins anew, and an erasure need not wait for it.
_FAILED = "UPDATE reconciliations SET begun_at = NULL, seed = NULL WHERE id = $1 AND made_at IS NULL"
_WITHDRAW = "DELETE FROM reconciliations WHERE id = $1 AND made_at IS NULL AND project_finished_at = $2"
_BEFORE = """
SELECT number, hash FROM reconciliations WHERE project_id = $1 AND made_at IS NOT NULL ORDER BY number DESC LIMIT 1
"""
# Another end of the project may have come meanwhile, which is then to be counted, or the retention.
_MADE = """
UPDATE reconciliations SET number = $3, state = $4, document = $5, hash = $6, previous_hash = $7, signature = $8,
  key_id = $9, root = $10, line_count = $11, settled = $12, made_at = now(), seed = NULL,
  settles_at = CASE WHEN NOT $12 THEN project_finished_at + $13::interval END
WHERE id = $1 AND project_finished_at = $2 AND made_at IS NULL AND EXISTS (
  SELECT FROM sending_projects AS p WHERE p.id = project_id AND p.messages_deleted_at IS NULL
) RETURNING id
"""
# A million recipients are compared with a million messages, of which the planner may have no statistics yet.
_LONG = "SET LOCAL statement_timeout = '10min'; SET LOCAL enable_nestloop = off"
_COLUMNS = ("reconciliation_id", *Chunk._fields)

_SETTLES = "EXISTS (SELECT FROM reconciliations WHERE settles_at IS NOT NULL)"
# Nothing is waited for any more when no message is `sent` or `unknown`, and none was reported as failed, which its way
# may take back. What was started again gets a reconciliation at its next end.
_SETTLE = """
WITH due AS MATERIALIZED (
  SELECT r.id, r.owner_id, r.project_id, r.project_finished_at,
    p.status = 'finished' AND p.finished_at = r.project_finished_at AND p.messages_deleted_at IS NULL AS is_last
  FROM reconciliations AS r JOIN sending_projects AS p ON p.id = r.project_id
  WHERE r.settles_at IS NOT NULL AND (r.settles_at <= now() OR p.status <> 'finished'
    OR p.finished_at IS DISTINCT FROM r.project_finished_at OR p.messages_deleted_at IS NOT NULL
    OR (SELECT COALESCE(sum(c.sent + c.unknown), 0) = 0 FROM sending_counters AS c WHERE c.project_id = r.project_id)
    AND NOT EXISTS (SELECT FROM message_records AS m
      WHERE m.project_id = r.project_id AND m.status = 'failed' AND m.failed_at IS NOT NULL))
  ORDER BY r.settles_at LIMIT 100 FOR UPDATE OF r SKIP LOCKED
), ended AS (
  UPDATE reconciliations SET settles_at = NULL WHERE id IN (SELECT id FROM due)
)
INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at)
SELECT postern_uuid7(), owner_id, project_id, 'settled', project_finished_at FROM due WHERE is_last
ON CONFLICT (project_id) WHERE made_at IS NULL DO NOTHING
"""


class Interrupted(Exception):
    """This worker must stop, or another one has the work."""


@every(60, due=_SETTLES)
async def settle(services: Services) -> None:
    """Asks for the further reconciliation of projects whose reports are in, or whose time for reports is over."""
    async with services.db.transaction() as db:
        await db.execute(_SETTLE)


@fairly(JobName.reconcile, "exports", waiting=_WAITING, share=1)
async def make(services: Services, id: UUID, lease: JobLease) -> None:
    """Makes one reconciliation."""
    async with services.db.transaction() as db:
        await signing_keys.signer(db, services.vault)  # what can't be signed is not begun
    row = await services.db.fetchrow(_BEGIN, id, secrets.token_bytes(32))
    if row is None:
        return
    fault_point("reconciliation.begun")
    try:
        with closing(Sorter()) as sorter:
            counted = await _count(services, row, lease, sorter)
            if counted is None:
                async with services.db.reading() as db:
                    await db.execute(_WITHDRAW, id, row["project_finished_at"])
                return
            fault_point("reconciliation.counted")
            await _store(services, row, lease, sorter, *counted)
    except Interrupted:
        if not services.stopping.is_set():
            lease.pause = _AGAIN
    except Exception:
        if lease.valid:
            async with services.db.reading() as db:
                await db.execute(_FAILED, id)
        raise


async def _count(
    services: Services, row: Any, lease: JobLease, sorter: Sorter
) -> tuple[Recorded, Sums] | None:
    """Counts the records of a project in one snapshot; None if the project is not at this end any more."""
    key, sums, last = await key_of_owner(services, row["owner_id"]), Sums(), 0
    async with services.db.reading() as db, db.transaction(isolation="repeatable_read", readonly=True):
        await db.execute(_LONG)
        beside = await recorded(db, row["project_id"])
        if beside is None or not beside.is_of(row["project_finished_at"]):
            return None
        late_after = beside.plan.late_after if beside.plan else None

        def add(rows: Sequence[Any]) -> None:
            for each in rows:
                person, line = line_of(each, key, late_after)
                sums.add(line)
                sorter.add(person, canonical_line(line))

        rows = await db.fetch(PAGE, row["project_id"], last, _ROWS)
        while rows:
            _go_on(services, lease)
            last = rows[-1]["seq"]
            adding = asyncio.create_task(asyncio.to_thread(add, rows))
            try:
                rows = await db.fetch(PAGE, row["project_id"], last, _ROWS)
            finally:
                await adding
    return beside, sums.count()


async def _store(
    services: Services, row: Any, lease: JobLease, sorter: Sorter, beside: Recorded, sums: Sums
) -> None:
    """Stores lines, document and signature. Raises Interrupted if the project has come to another end meanwhile."""
    async with services.db.transaction() as db:
        roots = list[bytes]()
        chunks = sorter.sealed(row["seed"])
        while batch := await asyncio.to_thread(_next, chunks):
            _go_on(services, lease)
            roots += [chunk.root for chunk in batch]
            await db.copy_records_to_table(
                "reconciliation_chunks", records=[(row["id"], *chunk) for chunk in batch], columns=_COLUMNS
            )
            fault_point("reconciliation.chunks")
        before: Any = await db.fetchrow(_BEFORE, row["project_id"])
        number, previous = (before["number"] + 1, before["hash"]) if before else (1, None)
        lines = Lines(sorter.lines, sorter.persons, root_of(roots))
        document = document_of(beside, sums, lines, Position(row["kind"], number, previous, row["begun_at"]))
        payload = canonical(document)
        signer = await signing_keys.signer(db, services.vault)
        made = await db.fetchval(
            _MADE, row["id"], row["project_finished_at"], number, document["state"], payload.decode(),
            sha256(payload).digest(), previous, signer.sign(payload), signer.kid, lines.root, lines.count,
            document["settled"], timedelta(hours=services.settings.reconciliation_hours),
        )  # fmt: skip
        if made is None or not lease.valid:
            raise Interrupted
        change_events.project(row["owner_id"], row["project_id"])
        fault_point("reconciliation.made")
    if document["differences"]:
        log.error(
            "a project does not add up",
            project=str(row["project_id"]),
            differences=document["differences"],
        )
    log.info("a project was reconciled", project=str(row["project_id"]), number=number, lines=lines.count)


def _next(chunks: Iterator[Chunk]) -> list[Chunk]:
    return list(islice(chunks, _CHUNKS))


def _go_on(services: Services, lease: JobLease) -> None:
    """Raises Interrupted if this worker must stop."""
    if services.stopping.is_set() or not lease.valid:
        raise Interrupted
