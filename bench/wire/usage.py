"""Measures the cost of sending: transactions and WAL of the database, and processor time of processes."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import asyncpg

_TRANSACTIONS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """Holds what the processes have used since their start. The difference of two is what a run has used."""

    wal: int  # bytes
    workers: float  # processor seconds
    postgres: float  # processor seconds

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(self.wal - other.wal, self.workers - other.workers, self.postgres - other.postgres)


async def usage(db: asyncpg.Connection, postmaster: int, workers: Iterable[int]) -> Usage:
    return Usage(
        await db.fetchval("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"),
        sum(processor(pid) for pid in workers),
        processor(postmaster),
    )


async def transactions(db: asyncpg.Connection) -> int:
    """Returns the committed transactions that the server has counted. A connection reports its own within seconds, and
    always when it ends, so read this after the workers have stopped.
    """
    return int(await db.fetchval(_TRANSACTIONS))


def processor(pid: int) -> float:
    """Returns the seconds that a process, its living children and those that have ended have worked."""
    stat = _stat(pid)
    if stat is None:
        return 0.0
    own = sum(int(ticks) for ticks in stat[11:15])  # utime, stime, cutime, cstime
    return own / _TICKS + sum(processor(child) for child in _children(pid))


def _stat(pid: int) -> list[str] | None:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
