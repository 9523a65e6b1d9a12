"""Reports mailbox providers that refuse mail by their policy, so that it waits."""

from typing import Final

from db.session import Database
from postern.doctor.findings import Findings

_PAUSES: Final = """
SELECT domain, provider_class, until, times, answer, count(*) OVER () AS total FROM receiver_pauses
WHERE until > now() - interval '1 hour' ORDER BY created_at, id LIMIT 5
"""


async def look(findings: Findings, db: Database) -> None:
    """Reports the pauses; nothing if there are none."""
    rows = await db.fetch(_PAUSES)
    for row in rows:
        often = f", for the {row['times']}th time in a row" if row["times"] > 3 else ""
        findings.note(
            "receivers",
            f"{row['provider_class']} refuses mail from {row['domain']}; it waits until"
            f" {row['until']:%Y-%m-%d %H:%M} UTC{often}: {row['answer'][:200]}",
            "Correct what the answer names. The page Deliverability, or DELETE /receiver-pauses/{id}, ends the pause.",
        )
    if rows and rows[0]["total"] > len(rows):
        findings.note("receivers", f"{rows[0]['total'] - len(rows)} more pauses", "See GET /receiver-pauses.")
