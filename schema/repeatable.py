"""Repeatable Sending Projects in GraphQL."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, cast

import strawberry

from db import models
from resolvers import repeatable
from schema import graphql, loaders
from schema.graphql import ID, Info, local_id
from schema.sending_projects import SendingProjectPage
from schema.types import repeatable as types
from schema.types.page import Meta
from schema.types.repeatable import NewRepeatableProject, RepeatablePatch, RepeatableStatus

if TYPE_CHECKING:
    from schema.users import User

for part in (
    types.ScheduleInput,
    types.SourceInput,
    types.ProjectTemplateInput,
    NewRepeatableProject,
    RepeatablePatch,
):
    graphql.input(part, description=part.__doc__)
graphql.type(types.Schedule, description=types.Schedule.__doc__)
graphql.type(types.Source, name="RecipientSource", description=types.Source.__doc__)
graphql.type(types.ProjectTemplate, description=types.ProjectTemplate.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
NAME = "RepeatableSendingProject"


@graphql.type(name=NAME, description=types.RepeatableSendingProject.__doc__)
class RepeatableSendingProject(types.RepeatableFields):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id(NAME, self.id)

    @graphql.field(name="template", description="what each run is made of")
    def shown_template(self) -> types.ProjectTemplate:
        return types.ProjectTemplate.model_validate(_row(self).template)

    @graphql.field(name="schedule", description="when it fires")
    def shown_schedule(self) -> types.Schedule:
        return types.Schedule.model_validate(_row(self).schedule)

    @graphql.field(name="source", description="whose recipients each run gets")
    def shown_source(self) -> types.Source:
        return types.Source.model_validate(_row(self).source)

    @graphql.field(description="when it would fire next, were it active: up to 50 times")
    async def next_runs(self, info: Info, count: int = 5) -> list[datetime]:
        return [*await repeatable.next_runs(info.context, self.id, count)]

    @graphql.field(description="the runs that it has made, newest first")
    async def projects(self, info: Info, page: int = 1, limit: int = 20) -> SendingProjectPage | None:
        return graphql.page(SendingProjectPage, await repeatable.projects(info.context, self.id, page, limit))

    @graphql.field(description="whose it is")
    async def owner(self, info: Info) -> Owner | None:
        owner = _row(self).owner_id
        return cast("Owner", await loaders.by_id(info.context, models.User).load(owner))


def _row(shown: types.RepeatableFields) -> models.RepeatableSendingProject:
    """What it really is; what stands in its JSON columns becomes objects field by field."""
    return cast(models.RepeatableSendingProject, shown)


@strawberry.type(description="A page of repeatable projects.")
class RepeatableSendingProjectPage:
    items: list[RepeatableSendingProject] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("One repeatable project.")
    async def repeatable_sending_project(self, info: Info, id: ID) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.get(info.context, local_id(id, NAME)))

    @graphql.query("Your repeatable projects, newest first; all, for administrators.")
    async def repeatable_sending_projects(
        self, info: Info, page: int = 1, limit: int = 20, status: RepeatableStatus | None = None
    ) -> RepeatableSendingProjectPage | None:
        return graphql.page(
            RepeatableSendingProjectPage, await repeatable.list(info.context, page, limit, status)
        )

    @graphql.query("How many repeatable projects you have.")
    async def repeatable_sending_project_count(self, info: Info) -> int | None:
        return (await repeatable.count(info.context)).count

    @graphql.query("How many of your repeatable projects are active.")
    async def concurrent_repeatable_sending_project_count(self, info: Info) -> int | None:
        return (await repeatable.count_concurrent(info.context)).count


@strawberry.type
class Mutation:
    @graphql.mutation("Saves a schedule and what it makes, as a draft.")
    async def create_repeatable_sending_project(
        self, info: Info, input: NewRepeatableProject
    ) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.create(info.context, input))

    @graphql.mutation("Changes what later firings make, and when.")
    async def update_repeatable_sending_project(
        self, info: Info, id: ID, input: RepeatablePatch
    ) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.update(info.context, local_id(id, NAME), input))

    @graphql.mutation("Deletes it; the projects that it made stay.")
    async def delete_repeatable_sending_project(self, info: Info, id: ID) -> bool | None:
        await repeatable.delete(info.context, local_id(id, NAME))
        return True

    @graphql.mutation("From now on it fires.")
    async def start_repeatable_sending_project(self, info: Info, id: ID) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.start(info.context, local_id(id, NAME)))

    @graphql.mutation("It fires no more; the projects that it made go on.")
    async def stop_repeatable_sending_project(self, info: Info, id: ID) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.stop(info.context, local_id(id, NAME)))
