"""Pauses a project until the cause is gone; engine/projects/scheduler.py looks whether it is."""

from datetime import timedelta
from decimal import Decimal

import structlog

from core import change_events
from db.session import Database
from engine.projects.context import ProjectContext
from shapes.pauses import PauseReason

log = structlog.get_logger("postern.projects")

_WITHOUT_END = frozenset({PauseReason.over_approved})  # a person must decide
_SECONDS = 15.0  # until the cause is looked at again
_CREDENTIALS_SECONDS = 60.0  # until credentials are tried again: providers block those who try often

_PAUSE = """
UPDATE sending_projects SET status = 'paused', status_reason = $2, resume_at = now() + $3::interval,
  resume_balance = $4, updated_at = now()
WHERE id = $1 AND status = 'running' RETURNING id
"""


async def pause_project(
    db: Database, project: ProjectContext, reason: PauseReason, balance: Decimal | None = None
) -> None:
    """Pauses the project, if it runs. `balance`: the amount that the account must have before it goes on."""
    seconds = _CREDENTIALS_SECONDS if reason is PauseReason.provider_refuses_credentials else _SECONDS
    until = None if reason in _WITHOUT_END else timedelta(seconds=seconds)
    if await db.fetchval(_PAUSE, project.id, reason.value, until, balance):
        change_events.project(project.row["owner_id"], project.id)
        log.warning("project paused", project=str(project.id), reason=reason.value)
