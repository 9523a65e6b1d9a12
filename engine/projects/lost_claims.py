"""Decides the states of messages that were surely not dispatched, by a worker that lost its claim on their batch.

    lost claim ──► recovery: `unknown` ──► the worker is back: not dispatched
                                             ──► `queued`, in a batch that nobody has claimed
                                                   (a project that finished meanwhile runs again)

Only if the project will not be sent any more, the message has failed, and its price is refunded.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import uuid7
from engine.projects.items import RecordState

NOT_DISPATCHED = "not_dispatched"
"""The code of a message that was not dispatched before its claim was lost, and whose project is over."""

# Locked, so that the project is neither finished nor deleted before the batches of the messages are there.
_PROJECT = """
SELECT p.status IN ('running', 'paused', 'stopped', 'scheduled')
  OR (p.status = 'finished' AND p.finished_at > now() - interval '24 hours' AND u.status = 'active') AS sends
FROM sending_projects AS p JOIN users AS u ON u.id = p.owner_id WHERE p.id = $1 FOR NO KEY UPDATE OF p
"""
_STILL_OURS = """
SELECT id FROM message_records WHERE id = ANY($2) AND claim_id = $1 AND status IN ('sending', 'unknown')
ORDER BY id FOR NO KEY UPDATE
"""
_REOPEN = """
UPDATE sending_projects SET status = 'running', status_reason = NULL, resume_at = NULL, finished_at = NULL,
  updated_at = now()
WHERE id = $1 AND status = 'finished' RETURNING owner_id
"""


async def placed(
    db: asyncpg.Connection,
    claim: UUID,
    project: UUID,
    states: Sequence[RecordState],
    later: dict[UUID, timedelta],
) -> tuple[list[RecordState], dict[UUID, timedelta]]:
    """Returns the states that are stored instead of these, and the batches that must be made for them.

    A message that would wait in the lost batch waits in a new one; a finished project runs again for it. In the
    caller's transaction, which may be repeated.
    """
    queued = [state.id for state in states if state.status == "queued"]
    if not queued:
        return [*states], {}
    sends = await db.fetchval(_PROJECT, project)
    ours = {row["id"] for row in await db.fetch(_STILL_OURS, claim, queued)}
    own, placed = uuid7(), []
    for state in states:
        if state.status != "queued":
            placed.append(state)
        elif state.id in ours:
            placed.append(replace(state, batch=state.batch or own) if sends else _failed(state))
    batches = {state.batch for state in placed} - {None} if sends else set()
    if batches and (owner := await db.fetchval(_REOPEN, project)):
        change_events.project(owner, project)
    return placed, {id: delay for id, delay in {**later, own: timedelta()}.items() if id in batches}


def _failed(state: RecordState) -> RecordState:
    status = "unknown" if state.uncertain else "failed"
    if state.code is not None:
        return replace(state, status=status, batch=None)
    reason = "The worker lost its claim before it handed the message over, and the project is over. Retry the message."
    return replace(state, status=status, batch=None, code=NOT_DISPATCHED, reason=reason)
