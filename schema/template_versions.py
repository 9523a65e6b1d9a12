"""Versions of templates in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import template_versions, templates
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, JSON, Info, local_id
from schema.frame.loaders import relation
from shapes import template_versions as types
from shapes.shape import Cost
from shapes.template_problems import MOST_PROBLEMS, PreviewAudience, TemplateProblem
from shapes.template_versions import (
    MOST_LOCALES,
    PreviewTemplate,
    PreviewTemplateVersion,
    SaveTemplateVersion,
    TemplateTextInput,
    TemplateVersionWhere,
)

if TYPE_CHECKING:
    from schema.templates import Template

for part in (
    TemplateTextInput,
    SaveTemplateVersion,
    PreviewAudience,
    PreviewTemplateVersion,
    PreviewTemplate,
    TemplateVersionWhere,
):
    graphql.input(part, description=part.__doc__)
for kind in (
    TemplateProblem,
    types.TemplateText,
    types.TemplatePreview,
    types.PartDifference,
    types.TemplateDiff,
):
    graphql.type(kind, description=kind.__doc__)
OfTemplate = Annotated["Template", strawberry.lazy("schema.templates")]
Against = Annotated[ID, graphql.argument("id of the version that it is compared with")]
Parent = Annotated[ID, graphql.argument("id of the template")]


@graphql.node(
    "TemplateVersion",
    row=models.TemplateVersion,
    read=template_versions.get,
    description=types.TemplateVersionFields.__doc__,
)
class TemplateVersion(types.TemplateVersionFields):
    test_data: Annotated[
        JSON, strawberry.field(name="testData", description="values of its variables for previews")
    ]

    @graphql.computed(types.PROBLEMS, "problems", name="problems", cost=Cost(most=MOST_PROBLEMS))
    def typed_problems(self: Any) -> list[TemplateProblem]:
        return [TemplateProblem.model_validate(problem) for problem in self.problems]

    @relation("its texts, by language", "id", cost=Cost(most=MOST_LOCALES))
    async def texts(rows: Any, info: Info) -> list[list[types.TemplateText] | None]:
        return as_type(await template_versions.texts_of(info.context, [row.id for row in rows]))

    @relation("the template", "template_id")
    async def template(rows: Any, info: Info) -> list[OfTemplate | None]:
        return as_type(await templates.by_ids(info.context, [row.template_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=TemplateVersionWhere)
    async def template_versions(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[TemplateVersion] | None:
        return as_type(await template_versions.page(info.context, page_args, where))

    @graphql.query()
    async def template_version(self, info: Info, id: ID) -> TemplateVersion | None:
        return TemplateVersion.of(await template_versions.get(info.context, local_id(id, "TemplateVersion")))

    @graphql.query(cost=Cost(work=10))
    async def template_preview(
        self, info: Info, id: ID, input: PreviewTemplateVersion
    ) -> types.TemplatePreview | None:
        return await template_versions.preview(info.context, local_id(id, "TemplateVersion"), input)

    @graphql.query(cost=Cost(work=10))
    async def template_text_preview(
        self, info: Info, template_id: Parent, input: PreviewTemplate
    ) -> types.TemplatePreview | None:
        return await template_versions.preview_unsaved(info.context, local_id(template_id, "Template"), input)

    @graphql.query(cost=Cost(work=10))
    async def template_version_diff(self, info: Info, id: ID, against: Against) -> types.TemplateDiff | None:
        return await template_versions.diff(
            info.context, local_id(id, "TemplateVersion"), local_id(against, "TemplateVersion")
        )


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def save_template_version(
        self, info: Info, template_id: Parent, input: SaveTemplateVersion
    ) -> TemplateVersion | None:
        return TemplateVersion.of(
            await template_versions.save(info.context, local_id(template_id, "Template"), input)
        )

    @graphql.mutation()
    async def change_template_version(
        self, info: Info, id: ID, input: SaveTemplateVersion
    ) -> TemplateVersion | None:
        return TemplateVersion.of(
            await template_versions.change(info.context, local_id(id, "TemplateVersion"), input)
        )

    @graphql.mutation()
    async def publish_template_version(self, info: Info, id: ID) -> TemplateVersion | None:
        return TemplateVersion.of(
            await template_versions.publish(info.context, local_id(id, "TemplateVersion"))
        )

    @graphql.mutation()
    async def delete_template_version(self, info: Info, id: ID) -> bool | None:
        await template_versions.delete(info.context, local_id(id, "TemplateVersion"))
        return True
