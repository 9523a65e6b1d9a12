"""A contestant: the SQL that one would write by hand for one page, asyncpg, orjson, bare ASGI, and nothing else.

It reads no document: the path says which of the queries is asked for.
"""

import os
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import asyncpg
import orjson

OWNER = UUID(os.environ["BENCH_OWNER"])
MESSAGE = UUID(os.environ["BENCH_MESSAGE"])

_EIGHT = 'id, direction, channel, status, "to", body, created_at, updated_at'
_LIST = f"SELECT {_EIGHT} FROM messages WHERE owner_id = $1 ORDER BY id DESC LIMIT 100"
_ONE = f"SELECT {_EIGHT} FROM messages WHERE id = $1 AND owner_id = $2"
_PROJECTS = """
SELECT p.id, p.name, p.status, p.created_at, a.id AS account, a.name AS account_name, a.balance, a.currency
FROM (SELECT * FROM sending_projects WHERE owner_id = $1 ORDER BY id DESC LIMIT 20) AS p
JOIN accounts AS a ON a.id = p.account_id ORDER BY p.id DESC
"""
_RECORDS = """
SELECT k.id AS project, m.id, m.status, m."to", m.attempts, m.queued_at
FROM unnest($1::uuid[]) AS k (id) CROSS JOIN LATERAL (
  SELECT * FROM message_records AS m WHERE m.project_id = k.id ORDER BY m.seq DESC LIMIT 5
) AS m
"""
_pool: asyncpg.Pool | None = None


def _message(row: Any) -> dict[str, Any]:
    return {
        "uuid": str(row["id"]),
        "direction": row["direction"],
        "channel": row["channel"],
        "status": row["status"],
        "to": row["to"],
        "body": row["body"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
    }


async def _list(connection: asyncpg.Connection) -> Any:
    rows = await connection.fetch(_LIST, OWNER)
    return {"messages": {"nodes": [_message(row) for row in rows]}}


async def _one(connection: asyncpg.Connection) -> Any:
    return {"message": _message(await connection.fetchrow(_ONE, MESSAGE, OWNER))}


async def _nested(connection: asyncpg.Connection) -> Any:
    projects = await connection.fetch(_PROJECTS, OWNER)
    records: dict[UUID, list[Any]] = {row["id"]: [] for row in projects}
    for row in await connection.fetch(_RECORDS, list(records)):
        records[row["project"]].append(
            {
                "uuid": str(row["id"]),
                "status": row["status"],
                "to": row["to"],
                "attempts": row["attempts"],
                "queuedAt": row["queued_at"],
            }
        )
    nodes = [
        {
            "uuid": str(row["id"]),
            "name": row["name"],
            "status": row["status"],
            "createdAt": row["created_at"],
            "account": {
                "uuid": str(row["account"]),
                "name": row["account_name"],
                "balance": float(row["balance"]),
                "currency": row["currency"],
            },
            "messages": {"nodes": records[row["id"]]},
        }
        for row in projects
    ]
    return {"sendingProjects": {"nodes": nodes}}


_PATHS: dict[str, Callable[[asyncpg.Connection], Awaitable[Any]]] = {
    "/list": _list,
    "/nested": _nested,
    "/one": _one,
}


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    global _pool
    if scope["type"] != "http":
        return
    if _pool is None:
        _pool = await asyncpg.create_pool(os.environ["DB_STRING"], min_size=4, max_size=10)
    async with _pool.acquire() as connection:
        answer = await _PATHS[scope["path"]](connection)
    body = orjson.dumps({"data": answer}, option=orjson.OPT_UTC_Z)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
