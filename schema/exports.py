"""Export links in GraphQL."""

import strawberry

from resolvers import exports
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import exports as types
from schema.types.exports import ExportItem, HandleExport, StartExport
from schema.types.page import Meta

graphql.input(ExportItem, description=ExportItem.__doc__)
graphql.input(StartExport, description=StartExport.__doc__)
graphql.input(HandleExport, description=HandleExport.__doc__)
graphql.type(types.ExportVariable, name="ExportVariable", description=types.ExportVariable.__doc__)


@graphql.type(name="ExportLink", description=types.ExportLink.__doc__)
class ExportLink(types.ExportLink):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("ExportLink", self.id)


@strawberry.type(description="A page of export links.")
class ExportLinkPage:
    items: list[ExportLink] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("How far an export is, and a signed link to the file when it is ready.")
    async def export_link(self, info: Info, id: ID) -> ExportLink | None:
        return ExportLink.of(await exports.get(info.context, local_id(id, "ExportLink")))

    @graphql.query("Your export links, newest first; all, for administrators.")
    async def export_links(self, info: Info, page: int = 1, limit: int = 20) -> ExportLinkPage | None:
        return graphql.page(ExportLinkPage, await exports.list(info.context, page, limit))

    @graphql.query("The columns that a source has; of an integration, what its items may hold.")
    async def export_variables(self, info: Info, source: str) -> list[types.ExportVariable] | None:
        return [*await exports.variables(info.context, source)]


@strawberry.type
class Mutation:
    @graphql.mutation(
        "Writes a source of ours to a file in the background, or opens a link for an integration's contacts."
    )
    async def start_export(self, info: Info, input: StartExport) -> ExportLink | None:
        return ExportLink.of(await exports.start(info.context, input))

    @graphql.mutation("A page of an integration's contacts, which become recipients of the link's project.")
    async def handle_export(self, info: Info, input: HandleExport) -> ExportLink | None:
        return ExportLink.of(await exports.handle(info.context, input))

    @graphql.mutation("Stops an export, or closes an integration's link.")
    async def cancel_export(self, info: Info, id: ID) -> ExportLink | None:
        return ExportLink.of(await exports.cancel(info.context, local_id(id, "ExportLink")))
