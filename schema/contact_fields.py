"""The fields of contacts in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import contact_fields, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import contact_fields as types
from shapes.contact_fields import ContactFieldPatch, ContactFieldWhere, NewContactField

if TYPE_CHECKING:
    from schema.users import User

for part in (NewContactField, ContactFieldPatch, ContactFieldWhere):
    graphql.input(part, description=part.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node(
    "ContactField",
    row=models.ContactField,
    read=contact_fields.get,
    description=types.ContactField.__doc__,
)
class ContactField(types.ContactField):
    @relation("the user whose contacts have it", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=ContactFieldWhere)
    async def contact_fields(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ContactField] | None:
        return as_type(await contact_fields.page(info.context, page_args, where))

    @graphql.query()
    async def contact_field(self, info: Info, id: ID) -> ContactField | None:
        return ContactField.of(await contact_fields.get(info.context, local_id(id, "ContactField")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_contact_field(self, info: Info, input: NewContactField) -> ContactField | None:
        return ContactField.of(await contact_fields.create(info.context, input))

    @graphql.mutation()
    async def update_contact_field(self, info: Info, id: ID, input: ContactFieldPatch) -> ContactField | None:
        return ContactField.of(await contact_fields.update(info.context, local_id(id, "ContactField"), input))

    @graphql.mutation()
    async def delete_contact_field(self, info: Info, id: ID) -> bool | None:
        await contact_fields.delete(info.context, local_id(id, "ContactField"))
        return True
