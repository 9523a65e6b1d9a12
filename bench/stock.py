"""A contestant: Strawberry and graphql-core as they come, on SQLAlchemy's ORM, as its users would write it well.

Its caches are repaired: the rules of the limiters are made once (a class a request would be a miss a request),
documents are parsed and validated once. orjson writes the answer, loaders take relations, only the columns that
the graph has are read. No auth, no limits beyond depth and aliases, no log.
"""

import os
from datetime import datetime
from typing import Any, cast
from uuid import UUID

import orjson
import strawberry
from fastapi import FastAPI
from sqlalchemy import ARRAY, Uuid, func, literal, literal_column, make_url, select
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import aliased, load_only
from strawberry.dataloader import DataLoader
from strawberry.extensions import (
    AddValidationRules,
    MaxAliasesLimiter,
    ParserCache,
    QueryDepthLimiter,
    ValidationCache,
)
from strawberry.fastapi import GraphQLRouter
from strawberry.types import Info

from db.models import Account as AccountRow
from db.models import Message as MessageRow
from db.models import MessageRecord as RecordRow
from db.models import SendingProject as ProjectRow

OWNER = UUID(os.environ["BENCH_OWNER"])
_ENGINE = create_async_engine(
    make_url(os.environ["DB_STRING"]).set(drivername="postgresql+asyncpg"), pool_size=10, max_overflow=0
)
_SESSION = async_sessionmaker(_ENGINE, expire_on_commit=False)


def _uuid() -> Any:
    return strawberry.field(name="uuid")


@strawberry.type
class Account:
    id: UUID = _uuid()
    name: str
    balance: float
    currency: str


@strawberry.type
class Record:
    id: UUID = _uuid()
    status: str
    to: str
    attempts: int
    queued_at: datetime


@strawberry.type
class Records:
    nodes: list[Record]


@strawberry.type
class Message:
    id: UUID = _uuid()
    direction: str
    channel: str
    status: str
    to: str
    body: str
    created_at: datetime
    updated_at: datetime


@strawberry.type
class Messages:
    nodes: list[Message]


@strawberry.type
class Project:
    id: UUID = _uuid()
    name: str
    status: str
    created_at: datetime
    account_id: strawberry.Private[UUID]

    @strawberry.field
    async def account(self, info: Info[Any, None]) -> Account | None:
        return await info.context["accounts"].load(self.account_id)

    @strawberry.field
    async def messages(self, info: Info[Any, None], first: int = 20) -> Records:
        return Records(nodes=await info.context["records"].load((self.id, first)))


@strawberry.type
class Projects:
    nodes: list[Project]


_MESSAGE = load_only(
    MessageRow.direction, MessageRow.channel, MessageRow.status, MessageRow.to, MessageRow.body,
    MessageRow.created_at, MessageRow.updated_at,
)  # fmt: skip
_PROJECT = load_only(ProjectRow.name, ProjectRow.status, ProjectRow.created_at, ProjectRow.account_id)
_ACCOUNT = load_only(AccountRow.name, AccountRow.balance, AccountRow.currency)


async def _rows(statement: Any) -> list[Any]:
    async with _SESSION() as session:
        return list(await session.scalars(statement))


async def _accounts(keys: list[UUID]) -> list[Any]:
    rows = await _rows(select(AccountRow).where(AccountRow.id.in_(keys)).options(_ACCOUNT))
    by_id = {row.id: row for row in rows}
    return [by_id.get(key) for key in keys]


async def _records(keys: list[tuple[UUID, int]]) -> list[list[Any]]:
    """The newest of each project, by one statement."""
    first = max(most for _, most in keys)
    ids = func.unnest(literal([id for id, _ in keys], ARRAY(Uuid))).table_valued("id").render_derived("keys")
    newest = (
        select(RecordRow)
        .where(RecordRow.project_id == literal_column("keys.id"))
        .order_by(RecordRow.seq.desc())
        .limit(first)
        .lateral()
    )
    row = aliased(RecordRow, newest)
    read = load_only(row.project_id, row.status, row.to, row.attempts, row.queued_at)
    rows = await _rows(select(row).select_from(ids.join(newest, literal_column("true"))).options(read))
    groups: dict[UUID, list[Any]] = {id: [] for id, _ in keys}
    for record in rows:
        groups[record.project_id].append(record)
    return [groups[id][:most] for id, most in keys]


@strawberry.type
class Query:
    @strawberry.field
    async def messages(self, first: int = 20) -> Messages:
        wanted = select(MessageRow).where(MessageRow.owner_id == OWNER).order_by(MessageRow.id.desc())
        return Messages(nodes=await _rows(wanted.limit(first).options(_MESSAGE)))

    @strawberry.field
    async def message(self, id: strawberry.ID) -> Message | None:
        wanted = select(MessageRow).where(MessageRow.id == UUID(id), MessageRow.owner_id == OWNER)
        return cast("Message | None", next(iter(await _rows(wanted.options(_MESSAGE))), None))

    @strawberry.field
    async def sending_projects(self, first: int = 20) -> Projects:
        wanted = select(ProjectRow).where(ProjectRow.owner_id == OWNER).order_by(ProjectRow.id.desc())
        return Projects(nodes=await _rows(wanted.limit(first).options(_PROJECT)))


_RULES = [
    *QueryDepthLimiter(max_depth=12).validation_rules,
    *MaxAliasesLimiter(max_alias_count=30).validation_rules,
]


class _Router(GraphQLRouter[Any, None]):
    def encode_json(self, data: object) -> bytes:
        return orjson.dumps(data)


async def _context() -> dict[str, Any]:
    return {"accounts": DataLoader(load_fn=_accounts), "records": DataLoader(load_fn=_records)}


app = FastAPI()
app.include_router(
    _Router(
        strawberry.Schema(
            Query, extensions=[ParserCache, ValidationCache, lambda: AddValidationRules(_RULES)]
        ),
        path="/graphql",
        context_getter=_context,
    )
)
