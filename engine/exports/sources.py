"""Reads the sources of exports, page after page by a key: no transaction stays open, and memory holds one page at
most.
"""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from core.ids import least_uuid7
from db.session import Database
from engine import blocks
from engine.exports.audit_source import AUDIT
from engine.exports.invoice_source import DIFFERENCES
from engine.exports.ledger_source import LEDGER
from engine.exports.message_source import MESSAGES
from engine.exports.person_source import PERSON
from engine.exports.port import PAGE, Asked, Column, Pages, Row, Source, all_of
from engine.projects.audience import message_ids
from runtime.permissions import Permission
from shapes.exports import ExportSource
from shapes.message_records import RecordStatus
from shapes.recipients import RecipientStatus

_VARIABLE = "variables."
_LOOKED_AT = 1000  # recipients whose variables become columns if no columns are named
_MOST_VARIABLES = 100


def allowed(source: str, name: str) -> bool:
    """Returns whether the source has such a column; recipients have one for every variable."""
    if source == ExportSource.recipients and name.startswith(_VARIABLE) and len(name) > len(_VARIABLE):
        return True
    return any(column.name == name for column in SOURCES[source].columns)


_RECIPIENT_COLUMNS = (
    Column("uuid", "Id", "0193a5e0-7b1c-7000-8000-000000000001"),
    Column("address", "Address", "+14155550100"),
    Column("name", "Name", "Ann"),
    Column("timezone", "Time zone", "Europe/Riga"),
    Column("status", "Status", "delivered"),
    Column("statusReason", "Why", "The provider refuses it."),
    Column("messageId", "Message", "3d813cbb-47fb-52ba-91df-831e1593ac29"),
    Column("variables", "All variables, as JSON", '{"city": "Riga"}'),
    Column("variables.city", "The variable city; so for every other", "Riga"),
)
_RECIPIENTS = """
SELECT id AS "uuid", seq, address, name, timezone, variables FROM recipients
WHERE project_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
"""
_THEIR_MESSAGES = "SELECT id, status, failure_reason FROM message_records WHERE id = ANY($1::uuid[])"
_THEIR_VARIABLES = """
SELECT DISTINCT key FROM (SELECT variables FROM recipients WHERE project_id = $1 ORDER BY seq LIMIT $2) AS r,
  jsonb_object_keys(CASE jsonb_typeof(r.variables) WHEN 'object' THEN r.variables ELSE '{}' END) AS key
ORDER BY key LIMIT $3
"""


async def _recipients(db: Database, asked: Asked) -> Pages:
    """Yields recipients in the order in which they were added."""
    assert asked.project is not None
    status = asked.filters.get("status")
    until = await db.fetchval("SELECT max(seq) FROM recipients WHERE project_id = $1", asked.project)
    last = 0
    while until is not None and (rows := await db.fetch(_RECIPIENTS, asked.project, last, until, PAGE)):
        last = rows[-1]["seq"]
        ids = message_ids(asked.project, [row["uuid"] for row in rows])
        messages = {row["id"]: row for row in await db.fetch(_THEIR_MESSAGES, ids)}
        recipients = [_recipient(row, messages.get(id)) for row, id in zip(rows, ids, strict=True)]
        yield [row for row in recipients if status is None or row["status"] == status]


def _recipient(row: Any, message: Any) -> Row:
    variables = row["variables"] or {}
    return {
        **row,
        "status": message["status"] if message else RecipientStatus.pending.value,
        "statusReason": message and message["failure_reason"],
        "messageId": message and message["id"],
        **{f"{_VARIABLE}{name}": value for name, value in variables.items()},
    }


async def _recipient_total(db: Database, asked: Asked) -> int:
    number = await db.fetchval("SELECT count(*) FROM recipients WHERE project_id = $1", asked.project)
    return cast(int, number)


async def _recipient_columns(db: Database, asked: Asked) -> Sequence[str]:
    """Returns the address, and the other known columns."""
    keys = await db.fetch(_THEIR_VARIABLES, asked.project, _LOOKED_AT, _MOST_VARIABLES)
    own = ("address", "name", "timezone", "status", "statusReason")
    return [*own, *(f"{_VARIABLE}{row['key']}" for row in keys)]


_STATES = ("total", *(status.value for status in RecordStatus), "replied", "bounced", "complained")
_PROJECT_COLUMNS = (
    Column("uuid", "Id", "0193a5e0-7b1c-7000-8000-000000000000"),
    Column("name", "Name", "Spring sale"),
    Column("status", "Status", "finished"),
    Column("statusReason", "Why it is paused", "balance_used_up"),
    Column("channel", "Channel", "sms"),
    Column("subject", "Subject", "Hello"),
    Column("text", "Text", "Hello {{ name }}!"),
    Column("startAt", "Starts at", "2026-11-20T12:00:00Z"),
    Column("createdAt", "Created at", "2026-11-19T12:00:00Z"),
    Column("startedAt", "Started at", "2026-11-20T12:00:00Z"),
    Column("finishedAt", "Finished at", "2026-11-20T13:00:00Z"),
    *(Column(name, name.capitalize(), "1000") for name in _STATES),
)
_RATES = ("sentRate", "failedRate", "deliveredRate", "readRate", "repliedRate")
_STATISTICS_COLUMNS = (
    *(
        column
        for column in _PROJECT_COLUMNS
        if column.name in ("uuid", "name", "status", "channel", "createdAt")
    ),
    *(Column(name, name.capitalize(), "1000") for name in _STATES),
    *(Column(name, f"Part {name.removesuffix('Rate')}", "0.97") for name in _RATES),
    Column("variant", "A row for each variant that was sent; empty where there are none", "0"),
)
_SUMS = ", ".join(f'COALESCE(sum(c."{name}"), 0)::int8 AS "{name}"' for name in _STATES)
_COUNTED = (
    f"SELECT NULL::int AS variant, {_SUMS}"  # noqa: S608  our own words
    " FROM sending_counters AS c WHERE c.project_id = p.id"
)
_PROJECTS = f"""
SELECT p.id, p.id AS "uuid", p.name, p.status, p.status_reason AS "statusReason", p.channel, p.subject, p.text,
  p.start_at AS "startAt", p.created_at AS "createdAt", p.started_at AS "startedAt", p.finished_at AS "finishedAt", n.*
FROM (
  SELECT * FROM sending_projects AS p WHERE p.status <> 'deleted' AND p.id > $1
    AND ($2::uuid IS NULL OR p.owner_id = $2)
    AND ($3::text IS NULL OR p.status = $3) AND ($4::text IS NULL OR p.channel = $4)
    AND ($5::timestamptz IS NULL OR p.created_at >= $5) AND ($6::timestamptz IS NULL OR p.created_at < $6)
  ORDER BY p.id LIMIT $7
) AS p CROSS JOIN LATERAL ({_COUNTED}) AS n ORDER BY p.id, n.variant
"""  # noqa: S608  our own words
_BY_VARIANT = _PROJECTS.replace(
    _COUNTED,
    f"""
  SELECT c.variant, {_SUMS} FROM variant_counters AS c WHERE c.project_id = p.id GROUP BY c.variant
  UNION ALL
  {_COUNTED} HAVING NOT EXISTS (SELECT FROM variant_counters AS v WHERE v.project_id = p.id)
""",  # noqa: S608  our own words
)


def _of_projects(asked: Asked) -> Sequence[Any]:
    filters = asked.filters
    return (
        asked.owner,
        filters.get("status"),
        filters.get("channel"),
        asked.moment("dateFrom"),
        asked.moment("dateTo"),
    )


async def _projects(db: Database, asked: Asked) -> Pages:
    last, sql = UUID(int=0), _BY_VARIANT if "variant" in asked.columns else _PROJECTS
    while rows := await db.fetch(sql, last, *_of_projects(asked), PAGE // 10):
        last = rows[-1]["id"]
        yield [{**row, **_rates(row)} for row in rows]


def _rates(row: Row) -> Row:
    """Adds the rates that `GET /statistics/list` shows."""
    arrived = row["delivered"] + row["read"]
    taken = row["sent"] + arrived
    parts = (
        (taken, row["total"]), (row["failed"], row["total"]), (arrived, taken), (row["read"], taken),
        (row["replied"], taken),
    )  # fmt: skip
    return {
        name: round(part / whole, 6) if whole > 0 else None
        for name, (part, whole) in zip(_RATES, parts, strict=True)
    }


async def _project_total(db: Database, asked: Asked) -> int:
    sql = """
    SELECT count(*) FROM sending_projects AS p WHERE p.status <> 'deleted' AND ($1::uuid IS NULL OR p.owner_id = $1)
      AND ($2::text IS NULL OR p.status = $2) AND ($3::text IS NULL OR p.channel = $3)
      AND ($4::timestamptz IS NULL OR p.created_at >= $4) AND ($5::timestamptz IS NULL OR p.created_at < $5)
    """
    return cast(int, await db.fetchval(sql, *_of_projects(asked)))


_BLOCK_COLUMNS = (
    Column("uuid", "Id", "0193a5e0-7b1c-7000-8000-000000000003"),
    Column("phone", "Phone or email address", "+14155550100"),
    Column("reason", "Why", "optOut"),
    Column("scope", "Which messages it stops", "all"),
    Column("createdAt", "Since", "2026-11-20T12:00:00Z"),
)
_BLOCKS = f"""
SELECT id, id AS "uuid", phone, reason, scope, created_at AS "createdAt" FROM blocked_phones
WHERE {blocks.LIVE} AND id > $1 AND ($2::uuid IS NULL OR owner_id = $2) AND ($3::text IS NULL OR reason = $3)
  AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
ORDER BY id LIMIT $6
"""  # noqa: S608  our own condition


def _of_blocks(asked: Asked) -> Sequence[Any]:
    return asked.owner, asked.filters.get("reason"), asked.moment("dateFrom"), asked.moment("dateTo")


async def _blocks(db: Database, asked: Asked) -> Pages:
    since = asked.moment("dateFrom")
    # Ids begin with their time, so older rows need not be read.
    last = UUID(int=least_uuid7(since).int - (60_000 << 80)) if since else UUID(int=0)
    while rows := await db.fetch(_BLOCKS, last, *_of_blocks(asked), PAGE):
        last = rows[-1]["id"]
        yield rows


async def _block_total(db: Database, asked: Asked) -> int:
    sql = f"""
    SELECT count(*) FROM blocked_phones WHERE {blocks.LIVE} AND ($1::uuid IS NULL OR owner_id = $1)
      AND ($2::text IS NULL OR reason = $2)
      AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::timestamptz IS NULL OR created_at < $4)
    """  # noqa: S608  our own condition
    return cast(int, await db.fetchval(sql, *_of_blocks(asked)))


SOURCES: dict[str, Source] = {
    ExportSource.messages: MESSAGES,
    ExportSource.recipients: Source(
        _RECIPIENT_COLUMNS, _recipients, _recipient_total, _recipient_columns, Permission.recipients_read
    ),
    ExportSource.sending_projects: Source(
        _PROJECT_COLUMNS, _projects, _project_total, all_of(_PROJECT_COLUMNS), Permission.projects_read
    ),
    ExportSource.statistics: Source(
        _STATISTICS_COLUMNS,
        _projects,
        _project_total,
        all_of(_STATISTICS_COLUMNS[:-1]),
        Permission.statistics_read,
    ),
    ExportSource.blocked_phones: Source(
        _BLOCK_COLUMNS, _blocks, _block_total, all_of(_BLOCK_COLUMNS), Permission.blocks_read
    ),
    ExportSource.audit: AUDIT,
    ExportSource.ledger: LEDGER,
    ExportSource.person: PERSON,
    ExportSource.invoice_differences: DIFFERENCES,
}
