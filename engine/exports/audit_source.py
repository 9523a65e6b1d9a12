"""Reads the audit for an export: the entries about its owner's data, or everybody's for an administrator."""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from core.ids import least_uuid7
from db.session import Database
from engine.exports.port import PAGE, Asked, Column, Pages, Source, all_of
from runtime.permissions import Permission

_COLUMNS = (
    Column("id", "Id", "0193a5e0-7b1c-7000-8000-000000000004"),
    Column("createdAt", "At", "2026-11-20T12:00:00Z"),
    Column("ownerId", "Owner of the data", "0193a5e0-7b1c-7000-8000-000000000005"),
    Column("actorId", "Who did it", "0193a5e0-7b1c-7000-8000-000000000006"),
    Column("actorEmail", "Email of a member who did it", "anna@example.com"),
    Column("actorKind", "By what it was called", "console"),
    Column("tokenId", "API token", "0193a5e0-7b1c-7000-8000-000000000007"),
    Column("sessionId", "Login", "0193a5e0-7b1c-7000-8000-000000000008"),
    Column("operation", "Operation", "sending_projects.update"),
    Column("objectType", "Kind of the object", "project"),
    Column("objectId", "Object", "0193a5e0-7b1c-7000-8000-000000000000"),
    Column("result", "Result", "done"),
    Column("code", "Error", "forbidden"),
    Column("ip", "Address of the caller", "192.0.2.1"),
    Column("requestId", "Request", "0193a5e07b1c"),
    Column("changes", "What changed, as JSON", '{"name": ["Spring", "Summer"]}'),
)
_FILTERS = """
  ($2::uuid IS NULL OR owner_id = $2) AND ($3::text IS NULL OR operation = $3)
  AND ($4::text IS NULL OR object_type = $4) AND ($5::text IS NULL OR object_id = $5)
  AND ($6::text IS NULL OR result = $6) AND ($7::uuid IS NULL OR actor_id = $7)
  AND ($8::timestamptz IS NULL OR created_at >= $8) AND ($9::timestamptz IS NULL OR created_at < $9)
"""
_PAGE = f"""
SELECT id, created_at AS "createdAt", owner_id AS "ownerId", actor_id AS "actorId", actor_kind AS "actorKind",
  token_id AS "tokenId", session_id AS "sessionId", operation, object_type AS "objectType", object_id AS "objectId",
  result, code, ip, request_id AS "requestId", changes,
  COALESCE(
    (SELECT m.email FROM memberships AS m WHERE m.owner_id = e.owner_id AND m.member_id = e.actor_id),
    (SELECT f.email FROM former_members AS f WHERE f.owner_id = e.owner_id AND f.member_id = e.actor_id)
  ) AS "actorEmail"
FROM audit_entries AS e WHERE id > $1 AND {_FILTERS} ORDER BY id LIMIT $10
"""  # noqa: S608  our own words
_TOTAL = f"SELECT count(*) FROM audit_entries WHERE id > $1 AND {_FILTERS}"  # noqa: S608  our own words
_EARLIER = 600_000
"""Milliseconds by which an entry's id, made at the change, may be before its time, the beginning of a transaction."""


def _parameters(asked: Asked) -> Sequence[Any]:
    filters = asked.filters
    names = ("operation", "objectType", "objectId", "result", "actorId")
    times = asked.moment("dateFrom"), asked.moment("dateTo")
    return (asked.owner, *(filters.get(name) for name in names), *times)


def _begin(asked: Asked) -> UUID:
    since = asked.moment("dateFrom")
    return UUID(int=least_uuid7(since).int - (_EARLIER << 80)) if since else UUID(int=0)


async def _pages(db: Database, asked: Asked) -> Pages:
    """Yields entries, oldest first."""
    last = _begin(asked)
    while rows := await db.fetch(_PAGE, last, *_parameters(asked), PAGE):
        last = rows[-1]["id"]
        yield rows


async def _total(db: Database, asked: Asked) -> int:
    return cast(int, await db.fetchval(_TOTAL, _begin(asked), *_parameters(asked)))


AUDIT = Source(_COLUMNS, _pages, _total, all_of(_COLUMNS), Permission.audit_read)
