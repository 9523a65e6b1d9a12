"""Files in GraphQL. Bytes come in by REST: a multipart form of GraphQL's own would be another way to send one file."""

import strawberry

from postern import links
from resolvers import files
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import files as types
from schema.types.page import Meta


@graphql.type(name="File", description=types.File.__doc__)
class File(types.File):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("File", self.id)

    @graphql.field(description="a link that opens the bytes for a while, for whoever has it")
    def url(self, info: Info) -> str:
        return links.file_url(info.context.services, self.original_name)


@strawberry.type(description="A page of files.")
class FilePage:
    items: list[File] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("One file.")
    async def file(self, info: Info, id: ID) -> File | None:
        return File.of(await files.get(info.context, local_id(id, "File")))

    @graphql.query("Your files, newest first; all, for administrators.")
    async def files(self, info: Info, page: int = 1, limit: int = 20) -> FilePage | None:
        return graphql.page(FilePage, await files.list(info.context, page, limit))


@strawberry.type
class Mutation:
    @graphql.mutation("Deletes a file that no project and no import needs any more.")
    async def delete_file(self, info: Info, id: ID) -> bool | None:
        await files.delete(info.context, local_id(id, "File"))
        return True
