"""Files in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import exports, files, imports, users
from runtime import links
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from schema.frame.uploads import Upload
from shapes import files as types
from shapes.exports import ExportLinkWhere
from shapes.files import FileOrder, FileWhere
from shapes.imports import RecipientImportWhere

if TYPE_CHECKING:
    from schema.exports import ExportLink
    from schema.imports import RecipientImport
    from schema.users import User

graphql.input(FileWhere, description=FileWhere.__doc__)
graphql.input(FileOrder, description=FileOrder.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Import = Annotated["RecipientImport", strawberry.lazy("schema.imports")]
Export = Annotated["ExportLink", strawberry.lazy("schema.exports")]


@graphql.node("File", row=models.File, read=files.get, description=types.File.__doc__)
class File(types.File):
    @graphql.computed(
        "signed link that downloads the file without a credential for a limited time", "original_name"
    )
    def url(self, info: Info) -> str:
        return links.file_url(info.context.services, self.original_name, info.context.link_maker)

    @relation("the user who owns this file", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("the imports that were read from this file, newest first", where=RecipientImportWhere)
    async def imports(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Import] | None]:
        return as_type(
            await imports.related(info.context, "file_uuid", [row.id for row in rows], page_args, where)
        )

    @relation("the export that created this file: one entry, or none", where=ExportLinkWhere)
    async def exports(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Export] | None]:
        return as_type(
            await exports.related(info.context, "file_uuid", [row.id for row in rows], page_args, where)
        )


@strawberry.type
class Query:
    @graphql.query()
    async def file(self, info: Info, id: ID) -> File | None:
        return File.of(await files.get(info.context, local_id(id, "File")))

    @connection(where=FileWhere, order=FileOrder)
    async def files(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[File] | None:
        return as_type(await files.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def upload_file(
        self,
        info: Info,
        file: Annotated[
            Upload,
            strawberry.argument(
                description="null in the variables; the file itself is a part of the form, named in `map`"
            ),
        ],
    ) -> File | None:
        return File.of(await files.upload(info.context, file.form))

    @graphql.mutation()
    async def delete_file(self, info: Info, id: ID) -> bool | None:
        await files.delete(info.context, local_id(id, "File"))
        return True
