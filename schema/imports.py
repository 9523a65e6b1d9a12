"""Recipient imports in GraphQL. Files come in by REST: POST /file-uploader, or at once by POST /recipient-import."""

from uuid import UUID

import strawberry

from resolvers import imports
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import imports as types
from schema.types.imports import ImportPreview, NewImport, NewTextImport
from schema.types.page import Meta

graphql.input(NewImport, description=NewImport.__doc__)
graphql.input(NewTextImport, description=NewTextImport.__doc__)
graphql.type(types.PreviewColumn, name="ImportPreviewColumn", description=types.PreviewColumn.__doc__)
graphql.type(ImportPreview, description=ImportPreview.__doc__)
graphql.type(types.ImportedRecipient, description=types.ImportedRecipient.__doc__)
graphql.type(types.RowError, name="ImportRowError", description=types.RowError.__doc__)
graphql.type(types.ImportRow, description=types.ImportRow.__doc__)


@strawberry.type(description="A page of an import's rows.")
class ImportRowPage:
    items: list[types.ImportRow] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@graphql.type(name="RecipientImport", description=types.RecipientImport.__doc__)
class RecipientImport(types.RecipientImport):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("RecipientImport", self.id)

    @graphql.field(description="what was read, in the order of the lines")
    async def rows(
        self, info: Info, valid: bool | None = None, page: int = 1, limit: int = 20
    ) -> ImportRowPage | None:
        return graphql.page(ImportRowPage, await imports.rows(info.context, self.id, valid, page, limit))


@strawberry.type(description="A page of imports.")
class RecipientImportPage:
    items: list[RecipientImport] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("One import, and what was read.")
    async def recipient_import(self, info: Info, id: ID) -> RecipientImport | None:
        return RecipientImport.of(await imports.get(info.context, local_id(id, "RecipientImport")))

    @graphql.query("Your imports, newest first; all, for administrators.")
    async def recipient_imports(
        self, info: Info, page: int = 1, limit: int = 20
    ) -> RecipientImportPage | None:
        return graphql.page(RecipientImportPage, await imports.list(info.context, page, limit))

    @graphql.query(
        "What a list seems to be: delimiter, encoding, header, columns, and a mapping to begin with."
    )
    async def preview_import(self, info: Info, input: NewImport) -> ImportPreview | None:
        return await imports.preview(info.context, input)


@strawberry.type
class Mutation:
    @graphql.mutation("Takes a list of recipients in and reads it in the background.")
    async def import_recipients(self, info: Info, input: NewImport) -> RecipientImport | None:
        return RecipientImport.of(await imports.create(info.context, input))

    @graphql.mutation("The same for lines of text.")
    async def import_recipients_from_text(self, info: Info, input: NewTextImport) -> RecipientImport | None:
        return RecipientImport.of(await imports.create_text(info.context, input))

    @graphql.mutation("Deletes an import, or these of its rows; recipients of projects stay.")
    async def delete_recipient_import(
        self, info: Info, id: ID, uuids: list[UUID] | None = None
    ) -> bool | None:
        await imports.delete(info.context, local_id(id, "RecipientImport"), uuids)
        return True
