"""Serves the baseline of the benchmarks: the same SQL with asyncpg and orjson on bare ASGI, and nothing else."""

import os
from typing import Any

import asyncpg
import orjson
from sqlalchemy.dialects.postgresql import asyncpg as dialect  # noqa: F401  the SQL below is what it writes

from db.lists import statements
from resolvers import messages, users

_pool: asyncpg.Pool | None = None
OWNER = os.environ["BENCH_OWNER"]
SCOPE = (messages._DIRECT, messages._MINE)
ROWS = statements.numbered(messages._MESSAGES, frozenset(), SCOPE)
TOTAL = messages._total(frozenset(), messages._COUNTERS_MINE)
FIRST = ROWS.arguments({"owner_id": OWNER, "limit_": 100, "offset_": 0})
COUNTED = TOTAL.arguments({"owner_id": OWNER})
USER = users._BY_ID


async def _get_pool() -> asyncpg.Pool:
    global _pool
    if _pool is None:
        _pool = await asyncpg.create_pool(os.environ["DB_STRING"], min_size=4, max_size=10)
    return _pool


def _plain(row: Any) -> dict[str, Any]:
    return dict(row)


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    pool = await _get_pool()
    if scope["path"] == "/messages":
        async with pool.acquire() as connection:
            rows = await connection.fetch(ROWS.sql, *FIRST)
            total = await connection.fetchval(TOTAL.sql, *COUNTED)
        body = orjson.dumps(
            {"items": [_shown(row) for row in rows],
             "meta": {"page": 1, "limit": 100, "total": total, "totalPages": -(-total // 100)}},
        )  # fmt: skip
    else:
        async with pool.acquire() as connection:
            row = await connection.fetchrow(USER.sql, OWNER)
        body = orjson.dumps(
            {"id": str(row["id"]), "email": row["email"], "displayName": row["display_name"],
             "status": row["status"], "roles": row["roles"],
             "createdAt": row["created_at"], "updatedAt": row["updated_at"]},
        )  # fmt: skip
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _shown(row: Any) -> dict[str, Any]:
    return {
        "id": str(row["id"]),
        "accountId": str(row["account_id"]),
        "direction": row["direction"],
        "channel": row["channel"],
        "status": row["status"],
        "to": row["to"],
        "body": row["body"],
        "providerMessageId": row["provider_message_id"],
        "createdAt": row["created_at"],
    }
