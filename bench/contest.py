"""Defines the queries of `bench.graphql`, the rows that they read, and when two answers are the same.

Every contestant gives the same shape, `{data: {…}}` with the same names, by aliases where its own are others;
so one comparison fits all. A query's text is written once for each dialect, and nowhere else.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7

MESSAGES = 1000
PROJECTS = 40
RECORDS = 50  # messages of a project
ACCOUNTS = 20


@dataclass(frozen=True, slots=True)
class Query:
    name: str
    title: str
    goals: dict[str, float]  # the contestant, and what part of its speed we want
    ours: str
    stock: str
    postgraphile: str
    size: int  # leaves of a right answer; fewer would be a contestant that leaves something out

    def body(self, contestant: str, ids: dict[str, str]) -> bytes:
        """The request. `ids` are values for the variables that the text names."""
        text: str = {"stock": self.stock, "postgraphile": self.postgraphile}.get(contestant, self.ours)
        variables = {name: value for name, value in ids.items() if f"${name}" in text}
        request: dict[str, Any] = {"query": " ".join(text.split())}
        return json.dumps({**request, "variables": variables} if variables else request).encode()


_GOALS = {"stock": 5.0, "handwritten": 0.5, "postgraphile": 1.2}
_EIGHT = "uuid direction channel status to body createdAt updatedAt"
_ROW = _EIGHT.replace("uuid", "uuid: rowId")
_RECORD = "uuid status to attempts queuedAt"
_NESTED = f"""
query {{
  sendingProjects(first: 20) {{ nodes {{
    uuid name status createdAt
    account {{ uuid name balance currency }}
    messages(first: 5) {{ nodes {{ {_RECORD} }} }}
  }} }}
}}
"""

QUERIES = (
    Query(
        "list", "100 messages, 8 fields each", _GOALS,
        ours=f"query {{ messages(first: 100) {{ nodes {{ {_EIGHT} }} }} }}",
        stock=f"query {{ messages(first: 100) {{ nodes {{ {_EIGHT} }} }} }}",
        postgraphile=f"""
        query ($owner: UUID!) {{
          messages: allMessages(first: 100, orderBy: [PRIMARY_KEY_DESC], condition: {{ownerId: $owner}}) {{
            nodes {{ {_ROW} }}
          }}
        }}
        """,
        size=100 * 8,
    ),
    Query(
        "nested", "20 projects, of each its account and its 5 newest messages", _GOALS,
        ours=_NESTED,
        stock=_NESTED,
        postgraphile=f"""
        query ($owner: UUID!) {{
          sendingProjects: allSendingProjects(
            first: 20, orderBy: [PRIMARY_KEY_DESC], condition: {{ownerId: $owner}}
          ) {{ nodes {{
            uuid: rowId name status createdAt
            account: accountByAccountId {{ uuid: rowId name balance currency }}
            messages: messageRecordsByProjectId(first: 5, orderBy: [SEQ_DESC]) {{
              nodes {{ {_RECORD.replace("uuid", "uuid: rowId")} }}
            }}
          }} }}
        }}
        """,
        size=20 * (4 + 4 + 5 * 5),
    ),
    Query(
        "one", "one message by its id, 8 fields", _GOALS,
        ours=f"query ($id: ID!) {{ message(id: $id) {{ {_EIGHT} }} }}",
        stock=f"query ($id: ID!) {{ message(id: $id) {{ {_EIGHT} }} }}",
        postgraphile=f"query ($id: UUID!) {{ message: messageByRowId(rowId: $id) {{ {_ROW} }} }}",
        size=8,
    ),
)  # fmt: skip


# Rows


async def fill(url: str, owner: UUID, other: UUID) -> UUID:
    """Rows of two users, so that a filter by owner has something to leave out. Gives one message of `owner`."""
    connection = await asyncpg.connect(url)
    made: list[UUID] = []
    for user in (other, owner):
        made = await _messages(connection, user, await _accounts(connection, user))
    # PostGraphile knows relations and orders by constraints and indexes; this relation has no constraint.
    await connection.execute(
        "COMMENT ON TABLE message_records IS E'@foreignKey (project_id) references sending_projects (id)'"
    )
    await connection.execute("COMMENT ON COLUMN message_records.seq IS E'@behavior +orderBy'")
    await connection.execute("VACUUM ANALYZE")
    await connection.close()
    return made[MESSAGES // 2]


async def _accounts(connection: asyncpg.Connection, user: UUID) -> list[UUID]:
    ids = [uuid7() for _ in range(ACCOUNTS - 1)]
    await connection.executemany(
        "INSERT INTO accounts (id, owner_id, name, balance, currency) VALUES ($1, $2, $3, $4, 'USD')",
        [(id, user, f"Account {n}", Decimal(n) * Decimal("1000.25")) for n, id in enumerate(ids)],
    )
    return ids


async def _messages(connection: asyncpg.Connection, user: UUID, accounts: list[UUID]) -> list[UUID]:
    now: datetime = await connection.fetchval("SELECT now()")
    ids = [uuid7() for _ in range(MESSAGES)]
    states = ("sent", "delivered", "failed", "queued")
    await connection.executemany(
        "INSERT INTO messages (id, owner_id, account_id, direction, channel, state, due_at, created_at, updated_at,"
        ' "to", body) VALUES ($1, $2, $3, \'outbound\', $4, $5, $6, $6, $7, $8, $9)',
        [
            (
                id, user, accounts[n % len(accounts)], ("sms", "email", "push")[n % 3], states[n % 4],
                now - timedelta(seconds=MESSAGES - n), now - timedelta(milliseconds=MESSAGES - n),
                f"+1415555{n:04}", f"Hello {n}, your code is {n * 7919 % 1_000_000:06}",
            )
            for n, id in enumerate(ids)
        ],
    )  # fmt: skip
    projects = [uuid7() for _ in range(PROJECTS)]
    await connection.executemany(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, text, created_at)"
        " VALUES ($1, $2, $3, $4, 'sms', $5, 'Hello {{ name }}', $6)",
        [
            (id, user, accounts[n % len(accounts)], f"Project {n}", ("finished", "stopped")[n % 2], now)
            for n, id in enumerate(projects)
        ],
    )
    await connection.executemany(
        'INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, attempts, queued_at)'
        " VALUES ($1, $2, $3, 'sms', $4, $5, $6, $7)",
        [
            (uuid7(), project, user, f"+1415777{n:04}", ("sent", "read")[n % 2], n % 3, now)
            for n in range(RECORDS)
            for project in projects
        ],
    )
    return ids


# Answers


def plain(answer: Any) -> Any:
    """Returns an answer without its spelling: times become datetimes, and balances become decimals."""
    if isinstance(answer, dict):
        return {
            name: Decimal(str(value)) if name == "balance" else plain(value) for name, value in answer.items()
        }
    if isinstance(answer, list):
        return [plain(value) for value in answer]
    if isinstance(answer, str) and answer[10:11] == "T":
        try:
            return datetime.fromisoformat(answer)
        except ValueError:
            return answer
    return answer


def leaves(answer: Any) -> int:
    """Returns how many values, null or not, stand in an answer."""
    if isinstance(answer, dict):
        return sum(map(leaves, answer.values()))
    return sum(map(leaves, answer)) if isinstance(answer, list) else 1


def difference(one: Any, other: Any, path: str = "data") -> str | None:
    """Returns where two plain answers first differ and how, or None if they are equal."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        differences = (difference(one[name], other[name], f"{path}.{name}") for name in one)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        differences = (
            difference(a, b, f"{path}[{n}]") for n, (a, b) in enumerate(zip(one, other, strict=True))
        )
    else:
        return None if one == other else f"{path}: {one!r:.100} is not {other!r:.100}"
    return next((difference for difference in differences if difference), None)
