"""Reports domains of emails whose record is gone, from what the last checks have stored."""

from typing import Final

from db.session import Database
from postern.doctor.findings import Findings

_LOST: Final = """
SELECT name, status, lost_at, count(*) OVER () AS total FROM domains WHERE status IN ('lost', 'expired')
ORDER BY lost_at, id LIMIT 5
"""
_COUNT: Final = "SELECT count(*) FROM domains WHERE status = 'verified'"


async def look(findings: Findings, db: Database) -> None:
    """Reports lost domains; nothing if there are no domains."""
    lost = await db.fetch(_LOST)
    for row in lost:
        since = f"{row['lost_at']:%Y-%m-%d}" if row["lost_at"] else "a while ago"
        end = "emails are sent from it for a week" if row["status"] == "lost" else "nothing is sent from it"
        findings.note(
            "domains",
            f"{row['name']}: its record is gone since {since}; {end}",
            "Its owner must set the TXT record that the page Domains shows, or delete the domain.",
        )
    if lost and lost[0]["total"] > len(lost):
        findings.note("domains", f"{lost[0]['total'] - len(lost)} more domains are lost", "See GET /domains.")
    if verified := await db.fetchval(_COUNT):
        findings.good("domains", f"{verified} verified")
