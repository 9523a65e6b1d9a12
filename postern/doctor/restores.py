"""Reports a database that was restored and sends nothing, a failover that lost seconds, and a journal that can't be
written.
"""

from datetime import timedelta
from typing import Final

from db.session import Database
from engine.restore import fence, journal, moves
from postern.doctor.backlog import span
from postern.doctor.findings import Findings
from shapes.restores import FenceReason

_TOPIC: Final = "restore"
_RECENT: Final = timedelta(days=1)
_LATE: Final = timedelta(minutes=10)


async def look(findings: Findings, db: Database) -> None:
    """Checks the fence and the journal (engine/restore)."""
    status = await fence.status(db)
    if status is None:
        return
    async with db.reading() as connection:
        now = await connection.fetchval("SELECT now()")
        waiting = None if status.is_open else await moves.counts(connection, status.fenced_at or now)
        behind = await connection.fetchrow(journal.BEHIND)
    if waiting is not None:
        reason = status.reason or FenceReason.copied
        data = f"; its data is of {status.data_at:%Y-%m-%d %H:%M} UTC" if status.data_at else ""
        findings.bad(
            _TOPIC,
            f"nothing is sent: {reason.description}{data}; {waiting['direct']:,} direct messages and"
            f" {waiting['records']:,} of projects waited in it",
            "Run `postern resume`: they become unknown. With --send they are sent, with --nothing-was-sent-since they"
            " go on; docs/operations.md, 'After a restore'.",
        )
    elif status.failed_over_at is not None and now - status.failed_over_at < _RECENT:
        findings.note(
            _TOPIC,
            f"the database failed over {span(now - status.failed_over_at)} ago and has lost"
            f" {status.failover_lost_seconds or 0:.0f} s: what was sent in them may be sent again",
            "Use synchronous replication if that must not happen. Events of these seconds are missing in feeds.",
        )
    if behind["since"] is not None and now - behind["since"] > _LATE:
        findings.bad(
            _TOPIC,
            f"{behind['number']:,} erasures and withdrawals are not in the journal, the oldest for"
            f" {span(now - behind['since'])}: a restore would lose them",
            "Look at the file store (POSTERN_FILES_URL, or the disk of POSTERN_DATA_DIR), and whether a worker runs.",
        )
