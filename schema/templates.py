"""Templates in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import template_versions, templates, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import templates as types
from shapes.shape import Cost
from shapes.template_versions import TemplateVersionWhere
from shapes.templates import NewTemplate, TemplatePatch, TemplateWhere

if TYPE_CHECKING:
    from schema.template_versions import TemplateVersion
    from schema.users import User

for part in (NewTemplate, TemplatePatch, TemplateWhere):
    graphql.input(part, description=part.__doc__)
for kind in (types.UsingTemplate, types.UsingProject, types.UsingRepeatable, types.TemplateUses):
    graphql.type(kind, description=kind.__doc__)
Owner = Annotated["User", strawberry.lazy("schema.users")]
Version = Annotated["TemplateVersion", strawberry.lazy("schema.template_versions")]


@graphql.node("Template", row=models.Template, read=templates.get, description=types.Template.__doc__)
class Template(types.Template):
    @relation("its versions, drafts and published ones, newest first", where=TemplateVersionWhere)
    async def versions(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Version] | None]:
        return as_type(
            await template_versions.of_templates(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the user whose template it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=TemplateWhere)
    async def templates(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Template] | None:
        return as_type(await templates.page(info.context, page_args, where))

    @graphql.query()
    async def template(self, info: Info, id: ID) -> Template | None:
        return Template.of(await templates.get(info.context, local_id(id, "Template")))

    @graphql.query(cost=Cost(work=10))
    async def template_used_by(self, info: Info, id: ID) -> types.TemplateUses | None:
        return await templates.used_by(info.context, local_id(id, "Template"))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_template(self, info: Info, input: NewTemplate) -> Template | None:
        return Template.of(await templates.create(info.context, input))

    @graphql.mutation()
    async def update_template(self, info: Info, id: ID, input: TemplatePatch) -> Template | None:
        return Template.of(await templates.update(info.context, local_id(id, "Template"), input))

    @graphql.mutation()
    async def archive_template(self, info: Info, id: ID) -> Template | None:
        return Template.of(await templates.archive(info.context, local_id(id, "Template")))

    @graphql.mutation()
    async def unarchive_template(self, info: Info, id: ID) -> Template | None:
        return Template.of(await templates.unarchive(info.context, local_id(id, "Template")))

    @graphql.mutation()
    async def delete_template(self, info: Info, id: ID) -> bool | None:
        await templates.delete(info.context, local_id(id, "Template"))
        return True
