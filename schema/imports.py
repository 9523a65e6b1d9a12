"""Recipient imports in GraphQL. Files come in by REST: POST /file-uploader, or at once by POST /recipient-import."""

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import files, imports, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import imports as types
from shapes.imports import ImportPreview, ImportRowWhere, NewImport, NewTextImport, RecipientImportWhere
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.files import File
    from schema.users import User

for part in (NewImport, NewTextImport, RecipientImportWhere, ImportRowWhere):
    graphql.input(part, description=part.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Source = Annotated["File", strawberry.lazy("schema.files")]
graphql.type(types.PreviewColumn, name="ImportPreviewColumn", description=types.PreviewColumn.__doc__)
graphql.type(types.ImportedContacts, name="ImportedContacts", description=types.ImportedContacts.__doc__)
graphql.type(ImportPreview, description=ImportPreview.__doc__)
graphql.type(types.ImportedRecipient, description=types.ImportedRecipient.__doc__)
graphql.type(types.RowError, name="ImportRowError", description=types.RowError.__doc__)
graphql.type(types.ImportRow, description=types.ImportRow.__doc__)


@graphql.node(
    "RecipientImport", row=models.RecipientImport, read=imports.get, description=types.RecipientImport.__doc__
)
class RecipientImport(types.RecipientImport):
    @graphql.computed(
        "what a list of contacts has added so far; null for a list of recipients", "contacts", name="contacts"
    )
    def typed_contacts(self: Any) -> types.ImportedContacts | None:
        return None if self.contacts is None else types.ImportedContacts.model_validate(self.contacts)

    @relation("the rows that were read, in the order of the file", where=ImportRowWhere)
    async def rows(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[types.ImportRow] | None]:
        return as_type(await imports.lines(info.context, [row.id for row in rows], page_args, where))

    @relation("the user who owns this import", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("the file that the import is read from; null if rows or text were sent", "file_uuid")
    async def file(rows: Any, info: Info) -> list[Source | None]:
        return as_type(await files.by_ids(info.context, [row.file_uuid for row in rows], info.columns))


@strawberry.type
class Query:
    @graphql.query()
    async def recipient_import(self, info: Info, id: ID) -> RecipientImport | None:
        return RecipientImport.of(await imports.get(info.context, local_id(id, "RecipientImport")))

    @connection(where=RecipientImportWhere)
    async def recipient_imports(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[RecipientImport] | None:
        return as_type(await imports.page(info.context, page_args, where))

    @graphql.query(cost=Cost(work=100))
    async def preview_import(self, info: Info, input: NewImport) -> ImportPreview | None:
        return await imports.preview(info.context, input)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def import_recipients(self, info: Info, input: NewImport) -> RecipientImport | None:
        return RecipientImport.of(await imports.create(info.context, input))

    @graphql.mutation()
    async def import_recipients_from_text(self, info: Info, input: NewTextImport) -> RecipientImport | None:
        return RecipientImport.of(await imports.create_text(info.context, input))

    @graphql.mutation()
    async def delete_recipient_import(
        self,
        info: Info,
        id: ID,
        uuids: Annotated[
            list[UUID] | None, graphql.argument("only these rows of the import; omitted: the whole import")
        ] = None,
    ) -> bool | None:
        await imports.delete(info.context, local_id(id, "RecipientImport"), uuids)
        return True
