"""Imports of contacts in GraphQL. Files come in by REST: POST /file-uploader."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from resolvers import contact_imports
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import Info
from shapes import contact_imports as types
from shapes.contact_imports import ContactImportPreview, NewContactImport, SubscribeSegment
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.imports import RecipientImport

for part in (
    types.AddressColumn,
    types.ConsentColumns,
    types.ContactMapping,
    types.ImportSubscription,
    NewContactImport,
    SubscribeSegment,
):
    graphql.input(part, description=part.__doc__)
graphql.type(types.PreviewField, name="ContactImportField", description=types.PreviewField.__doc__)
graphql.type(ContactImportPreview, description=ContactImportPreview.__doc__)

Import = Annotated["RecipientImport", strawberry.lazy("schema.imports")]


@strawberry.type
class Query:
    @graphql.query(cost=Cost(work=100))
    async def preview_contact_import(
        self, info: Info, input: NewContactImport
    ) -> ContactImportPreview | None:
        return await contact_imports.preview(info.context, input)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def import_contacts(self, info: Info, input: NewContactImport) -> Import | None:
        return as_type(await contact_imports.create(info.context, input))

    @graphql.mutation()
    async def subscribe_segment(self, info: Info, input: SubscribeSegment) -> Import | None:
        return as_type(await contact_imports.subscribe_segment(info.context, input))
