"""Checks whether another program locks what Postern reads and writes, and whether commits wait for a standby."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from db.session import Database
from engine.upkeep.locks import LockHolder, StandbyWait, lock_holders, standby_wait
from postern.doctor.findings import CONNECT_SECONDS, Findings

_AGAIN_SECONDS = 0.2


async def look(findings: Findings, db: Database) -> bool:
    """Reports sessions for whose locks others wait. Returns whether the other checks can read the tables."""
    async with db.unpooled() as connection:
        holders, standby = await lock_holders(connection), await standby_wait(connection)
    if standby.commits:
        _report(findings, standby)
    return _report_holders(findings, holders)


async def names_holder(findings: Findings, db: Database) -> bool:
    """Reports who holds the lock of a table for which a check has waited too long. Returns whether there was one.

    A holder is seen while a session waits for it. All of them may have given up just now and try again in a moment, so
    this looks for a while.
    """
    with suppress(Exception):
        async with asyncio.timeout(CONNECT_SECONDS), db.unpooled() as connection:
            while True:
                holders = [each for each in await lock_holders(connection, timedelta()) if each.tables]
                if holders:
                    return not _report_holders(findings, holders)
                await asyncio.sleep(_AGAIN_SECONDS)
    return False


def _report_holders(findings: Findings, holders: Sequence[LockHolder]) -> bool:
    """Reports who holds locks. Returns whether the other checks can read the tables."""
    free = True
    for each in holders:
        free = free and not each.tables
        what = f"the table {', '.join(each.tables)}" if each.tables else "rows"
        minutes = "" if each.lasts is None else f" since {each.lasts.total_seconds() / 60:.1f} min"
        findings.bad(
            "locks",
            f"{each.holder} has locked {what}{minutes}, and {each.waiting} sessions wait; their requests fail",
            "If it is no migration at work, end it; docs/operations.md, 'Another program holds a lock'.",
        )
    if not free:
        findings.note(
            "locks", "the other checks of PostgreSQL are left out", "Run `postern doctor` again afterwards."
        )
    return free


def _report(findings: Findings, standby: StandbyWait) -> None:
    """Reports commits that wait for a standby: what they store is neither lost nor answered."""
    seconds = 0.0 if standby.lasts is None else standby.lasts.total_seconds()
    commits = "1 commit waits" if standby.commits == 1 else f"{standby.commits} commits wait"
    findings.bad(
        "standby",
        f"{commits} for a synchronous standby, since {seconds:.0f} s: none that synchronous_standby_names asks for"
        f" ({standby.names}) follows; requests that change something fail, and nothing is sent",
        "Bring a standby back: `patronictl list`, or pg_stat_replication on the primary; docs/operations.md, 'No"
        " synchronous standby'.",
    )
