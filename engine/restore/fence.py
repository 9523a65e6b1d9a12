"""Recognizes a restored database, and keeps workers from sending out of it (contract §9.6).

The row of `installation` holds the OIDs of its database and table, and the transaction that wrote it last. A copy by
TEMPLATE has another database, and a dump that was read in was written by another transaction, also if all OIDs happen
to be the same, as on two new servers. `pg_upgrade`, a base backup and a failover keep all three. After a physical
restore the row is behind its last beat, which Redis, the data folder and each running process know.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg
import structlog

from core.ids import uuid7
from db.query import Reads
from engine.address_hashes import address_hasher
from engine.jobs import every
from engine.restore import beats
from engine.restore.beats import Beat
from runtime.services import Services
from shapes.restores import FenceReason

log = structlog.get_logger("postern.restore")

BEAT_SECONDS: Final = 10
"""The seconds between two beats. A shorter time that was lost is not noticed."""
_LATEST = timedelta(seconds=BEAT_SECONDS - 2)  # a beat this young is another worker's

WRITTEN: Final = """database_oid = (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
  table_oid = tableoid::bigint, written_by = pg_current_xact_id()::xid::text"""
"""Sets the columns by which the row is known to be the original, in an UPDATE outside any savepoint."""

_SAME_OIDS = """(table_oid = tableoid::bigint
    AND database_oid = (SELECT oid::bigint FROM pg_database WHERE datname = current_database()))"""
# A change of the row makes a new version of it, whose xmin is the transaction that made the change.
_READ = f"""
SELECT id, beat, beat_at, fenced_at, fence_reason, data_at, lost_seconds, failed_over_at, failover_lost_seconds,
  journal_position, next_id,
  clock_timestamp() - beat_at AS age, {_SAME_OIDS} AS has_same_oids,
  written_by = xmin::text AND {_SAME_OIDS} AS is_original
FROM installation
"""  # noqa: S608  our own expression
FIRST: Final = """
INSERT INTO installation (id, database_oid, table_oid, written_by)
SELECT $1, oid::bigint, 'installation'::regclass::oid::bigint, pg_current_xact_id()::xid::text
FROM pg_database WHERE datname = current_database()
ON CONFLICT DO NOTHING
"""
"""Writes the row of a database that has none. $1: the id of the installation."""
_COPIED = f"""
UPDATE installation SET fenced_at = clock_timestamp(), fence_reason = 'copied', data_at = beat_at, lost_seconds = NULL,
  next_id = NULL, {WRITTEN}
WHERE NOT (written_by = xmin::text AND {_SAME_OIDS}) RETURNING fenced_at
"""  # noqa: S608  our own expression
_WENT_BACK = f"""
UPDATE installation SET fenced_at = clock_timestamp(), fence_reason = 'went_back', data_at = beat_at,
  lost_seconds = $2, {WRITTEN}
WHERE beat = $1 AND fenced_at IS NULL RETURNING fenced_at
"""  # noqa: S608  our own expression
RESTORED: Final = f"""
UPDATE installation SET fenced_at = clock_timestamp(), fence_reason = 'restored', data_at = beat_at,
  lost_seconds = NULL, next_id = NULL, {WRITTEN}
"""  # noqa: S608  our own expression
"""Sets the fence in a database that was just restored."""
_REWRITTEN = f"UPDATE installation SET {WRITTEN} WHERE beat = $1"  # noqa: S608  our own expression
# The number is compared, so that two processes that see the same row do not both go on from it.
_FAILED_OVER = f"""
UPDATE installation SET beat = $2::bigint + 1, beat_at = clock_timestamp(), failed_over_at = clock_timestamp(),
  failover_lost_seconds = $3, journal_behind = true, {WRITTEN}
WHERE beat = $1 AND fenced_at IS NULL RETURNING beat, beat_at
"""  # noqa: S608  our own expression
_BEAT = f"""
UPDATE installation SET beat = beat + 1, beat_at = clock_timestamp(), {WRITTEN}
WHERE beat = $1 AND beat_at < clock_timestamp() - $2::interval AND fenced_at IS NULL
RETURNING id, beat, beat_at
"""  # noqa: S608  our own expression


class Fenced(ConnectionError):
    """A worker gets no connection, since the database was restored."""


@dataclass(frozen=True, slots=True)
class FenceStatus:
    """The row of the installation: whether it is fenced, and why."""

    id: UUID
    fenced_at: datetime | None
    reason: FenceReason | None
    data_at: datetime | None
    """The time of the last beat in the restored data: from then on nothing is known."""
    lost_seconds: float | None
    failed_over_at: datetime | None
    failover_lost_seconds: float | None
    is_original: bool
    """False: a copy that no process has noticed yet."""

    @property
    def is_open(self) -> bool:
        """Returns whether workers may work."""
        return self.fenced_at is None and self.is_original


async def status(db: Reads) -> FenceStatus | None:
    """Returns the state of the fence, and changes nothing. None: no process has started on this database yet."""
    row = await db.fetchrow(_READ)
    return None if row is None else _status(row)


async def _state(db: Reads) -> FenceStatus:
    return _status(await db.fetchrow(_READ))


def _status(row: Any) -> FenceStatus:
    return FenceStatus(
        id=row["id"],
        fenced_at=row["fenced_at"],
        reason=None if row["fence_reason"] is None else FenceReason(row["fence_reason"]),
        data_at=row["data_at"],
        lost_seconds=row["lost_seconds"],
        failed_over_at=row["failed_over_at"],
        failover_lost_seconds=row["failover_lost_seconds"],
        is_original=row["is_original"],
    )


class Fence:
    """Watches the connections of a process. A worker gets none while the database is fenced; an API process does,
    since it goes on accepting.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._last: Beat | None = None  # the last beat that this process has seen
        self._refuses = False
        self.raised = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def guard(self, *, refuses: bool) -> None:
        """Has every new connection looked at from now on. `refuses`: those of a worker."""
        self._refuses, self._loop = refuses, asyncio.get_running_loop()
        self._services.db.admit = self.admit

    async def look(self) -> bool:
        """Looks at the database, Redis and the data folder, and sets the fence if the database was restored.

        The first call for a database writes its row. Returns whether workers may work, also before the migration that
        makes the table. Raises what connecting raises.
        """
        async with self._services.db.reading() as connection:
            return await self._look(connection)

    async def _look(self, connection: Any) -> bool:
        try:
            row = await connection.fetchrow(_READ)
        except asyncpg.UndefinedTableError:
            return True
        if row is None:
            await connection.execute(FIRST, uuid7())
            row = await connection.fetchrow(_READ)
        outside = await beats.read(self._services, row["id"])
        self._last = max((beat for beat in (self._last, outside) if beat is not None), default=None)
        return await self._judge(connection, row)

    async def admit(self, connection: Any) -> None:
        """Looks at a new connection. Raises Fenced if this process is a worker, and the database is fenced.

        It runs in the loop of the connection's pool, so it asks neither Redis nor the data folder.
        """
        try:
            row = await connection.fetchrow(_READ)
        except asyncpg.UndefinedTableError:  # before the first migration
            return
        if row is not None and not await self._judge(connection, row) and self._refuses:
            raise Fenced("the database was restored, and waits for `postern resume`")

    async def _judge(self, connection: Any, row: Any) -> bool:
        """Sets the fence if the row is that of a copy or too old. Returns whether workers may work."""
        beat, last = Beat(row["beat"], row["beat_at"]), self._last
        gap = self._services.settings.restore_gap_seconds
        if not row["is_original"]:
            if not self._was_rewritten(row, last, gap):
                return await self._fence(connection, FenceReason.copied, None, _COPIED)
            await connection.execute(_REWRITTEN, beat.number)
        if row["fenced_at"] is not None:
            return self._raise()
        if last is None or last.number <= beat.number:
            self._last = beat
            return self._open()
        # The time is that of the last beat; another process may have moved the restored row on, and the number tells.
        missing = (last.number - beat.number) * _LATEST.total_seconds()
        lost = max((last.at - beat.at).total_seconds(), missing)
        if lost > gap:
            return await self._fence(connection, FenceReason.went_back, lost, _WENT_BACK, beat.number, lost)
        moved = await connection.fetchrow(_FAILED_OVER, beat.number, last.number, lost)
        if moved is not None:
            self._last = Beat(moved["beat"], moved["beat_at"])
            log.warning("the database failed over, and has lost the last seconds", seconds=round(lost, 1))
        return self._open()

    @staticmethod
    def _was_rewritten(row: Any, last: Beat | None, gap: float) -> bool:
        """Returns whether a program such as pg_repack has written the table anew: the row is where it was, and is not
        behind a beat that is known.
        """
        is_recent = row["age"].total_seconds() < gap
        return bool(row["has_same_oids"]) and is_recent and last is not None and last.number <= row["beat"]

    async def _fence(
        self, connection: Any, reason: FenceReason, lost: float | None, sql: str, *arguments: Any
    ) -> bool:
        if await connection.fetchval(sql, *arguments) is not None:
            log.error(
                "the database was restored or copied: nothing is sent until `postern resume`",
                reason=reason.value,
                lost_seconds=None if lost is None else round(lost),
            )
        elif reason is FenceReason.went_back and not (await _state(connection)).fenced_at:
            return True  # another process has moved the row on meanwhile
        return self._raise()

    def _open(self) -> bool:
        if not self._refuses and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.raised.clear)
        return True

    def _raise(self) -> bool:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.raised.set)
        return False

    async def beat(self) -> None:
        """Compares the row with the last beat that is known, moves it on, and keeps it outside."""
        async with self._services.db.reading() as connection:
            if not await self._look(connection) or self._last is None:
                return
            moved = await connection.fetchrow(_BEAT, self._last.number, _LATEST)
            row = moved or await connection.fetchrow(_READ)
        # Also what another worker has moved: each machine has a data folder.
        self._last = Beat(row["beat"], row["beat_at"])
        await beats.write(self._services, row["id"], self._last)

    async def is_raised(self) -> bool:
        """Returns whether workers must not work, as far as this process knows. It asks the database only after a fence:
        `postern resume` ends it in another process.
        """
        if self.raised.is_set():
            seen = await status(self._services.db)
            if seen is not None and seen.is_open:
                self.raised.clear()
        return self.raised.is_set()


def fence_of(services: Services) -> Fence:
    """Returns the fence of this process."""
    return services.single(Fence, lambda: Fence(services))


@every(BEAT_SECONDS)
async def beat(services: Services) -> None:
    """Moves the beat on. The key of address hashes is there before a backup is taken, so that the journal's hashes can
    be compared after it.
    """
    await address_hasher(services)
    await fence_of(services).beat()
