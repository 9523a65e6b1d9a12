"""The audit in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import audit, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import audit as types
from shapes.audit import AuditEntryWhere

if TYPE_CHECKING:
    from schema.users import User

Owner = Annotated["User", strawberry.lazy("schema.users")]

graphql.input(AuditEntryWhere, description=AuditEntryWhere.__doc__)


@graphql.node("AuditEntry", row=models.AuditEntry, read=audit.get, description=types.AuditEntry.__doc__)
class AuditEntry(types.AuditEntry):
    @relation("the user who did it; null: no user, or one that you may not see", "actor_id")
    async def actor(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.actor_id for row in rows], info.columns))


@strawberry.type
class Query:
    @graphql.query()
    async def audit_entry(self, info: Info, id: ID) -> AuditEntry | None:
        return AuditEntry.of(await audit.get(info.context, local_id(id, "AuditEntry")))

    @connection(where=AuditEntryWhere)
    async def audit_entries(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[AuditEntry] | None:
        return as_type(await audit.page(info.context, page_args, where))
