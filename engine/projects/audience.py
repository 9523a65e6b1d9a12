"""Makes the messages of a project's recipients (`freeze`), queues failed ones again (`retry`), and cancels the queued
ones after a deletion (`cancel`).

It works chunk by chunk. Each chunk is a transaction that also stores where the next one begins, so a worker that dies
leaves nothing half done, and progress is visible.
"""

import time
from datetime import timedelta
from hashlib import sha1
from typing import Any
from uuid import UUID

import asyncpg
import structlog
from asyncpg.pgproto import pgproto

from core import change_events
from core.ids import uuid7
from db.address_keys import key_of
from engine import blocks
from engine.costs import traffic
from engine.faultpoints import fault_point
from engine.jobs import JobName
from engine.jobs.fair_queue import fairly
from engine.projects import jobs, progress
from runtime.leases import JobLease
from runtime.services import Services
from shapes.project_settings import Preparation

log = structlog.get_logger("postern.projects")

CHUNK = 5000
BATCH = 500
"""Messages a unit."""
_BUDGET_SECONDS = 1.0  # seconds of work until others have their turn
_UNTIL_SENT = timedelta(seconds=2)  # after which messages are looked at again that a worker was sending

# The rest to prepare of a project that may be prepared now. One whose recipients could not all be added stays as it
# is until its owner stops it.
_WAITING = """
SELECT owner_id, id FROM sending_projects WHERE preparation IS NOT NULL AND (
  preparation = 'cancel' OR status IN ('running', 'paused') AND (preparation <> 'freeze' OR recipients_pending = 0)
    AND status_reason IS DISTINCT FROM 'recipients_failed'
)
"""

# One at a time, by a lock of its own: every mark asks the project's row whether it runs.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('prepare:' || $1, 0))"
# KEY SHARE: a stop waits until this chunk is in, and no chunk begins after it. Marks and counters don't wait.
_PROJECT = """
SELECT id, owner_id, channel, category, status, preparation, prepared_to, retried_to, retry_unknown, retry_skipped,
  retry_failed,
  recipients_pending
FROM sending_projects WHERE id = $1 FOR KEY SHARE
"""
_AUDIENCE = "SELECT id, seq FROM recipients WHERE project_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"

REACHES = """
CASE {channel}
  WHEN 'email' THEN r.address LIKE '%_@_%'
  WHEN 'telegram' THEN r.address ~ '^([+@]|[0-9]+$)'
  WHEN 'push' THEN true
  ELSE r.address LIKE '+%' END
"""
"""This SQL condition holds if a channel can reach the address of the recipient `r`."""

# Skipped, and said why: who may not be written to, and whose address the channel can't reach.
_MATERIALIZE = f"""
INSERT INTO message_records (id, project_id, owner_id, recipient_id, unit_id, channel, "to", address_key, status,
                             failure_code, failure_reason)
SELECT n.message_id, $4, $5, r.id, CASE WHEN why.code IS NULL THEN n.unit_id END, $6, r.address, r.address_key,
  CASE WHEN why.code IS NULL THEN 'queued' ELSE 'skipped' END, why.code, why.reason
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n (recipient_id, message_id, unit_id)
JOIN recipients AS r ON r.id = n.recipient_id
LEFT JOIN blocked_phones AS b ON b.owner_id = $5 AND {key_of("b.phone")} = {key_of("r.address")}
  AND {blocks.STOPS.format(category="$7")}
LEFT JOIN LATERAL (
  SELECT 'blocked' AS code, 'The address is blocked (' || b.reason || ').' AS reason WHERE b.id IS NOT NULL
  UNION ALL
  SELECT 'invalid_recipient', 'The channel ' || $6 || ' can''t reach such an address.'
  WHERE b.id IS NULL AND NOT {REACHES.format(channel="$6")}
  UNION ALL SELECT 'changed_after_plan', 'The contact was changed after the plan of the project was made.'
  WHERE b.id IS NULL AND {REACHES.format(channel="$6")} AND r.is_changed
) AS why ON true
ORDER BY r.seq
ON CONFLICT (id) DO NOTHING
"""  # noqa: S608  our own condition
_ADD_BATCHES = "INSERT INTO sending_units (id, project_id) SELECT u, $2 FROM unnest($1::uuid[]) AS u"

_MATERIALIZED = """
UPDATE sending_projects SET prepared_to = $2, preparation = CASE WHEN $3 THEN NULL ELSE preparation END
WHERE id = $1 AND preparation = 'freeze' RETURNING id
"""

# A message to an address that a hard bounce or a complaint has blocked since is left out, and keeps its status: every
# further email to such an address costs reputation. Of skipped messages the cause is checked again when they are
# prepared.
_SUPPRESSED = f"""(status <> 'skipped' AND EXISTS (
    SELECT FROM blocked_phones AS b WHERE b.owner_id = message_records.owner_id
      AND {key_of("b.phone")} = {key_of('message_records."to"')} AND b.reason IN ('hardBounce', 'complaint')
      AND b.scope = 'all' AND {blocks.LIVE}
  ))"""
# A known failure has raised the attempts, and so the key; an `unknown` message is asked for again under its old one. A
# message that only the owner's hook calls failed was sent and is paid: it is not sent again, neither for nothing nor
# for twice its price.
_FAILED = f"""
SELECT id, seq, {_SUPPRESSED} AS suppressed FROM message_records
WHERE project_id = $1 AND seq > $2 AND failure_code IS NOT NULL AND direction = 'outbound' AND "to" <> '{blocks.ERASED}'
  AND ((status = 'failed' AND reported_by IS NULL AND ($6::text[] IS NULL OR failure_code = ANY($6)))
    OR ($4 AND status = 'unknown') OR (status = 'skipped' AND failure_code = ANY($5)))
ORDER BY seq LIMIT $3
"""  # noqa: S608  our own condition
_AGAIN = """
UPDATE message_records AS m SET
  unit_id = n.unit_id, claim_id = NULL, queued_at = now(),
  handed_at = CASE WHEN status = 'failed' THEN NULL ELSE handed_at END,
  status = 'queued', tries = 0, refused = NULL
FROM unnest($1::uuid[], $2::uuid[]) AS n (id, unit_id)
WHERE m.id = n.id AND status IN ('failed', 'unknown', 'skipped') AND reported_by IS NULL
"""
_RETRIED = """
UPDATE sending_projects SET retried_to = $2, retry_suppressed = retry_suppressed + $5,
  preparation = CASE WHEN NOT $3 THEN preparation WHEN $4 THEN 'freeze' END
WHERE id = $1 AND preparation = 'retry' RETURNING id
"""
_LEFT = "SELECT EXISTS (SELECT FROM recipients WHERE project_id = $1 AND seq > $2)"

# A message that was dispatched once, and is queued to be asked for again, may have arrived: it becomes unknown.
_CANCEL = """
UPDATE message_records SET
  status = CASE WHEN handed_at IS NULL THEN 'canceled' ELSE 'unknown' END,
  failure_code = 'project_deleted',
  failure_reason = 'The project was deleted before the message was sent.'
WHERE id IN (
  SELECT m.id FROM message_records AS m JOIN sending_units AS u ON u.id = m.unit_id
  WHERE u.project_id = $1 AND m.status = 'queued' LIMIT $2 FOR UPDATE OF m SKIP LOCKED
)
"""
# One statement locks it and the next reads it: a transaction that was just putting a message there has committed by
# then.
_IDLE_BATCHES = (
    "SELECT id FROM sending_units WHERE project_id = $1 AND claim_id IS NULL"
    " ORDER BY id FOR UPDATE SKIP LOCKED"
)
_EMPTIED = """
DELETE FROM sending_units AS u WHERE id = ANY($1)
  AND NOT EXISTS (SELECT FROM message_records WHERE unit_id = u.id AND status IN ('queued', 'sending'))
"""
_IS_CANCELING = "SELECT preparation = 'cancel' FROM sending_projects WHERE id = $1"
_CANCELED = """
UPDATE sending_projects SET preparation = NULL
WHERE id = $1 AND preparation = 'cancel' AND NOT EXISTS (SELECT FROM sending_units WHERE project_id = $1)
"""


@fairly(JobName.prepare_project, "preparing", waiting=_WAITING)
async def prepare(services: Services, project: UUID, lease: JobLease) -> None:
    """Goes on where the last chunk ended, for a second."""
    until = time.monotonic() + _BUDGET_SECONDS
    while not services.stopping.is_set() and lease.valid:
        async with services.db.transaction() as db:
            await db.execute(_ALONE, str(project))
            row = await db.fetchrow(_PROJECT, project)
            if row is None or row["preparation"] is None:
                return
            done = await _STEPS[Preparation(row["preparation"])](db, row)
            change_events.project(row["owner_id"], project)
        fault_point("prepared")
        change_events.emit()
        if done:
            await progress.finish(services.db, project)
            if await services.db.fetchval(_IS_CANCELING, project):
                lease.pause = _UNTIL_SENT
            return
        if time.monotonic() > until:
            return


async def _materialize(db: asyncpg.Connection, project: Any) -> bool:
    if project["status"] not in ("running", "paused"):
        return True  # the next start goes on with it
    if project["recipients_pending"]:
        return True  # the request that adds the last of them calls this again
    rows = await db.fetch(_AUDIENCE, project["id"], project["prepared_to"], CHUNK)
    if rows:
        made = [uuid7() for _ in range(-(-len(rows) // BATCH))]
        await db.execute(_ADD_BATCHES, made, project["id"])
        await db.execute(
            _MATERIALIZE,
            [row["id"] for row in rows],
            message_ids(project["id"], [row["id"] for row in rows]),
            [made[index // BATCH] for index in range(len(rows))],
            project["id"],
            project["owner_id"],
            project["channel"],
            project["category"],
        )
    done = len(rows) < CHUNK
    await db.execute(_MATERIALIZED, project["id"], rows[-1]["seq"] if rows else project["prepared_to"], done)
    if project["status"] == "running":  # without rows too: a stop may have left units
        await jobs.enqueue_cycle(db, project["id"])
    return done


async def _retry(db: asyncpg.Connection, project: Any) -> bool:
    if project["status"] not in ("running", "paused"):
        return True
    asked = (project["retry_unknown"], project["retry_skipped"], project["retry_failed"])
    rows = await db.fetch(_FAILED, project["id"], project["retried_to"], CHUNK, *asked)
    ids = [row["id"] for row in rows if not row["suppressed"]]
    if ids:
        made = [uuid7() for _ in range(-(-len(ids) // BATCH))]
        await db.execute(_ADD_BATCHES, made, project["id"])
        await traffic.note_moves(db, ids)
        await db.execute(_AGAIN, ids, [made[index // BATCH] for index in range(len(ids))])
    done = len(rows) < CHUNK
    # A project that was stopped before all of its audience was frozen goes on with that.
    left = done and (
        project["recipients_pending"] > 0 or await db.fetchval(_LEFT, project["id"], project["prepared_to"])
    )
    last = rows[-1]["seq"] if rows else project["retried_to"]
    await db.execute(_RETRIED, project["id"], last, done, left, len(rows) - len(ids))
    await jobs.enqueue_cycle(db, project["id"])
    return done


async def _cancel(db: asyncpg.Connection, project: Any) -> bool:
    """Cancels a chunk of queued messages, without those that a worker is sending: they are looked at again."""
    canceled: str = await db.execute(_CANCEL, project["id"], CHUNK)
    done = canceled != f"UPDATE {CHUNK}"
    if done:
        await db.execute(_EMPTIED, [row["id"] for row in await db.fetch(_IDLE_BATCHES, project["id"])])
        await db.execute(_CANCELED, project["id"])
    return done


_STEPS = {Preparation.freeze: _materialize, Preparation.retry: _retry, Preparation.cancel: _cancel}


def message_ids(project: UUID, recipients: list[UUID]) -> list[UUID]:
    """Returns UUIDv5(project, recipient) (RFC 9562 §5.5), as `uuid.uuid5(project, str(recipient))` makes it."""
    begun = sha1(project.bytes, usedforsecurity=False)
    made = []
    for recipient in recipients:
        digest = begun.copy()
        digest.update(str(recipient).encode())
        number = bytearray(digest.digest()[:16])
        number[6] = number[6] & 0x0F | 0x50
        number[8] = number[8] & 0x3F | 0x80
        made.append(pgproto.UUID(bytes(number)))
    return made
