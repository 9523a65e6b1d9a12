"""Makes the rows of a restored database safe: each step in batches, and harmless if it is done twice."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import uuid7
from db import ledger
from db.query import execute_planned
from engine.projects import jobs
from engine.upkeep import BITE
from runtime.services import Services
from shapes.restores import ResumePolicy

CODE: Final = "restored"
REASON: Final = (
    "The service was restored from a backup. Postern doesn't know whether the message was sent since then."
)
STOPPED: Final = "The service was restored from a backup. Start this again if its next run is still wanted."

_BATCHES = 20  # of up to 500 messages each, in one transaction

# `handed_at` says from when on a message may have been sent.
_UNKNOWN = """
UPDATE messages SET state = 'unknown', claim_id = NULL, handed_at = COALESCE(handed_at, $2), failure_code = $3,
  failure_reason = $4, updated_at = now()
WHERE id IN (SELECT id FROM messages WHERE {which} AND created_at < $1 LIMIT $5)
"""
_AGAIN = """
UPDATE messages SET state = 'queued', claim_id = NULL, handed_at = NULL, due_at = now(), updated_at = now()
WHERE id IN (SELECT id FROM messages WHERE {which} AND created_at < $1 LIMIT $2)
"""
# Two looks, each into its own index. The head of a chain follows its steps. What is scheduled for later was not sent.
_QUEUED, _SENDING = (
    "state = 'queued' AND step IS DISTINCT FROM 0 AND (send_at IS NULL OR send_at <= now())",
    "claim_id IS NOT NULL AND state = 'sending'",
)

# A further step may have been sent since.
_END_CHAINS = """
UPDATE message_chains SET settled_at = now(), due_at = NULL WHERE id IN (
  SELECT id FROM message_chains WHERE settled_at IS NULL AND created_at < $1 AND began_at <= now() LIMIT $2)
"""

_SOME_BATCHES = """
SELECT u.id, u.project_id, u.held, p.account_id
FROM sending_units AS u JOIN sending_projects AS p ON p.id = u.project_id
WHERE u.id > $1 ORDER BY u.id LIMIT $2 FOR UPDATE OF u
"""
# A retry of a message that was never handed over pays for it, and begins with a new key.
_UNKNOWN_RECORDS = """
UPDATE message_records SET status = 'unknown', unit_id = NULL, claim_id = NULL, failure_code = $3,
  failure_reason = $4, updated_at = now()
WHERE unit_id = ANY($1) AND status IN ('queued', 'sending') AND queued_at < $2
"""
_AGAIN_RECORDS = """
UPDATE message_records SET status = 'queued', claim_id = NULL, handed_at = NULL, updated_at = now()
WHERE unit_id = ANY($1) AND status = 'sending' AND queued_at < $2
"""
_FREE = """
UPDATE sending_units SET claim_id = NULL, worker = NULL, expires_at = NULL, held = 0, due_at = now()
WHERE id = ANY($1) AND claim_id IS NOT NULL
"""
_DROP_EMPTY = """
DELETE FROM sending_units AS u WHERE id = ANY($1)
  AND NOT EXISTS (SELECT FROM message_records WHERE unit_id = u.id AND status IN ('queued', 'sending'))
"""
# A project whose messages were not all made would go on making them, and has perhaps sent them since.
_STOP = """
UPDATE sending_projects SET status = 'stopped', status_reason = 'restored', resume_at = NULL, preparation = NULL,
  updated_at = now()
WHERE (status = 'scheduled' OR status IN ('running', 'paused') AND (running_since IS NULL OR running_since < $2))
  AND (category = 'promotional' OR repeatable_uuid IS NOT NULL OR status = 'scheduled'
    OR $1 AND (preparation IS NOT NULL OR recipients_pending > 0 OR audience IS NOT NULL AND audience_read_at IS NULL))
RETURNING id, owner_id
"""
_RUNNING = "SELECT id FROM sending_projects WHERE status = 'running'"
_STOP_REPEATABLES = """
UPDATE repeatable_projects SET status = 'stopped', next_run_at = NULL, last_error = $1, updated_at = now()
WHERE status = 'active'
"""
# The projects of its steps are stopped, too: else its contacts would wait for a step that does not come.
_PAUSE_SERIES = """
UPDATE series SET status = 'paused', status_reason = 'restored', updated_at = now() WHERE status = 'running'
"""
# The project of a run whose recipients were still being copied stays a draft.
_NO_FIRINGS = "DELETE FROM repeatable_firings"

# They may have been sent since: a reminder of a subscription, and a mail about a change of a user.
_SENT = (
    "UPDATE opt_ins SET reminded_at = now() WHERE reminded_at IS NULL AND created_at < $1",
    "UPDATE user_notices SET sent_at = now() WHERE sent_at IS NULL AND created_at < $1",
)
# The number is of the server that the backup is from; another one may come to it in years.
_ERASURES = "UPDATE erasures SET began_xid = pg_current_xact_id()::text::bigint WHERE state = 'running'"

_END_LOGINS = """
UPDATE sessions SET revoked_at = now(), revoked_reason = 'restored'
WHERE id IN (SELECT id FROM sessions WHERE revoked_at IS NULL AND created_at < $1 LIMIT $2) RETURNING id
"""
# More than one: the tokens of a later state of the user, which is lost, must not become valid again.
_NEW_VERSION = """
UPDATE users SET token_version = token_version + 1000
WHERE id IN (SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2) RETURNING id
"""
# A cursor of the feed's epoch follows it, so that its sink goes on where the backup was.
_SINKS = """
UPDATE event_sink_cursors AS c SET epoch = f.epoch % 2147483647 + 1
FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.epoch = c.epoch
"""
_FEEDS = "UPDATE event_feeds SET epoch = epoch % 2147483647 + 1"

_COUNTS: Final = f"""
SELECT (SELECT count(*) FROM messages WHERE ({_QUEUED} OR {_SENDING}) AND created_at < $1) AS direct,
  (SELECT count(*) FROM sending_units AS u JOIN message_records AS m ON m.unit_id = u.id
    WHERE m.status IN ('queued', 'sending') AND m.queued_at < $1) AS records
"""  # noqa: S608  our own conditions


async def counts(db: asyncpg.Connection, before: datetime, seconds: float | None = None) -> Any:
    """Returns how many messages wait that were made `before`: a row of `direct` and `records`. `seconds`: the longest
    time that it may take; None: as long as any statement.
    """
    return await db.fetchrow(_COUNTS, before, timeout=seconds)


async def direct_messages(
    services: Services, policy: ResumePolicy, before: datetime, data_at: datetime
) -> int:
    """Moves direct messages that were made before the fence. Returns how many have changed."""
    if policy is ResumePolicy.nothing_sent:
        return 0
    moved = 0
    for which in (_QUEUED, _SENDING):
        while True:
            if policy is ResumePolicy.unknown:
                arguments: Sequence[Any] = (before, data_at, CODE, REASON, BITE)
                count = await execute_planned(services.db, _UNKNOWN.format(which=which), *arguments)
            elif which is _SENDING:
                count = await execute_planned(services.db, _AGAIN.format(which=which), before, BITE)
            else:
                count = 0
            moved += count
            if count < BITE:
                break
    if policy is ResumePolicy.unknown:
        while await execute_planned(services.db, _END_CHAINS, before, BITE) == BITE:
            pass
    return moved


async def project_messages(services: Services, policy: ResumePolicy, before: datetime) -> int:
    """Moves the messages of projects that were made before the fence. Returns how many have changed."""
    if policy is ResumePolicy.nothing_sent:
        return 0
    moved, last = 0, UUID(int=0)
    while True:
        async with services.db.transaction() as db:
            batches = await db.fetch(_SOME_BATCHES, last, _BATCHES)
            ids = [row["id"] for row in batches]
            if policy is ResumePolicy.unknown:
                moved += _number(await db.execute(_UNKNOWN_RECORDS, ids, before, CODE, REASON))
            else:
                moved += _number(await db.execute(_AGAIN_RECORDS, ids, before))
            for row in sorted(batches, key=lambda row: row["account_id"]):
                if row["held"]:
                    await db.execute(
                        ledger.REFUND, row["account_id"], row["held"], uuid7(), uuid7(), row["project_id"]
                    )
            await db.execute(_FREE, ids)
            await db.execute(_DROP_EMPTY, ids)
        if len(batches) < _BATCHES:
            return moved
        last = ids[-1]


async def projects(services: Services, policy: ResumePolicy, before: datetime) -> int:
    """Stops the projects that a person must start again, and the repeatable ones, and pauses series. Returns how many
    projects.
    """
    async with services.db.transaction() as db:
        stopped = await db.fetch(_STOP, policy is not ResumePolicy.nothing_sent, before)
        repeatables = _number(await db.execute(_STOP_REPEATABLES, STOPPED))
        await db.execute(_PAUSE_SERIES)
        await db.execute(_NO_FIRINGS)
        for row in await db.fetch(_RUNNING):  # it finishes, if nothing is left to send
            await jobs.enqueue_cycle(db, row["id"])
    for row in stopped:
        change_events.project(row["owner_id"], row["id"])
    return len(stopped) + repeatables


async def notices(services: Services, policy: ResumePolicy, before: datetime) -> None:
    """Leaves out the reminders and notices that may have been sent since, and lets erasures that run go on."""
    async with services.db.transaction() as db:
        for statement in _SENT if policy is ResumePolicy.unknown else ():
            await db.execute(statement, before)
        await db.execute(_ERASURES)


async def logins(services: Services, before: datetime) -> int:
    """Ends all logins, and refuses their access tokens. Returns how many there were."""
    ended = 0
    while True:
        rows = await services.db.fetch(_END_LOGINS, before, BITE)
        await services.viewers.invalidate(sessions=[row["id"] for row in rows])
        ended += len(rows)
        if len(rows) < BITE:
            break
    last = UUID(int=0)
    while users := [row["id"] for row in await services.db.fetch(_NEW_VERSION, last, BITE)]:
        await services.viewers.invalidate(users=users)
        last = max(users)
    return ended


async def feeds(services: Services) -> int:
    """Makes the cursors of readers expire: positions are given a second time. Returns the number of feeds."""
    async with services.db.transaction() as db:
        await db.execute(_SINKS)
        return _number(await db.execute(_FEEDS))


def _number(tag: str) -> int:
    return int(tag.rpartition(" ")[2])
