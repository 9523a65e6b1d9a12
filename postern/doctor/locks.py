"""Checks whether another program locks what Postern reads and writes."""

from db.session import Database
from engine.upkeep.locks import lock_holders
from postern.doctor.findings import Findings


async def look(findings: Findings, db: Database) -> bool:
    """Reports sessions for whose locks others wait. Returns whether the other checks can read the tables."""
    free = True
    async with db.direct() as connection:
        holders = await lock_holders(connection)
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
