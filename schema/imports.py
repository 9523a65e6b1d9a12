"""Recipient imports in GraphQL. Files come in by REST: POST /file-uploader, or at once by POST /recipient-import."""

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from db.keyset import Conditions, Cut
from resolvers import files, imports, users
from schema import graphql
from schema.connections import Connection, connection, shown
from schema.graphql import ID, Info, local_id
from schema.loaders import relation
from schema.types import imports as types
from schema.types.imports import (
    ImportPreview,
    ImportRowWhere,
    NewImport,
    NewTextImport,
    RecipientImportWhere,
)

if TYPE_CHECKING:
    from schema.files import File
    from schema.users import User

for part in (NewImport, NewTextImport, RecipientImportWhere, ImportRowWhere):
    graphql.input(part, description=part.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Source = Annotated["File", strawberry.lazy("schema.files")]
graphql.type(types.PreviewColumn, name="ImportPreviewColumn", description=types.PreviewColumn.__doc__)
graphql.type(ImportPreview, description=ImportPreview.__doc__)
graphql.type(types.ImportedRecipient, description=types.ImportedRecipient.__doc__)
graphql.type(types.RowError, name="ImportRowError", description=types.RowError.__doc__)
graphql.type(types.ImportRow, description=types.ImportRow.__doc__)


@graphql.node("RecipientImport", description=types.RecipientImport.__doc__)
class RecipientImport(types.RecipientImport):
    @relation("what was read, in the order of the lines", where=ImportRowWhere)
    async def rows(
        rows: Any, info: Info, cut: Cut, where: Conditions
    ) -> list[Connection[types.ImportRow] | None]:
        return shown(await imports.lines(info.context, [row.id for row in rows], cut, where))

    @relation("whose it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return shown(await users.named(info.context, [row.owner_id for row in rows], info.wanted))

    @relation("the file that it is read from, where there is one", "file_uuid")
    async def file(rows: Any, info: Info) -> list[Source | None]:
        return shown(await files.named(info.context, [row.file_uuid for row in rows], info.wanted))


@strawberry.type
class Query:
    @graphql.query("One import, and what was read.")
    async def recipient_import(self, info: Info, id: ID) -> RecipientImport | None:
        return RecipientImport.of(await imports.get(info.context, local_id(id, "RecipientImport")))

    @connection("Your imports, newest first; all, for administrators.", where=RecipientImportWhere)
    async def recipient_imports(
        self, info: Info, cut: Cut, where: Conditions
    ) -> Connection[RecipientImport] | None:
        return shown(await imports.slice(info.context, cut, where))

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
