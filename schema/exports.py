"""Export links in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import exports, files, sending_projects, users
from runtime import links
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import exports as types
from shapes.exports import ExportItem, ExportLinkWhere, HandleExport, StartExport
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.files import File
    from schema.sending_projects import SendingProject
    from schema.users import User

for part in (ExportItem, StartExport, HandleExport, ExportLinkWhere):
    graphql.input(part, description=part.__doc__)
graphql.type(types.ExportVariable, name="ExportVariable", description=types.ExportVariable.__doc__)


Owner = Annotated["User", strawberry.lazy("schema.users")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]
Made = Annotated["File", strawberry.lazy("schema.files")]


@graphql.node("ExportLink", row=models.ExportLink, read=exports.get, description=types.ExportLink.__doc__)
class ExportLink(types.ExportLink):
    url: Annotated[str | None, strawberry.Private]

    @relation(
        "signed link that downloads the file without a credential for a limited time; null until it is ready",
        "file_uuid",
        name="url",
    )
    async def signed(rows: Any, info: Info) -> list[str | None]:
        ids = [row.file_uuid for row in rows]
        stored_files = await files.by_ids(info.context, ids, frozenset({"original_name"}))
        services, maker = info.context.services, info.context.link_maker
        return [
            None if file is None else links.file_url(services, file.original_name, maker)
            for file in stored_files
        ]

    @relation("the exported file; null until it is ready", "file_uuid")
    async def file(rows: Any, info: Info) -> list[Made | None]:
        return as_type(await files.by_ids(info.context, [row.file_uuid for row in rows], info.columns))

    @relation("the user who owns this export", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation(
        "the project whose rows are exported, or that receives the contacts; null if there is none",
        "sending_project_uuid",
    )
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        ids = [row.sending_project_uuid for row in rows]
        return as_type(await sending_projects.by_ids(info.context, ids, info.columns))


@strawberry.type
class Query:
    @graphql.query()
    async def export_link(self, info: Info, id: ID) -> ExportLink | None:
        return ExportLink.of(await exports.get(info.context, local_id(id, "ExportLink")))

    @connection(where=ExportLinkWhere)
    async def export_links(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ExportLink] | None:
        return as_type(await exports.page(info.context, page_args, where))

    @graphql.query(cost=Cost(most=50))
    async def export_variables(
        self,
        info: Info,
        source: Annotated[str, graphql.argument("the export source, or the name of an integration")],
    ) -> list[types.ExportVariable] | None:
        return [*await exports.variables(info.context, source)]


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def start_export(self, info: Info, input: StartExport) -> ExportLink | None:
        return ExportLink.of(await exports.start(info.context, input))

    @graphql.mutation()
    async def handle_export(self, info: Info, input: HandleExport) -> ExportLink | None:
        return ExportLink.of(await exports.handle(info.context, input))

    @graphql.mutation()
    async def cancel_export(self, info: Info, id: ID) -> ExportLink | None:
        return ExportLink.of(await exports.cancel(info.context, local_id(id, "ExportLink")))
