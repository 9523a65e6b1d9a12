"""People in GraphQL: erasures, and exports of a person."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import persons, users
from schema.exports import ExportLink
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import persons as types
from shapes.persons import DeletedFile, ErasePerson, ErasureWhere, ExportPerson, NotErased
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.users import User

for part in (ErasePerson, ExportPerson, ErasureWhere):
    graphql.input(part, description=part.__doc__)
for shape in (DeletedFile, NotErased):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node("Erasure", row=models.Erasure, read=persons.get, description=types.Erasure.__doc__)
class Erasure(types.Erasure):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""

    @graphql.computed(
        "the files that were deleted whole", "deleted", name="deleted", cost=Cost(most=types.MOST_DELETED)
    )
    def typed_deleted(self: Any) -> list[DeletedFile]:
        return [DeletedFile.model_validate(each) for each in self.deleted]

    @graphql.computed(
        "what can't be erased, or stays", "not_erased", name="notErased", cost=Cost(most=types.MOST_REASONS)
    )
    def typed_not_erased(self: Any) -> list[NotErased]:
        return [NotErased.model_validate(each) for each in self.not_erased]

    @relation("the user whose data it is about", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=ErasureWhere)
    async def erasures(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Erasure] | None:
        return as_type(await persons.page(info.context, page_args, where))

    @graphql.query()
    async def erasure(self, info: Info, id: ID) -> Erasure | None:
        return Erasure.of(await persons.get(info.context, local_id(id, "Erasure")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def erase_person(self, info: Info, input: ErasePerson) -> Erasure | None:
        return Erasure.of(await persons.erase(info.context, input))

    @graphql.mutation()
    async def export_person(self, info: Info, input: ExportPerson) -> ExportLink | None:
        return ExportLink.of(await persons.export(info.context, input))
