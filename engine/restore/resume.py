"""`postern resume`: ends the fence of a restored database, after it has made its rows safe."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import structlog

from core.errors import Conflict, Unavailable
from core.ids import uuid7
from engine.faultpoints import fault_point
from engine.restore import beats, fence, moves, segments
from engine.restore.beats import Beat
from engine.restore.replay import Replayed, replay
from runtime.leases import leased
from runtime.services import Services
from shapes.restores import FenceReason, ResumePolicy

log = structlog.get_logger("postern.restore")

_LEASE = "restore.resume"
_MOST: Final = 1000  # credentials that are named
_JUMP: Final = (
    1_000_000  # beats: a machine that knows only the lost ones must not take this for a restore again
)
_COUNT_SECONDS: Final = 600.0

_ROW = "SELECT id, beat, fenced_at, fence_reason, data_at, journal_position FROM installation"
# A copy gets an id of its own, since the original may go on. It is stored first, so that a second attempt has the same.
_NEXT_ID = f"UPDATE installation SET next_id = COALESCE(next_id, $1), {fence.WRITTEN} RETURNING next_id"  # noqa: S608
_END = f"""
UPDATE installation SET id = $1, beat = $2, beat_at = clock_timestamp(), fenced_at = NULL, fence_reason = NULL,
  next_id = NULL, journal_position = $3, journal_behind = false, resumed_at = clock_timestamp(), resumed_as = $4,
  {fence.WRITTEN}
WHERE fenced_at IS NOT NULL RETURNING beat, beat_at
"""  # noqa: S608  our own expression
_CREDENTIALS: Final = """
SELECT kind, name, email, last_used_at FROM (
  SELECT 'API token' AS kind, t.name || ' (…' || t.hint || ')' AS name, t.user_id, t.last_used_at
  FROM api_tokens AS t WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
  UNION ALL
  SELECT 'hook ' || kind, '…' || hint, user_id, last_used_at FROM hook_secrets WHERE revoked_at IS NULL
  UNION ALL
  SELECT 'webhook', regexp_replace(split_part(url, '?', 1), '//[^/]*@', '//'), owner_id, delivered_at
  FROM webhooks WHERE enabled
  UNION ALL
  SELECT 'event sink', name, owner_id, published_at FROM event_sinks WHERE enabled
  UNION ALL
  SELECT 'administrator', email, id, NULL FROM users WHERE 'admin' = ANY(roles) AND status = 'active'
  UNION ALL
  SELECT 'export', source || ' ' || id, owner_id, NULL FROM export_links WHERE file_uuid IS NOT NULL
  UNION ALL
  SELECT 'member', m.email, s.owner_id, NULL FROM memberships AS s JOIN users AS m ON m.id = s.member_id
) AS c LEFT JOIN users AS u ON u.id = c.user_id
ORDER BY kind, email, name LIMIT $1
"""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The result of a resume, in numbers."""

    data_at: datetime
    direct: int
    records: int
    projects: int
    logins: int
    feeds: int
    replayed: Replayed
    credentials: list[Any]
    """Rows of kind, name, email and last_used_at: those that work, and may have been ended since the backup."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The messages that wait in a restored database, and since when it is fenced."""

    reason: FenceReason
    fenced_at: datetime
    data_at: datetime
    direct: int
    records: int


async def preview(services: Services) -> Preview:
    """Returns what waits, and changes nothing but the fence itself. Raises Conflict (it was not restored)."""
    row = await _fenced(services)
    async with (
        services.db.transaction() as db
    ):  # the statistics of a database that was just restored may be missing
        await db.execute(f"SET LOCAL statement_timeout = '{_COUNT_SECONDS:.0f}s'")
        waiting = await moves.counts(db, row["fenced_at"], _COUNT_SECONDS)
    return Preview(
        FenceReason(row["fence_reason"]),
        row["fenced_at"],
        row["data_at"],
        waiting["direct"],
        waiting["records"],
    )


async def resume(
    services: Services, policy: ResumePolicy, say: Callable[[str], None] = lambda _: None
) -> Resumed:
    """Makes the rows safe and ends the fence, with which workers begin again.

    A second attempt goes on after one that was killed: each step is done, or done again, and the fence ends last.
    `say` is called with a line before each step. Raises Conflict (it was not restored, or another resume runs), and
    Unavailable if the journal can't be read.
    """
    async with leased(services.db, _LEASE, services.settings.lease_seconds) as lease:
        if lease is None:
            raise Conflict("Another `postern resume` runs. Wait until it is done.")
        row = await _fenced(services)
        before, data_at = row["fenced_at"], row["data_at"]
        say("messages …")
        direct = await moves.direct_messages(services, policy, before, data_at)
        fault_point("resume.direct")
        records = await moves.project_messages(services, policy, before)
        say("projects …")
        projects = await moves.projects(services, policy, before)
        fault_point("resume.projects")
        say("logins and event feeds …")
        await moves.notices(services, policy, before)
        logins = await moves.logins(services, before)
        feeds = await moves.feeds(services)
        say("the journal of erasures and withdrawals …")
        replayed = await replay(services, row["id"], row["journal_position"], follow=True)
        if replayed.sealed:
            raise Unavailable(
                f"{replayed.sealed} erasures and blocks can't be done again, since the key of address hashes can't be"
                " opened. Set POSTERN_SECRET_KEY_OLD, then run this again.",
                code="address_hashes_sealed",
            )
        fault_point("resume.replayed")
        credentials = await services.db.fetch(_CREDENTIALS, _MOST)
        await _end(services, row, policy, replayed.position)
    log.info("the restored database works again", policy=policy.value)
    return Resumed(data_at, direct, records, projects, logins, feeds, replayed, [*credentials])


async def _fenced(services: Services) -> Any:
    """Returns the row of a fenced installation; sets the fence first if no process has seen the restore yet."""
    if await fence.fence_of(services).look():
        raise Conflict(
            "This database was not restored, so there is nothing to resume."
            " `postern doctor` says why messages wait.",
        )
    return await services.db.fetchrow(_ROW)


async def _end(services: Services, row: Any, policy: ResumePolicy, position: int) -> None:
    id: UUID = row["id"]
    outside = await beats.read(services, id)
    number = max(row["beat"], outside.number if outside is not None else 0) + _JUMP
    if row["fence_reason"] != FenceReason.went_back:
        successor = await services.db.fetchval(_NEXT_ID, uuid7())
        # A later restore of the same backup finds by it what happened after this one.
        await segments.put(services, id, position + 1, [{"kind": "continued", "id": successor}])
        id, position = successor, 0
    fault_point("resume.continued")
    ended = await services.db.fetchrow(_END, id, number, position, policy.value)
    if ended is not None:
        await beats.write(services, id, Beat(ended["beat"], ended["beat_at"]))
