"""Takes over batches whose worker has died."""

from collections.abc import Sequence
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import uuid7
from db import ledger
from engine.projects import jobs

_TAKEN_OVER = """
WITH dead AS (
  SELECT id, claim_id, held FROM sending_units WHERE claim_id IS NOT NULL AND expires_at < now()
  ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
)
UPDATE sending_units AS u SET claim_id = NULL, worker = NULL, expires_at = NULL, held = 0, due_at = now()
FROM dead JOIN sending_projects AS p ON true
WHERE u.id = dead.id AND p.id = u.project_id
RETURNING u.id, u.project_id, p.owner_id, p.account_id, dead.claim_id, dead.held
"""
_RECOVER = """
UPDATE message_records AS m SET
  status = CASE WHEN again THEN 'queued' ELSE 'unknown' END,
  claim_id = CASE WHEN again THEN NULL ELSE m.claim_id END,
  failure_code = CASE WHEN again THEN m.failure_code ELSE 'worker_died' END,
  failure_reason = CASE WHEN again THEN m.failure_reason
    ELSE 'The worker died between handing the message over and learning what became of it.' END
FROM (
  SELECT id, channel || ':' || provider = ANY($3) AS again FROM message_records
  WHERE unit_id = ANY($1) AND claim_id = ANY($2) AND status = 'sending'
  ORDER BY id FOR NO KEY UPDATE
) AS lost
WHERE m.id = lost.id
RETURNING m.status
"""


async def recover(db: asyncpg.Connection, idempotent: Sequence[str]) -> tuple[set[UUID], int, int]:
    """Takes dead claims apart, at most a hundred: their projects, how many messages are queued, how many unknown."""
    async with db.transaction():
        dead = await db.fetch(_TAKEN_OVER)
        if not dead:
            return set(), 0, 0
        rows = await db.fetch(
            _RECOVER, [row["id"] for row in dead], [row["claim_id"] for row in dead], list(idempotent)
        )
        for row in sorted(dead, key=lambda row: row["account_id"]):
            if row["held"]:
                # A reference of its own: `close` may have refunded the claim already, before intents were withdrawn.
                await db.execute(
                    ledger.REFUND, row["account_id"], row["held"], uuid7(), uuid7(), row["project_id"]
                )
        for row in dead:
            change_events.project(row["owner_id"], row["project_id"])
        projects = {row["project_id"] for row in dead}
        for project in projects:
            await jobs.enqueue_cycle(db, project)
    unknown = sum(row["status"] == "unknown" for row in rows)
    return projects, len(rows) - unknown, unknown
