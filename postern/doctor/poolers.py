"""Checks a pooler in transaction mode, such as PgBouncer, between the API processes and PostgreSQL."""

from core.database_options import BadSettings
from core.settings import Settings
from db.dsn import HOW_TO_WRITE, location, readable
from db.pooler import shares_sessions
from db.session import Database
from postern.doctor import server_settings
from postern.doctor.advice import advice
from postern.doctor.findings import Findings, why

_TOPIC = "pooler"
_DOCS = "docs/operations.md, PgBouncer"
_SERVER = """
SELECT pg_postmaster_start_time() AS started, current_database() AS name,
  (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS oid
"""


async def hides(findings: Findings, db: Database, settings: Settings) -> bool:
    """Reports a pooler in transaction mode where PostgreSQL itself should be. Returns whether there is one."""
    if not await shares_sessions(db):
        return False
    text = f"{location(db.url)}: PgBouncer in transaction mode stands before it"
    if settings.db_direct_string is not None:
        findings.bad("PostgreSQL", text, f"DB_DIRECT_STRING must name PostgreSQL itself; {_DOCS}.")
    else:
        findings.bad(
            "PostgreSQL",
            f"{text}, and workers and migrations need sessions",
            f"Let DB_DIRECT_STRING name PostgreSQL itself, or set pool_mode = session; {_DOCS}.",
        )
    return True


async def look(findings: Findings, db: Database, settings: Settings) -> None:
    """Checks the pooler of DB_STRING, if DB_DIRECT_STRING names PostgreSQL itself, which `db` is connected to."""
    if settings.db_direct_string is None or settings.db_string is None:
        return
    url = settings.db_string.get_secret_value()
    if not readable(url):
        example = "postgresql://user:password@pooler:6432/name"
        findings.bad(_TOPIC, "DB_STRING can't be read", HOW_TO_WRITE.format(example))
        return
    try:
        pooled = Database.of(settings, "postern-doctor", pooler=True)
    except BadSettings as error:
        findings.bad(_TOPIC, str(error), "Correct DB_STRING; docs/configuration.md has its form.")
        return
    try:
        if await pooled.fetchrow(_SERVER) != (behind := await db.fetchrow(_SERVER)):
            findings.bad(
                _TOPIC,
                f"{location(url)} leads to another database than DB_DIRECT_STRING: no worker sends what the API"
                " accepts there",
                f"Let both lead to {behind.name} on the same server.",
            )
            return
        findings.good(_TOPIC, f"API processes use {location(url)}")
        await server_settings.look_at_sessions(findings, pooled)
    except Exception as error:  # whatever a broken pooler makes its client raise
        findings.bad(_TOPIC, f"{location(url)}: {why(error)}", advice(error))
    finally:
        await pooled.close()
