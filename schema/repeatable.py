"""Repeatable Sending Projects in GraphQL."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import accounts, imports, repeatable, sending_projects, users
from schema.accounts import Account
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, OwnerId, local_id, owned
from schema.frame.loaders import batched, relation, together
from shapes import repeatable as types
from shapes.project_lists import SendingProjectOrder, SendingProjectWhere
from shapes.repeatable import NewRepeatableProject, RepeatablePatch, RepeatableWhere
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.imports import RecipientImport
    from schema.sending_projects import SendingProject
    from schema.users import User

for part in (
    types.ScheduleInput,
    types.SourceInput,
    types.ProjectTemplateInput,
    NewRepeatableProject,
    RepeatablePatch,
    RepeatableWhere,
):
    graphql.input(part, description=part.__doc__)
graphql.type(types.Schedule, description=types.Schedule.__doc__)
graphql.type(types.Source, name="RecipientSource", description=types.Source.__doc__)
graphql.type(types.ProjectTemplate, description=types.ProjectTemplate.__doc__)

Import = Annotated["RecipientImport", strawberry.lazy("schema.imports")]
Owner = Annotated["User", strawberry.lazy("schema.users")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]
NAME = "RepeatableSendingProject"


async def _next_runs(rows: Any, info: Info, count: int = 5) -> list[list[datetime] | None]:
    return as_type(await repeatable.next_runs(info.context, rows, count))


@graphql.node(
    NAME,
    row=models.RepeatableSendingProject,
    read=repeatable.get,
    description=types.RepeatableSendingProject.__doc__,
)
class RepeatableSendingProject(types.RepeatableFields):
    @graphql.computed("the content and settings of each run", "template", name="template")
    def typed_template(self: Any) -> types.ProjectTemplate:
        return types.ProjectTemplate.model_validate(self.template)

    @graphql.computed("when it runs", "schedule", name="schedule")
    def typed_schedule(self: Any) -> types.Schedule:
        return types.Schedule.model_validate(self.schedule)

    @graphql.computed("where the recipients of each run come from", "source", name="source")
    def typed_source(self: Any) -> types.Source:
        return types.Source.model_validate(self.source)

    @batched(
        "the next times at which it runs, or would run if it were active: at most 50; null if they "
        "could not be computed in time",
        _next_runs,
        *("schedule", "runs"),
        cost=Cost(counted=True),
    )
    async def next_runs(
        self: Any, info: Info, count: Annotated[int, graphql.argument("number of runs, 1 to 50")] = 5
    ) -> list[datetime] | None:
        return as_type(await together(_next_runs, self, info, count=count))

    @relation(
        "the projects that its runs have created, newest first",
        where=SendingProjectWhere,
        order=SendingProjectOrder,
    )
    async def sending_projects(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Project] | None]:
        ids = [row.id for row in rows]
        return as_type(await sending_projects.related(info.context, "repeatable_uuid", ids, page_args, where))

    @relation("the import that its recipients come from", "source")
    async def recipient_import(rows: Any, info: Info) -> list[Import | None]:
        return as_type(
            await imports.by_ids(info.context, [_id(row.source, "importUuid") for row in rows], info.columns)
        )

    @relation("the project that its recipients come from", "source")
    async def source_project(rows: Any, info: Info) -> list[Project | None]:
        ids = [_id(row.source, "sendingProjectUuid") for row in rows]
        return as_type(await sending_projects.by_ids(info.context, ids, info.columns))

    @relation("the account that pays; null: your oldest account", "template")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        ids = [_id(row.template, "accountId") for row in rows]
        return as_type(await accounts.by_ids(info.context, ids, info.columns))

    @relation("the user who owns this repeatable project", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


def _id(document: Any, name: str) -> UUID | None:
    return UUID(document[name]) if document.get(name) else None


@strawberry.type
class Query:
    @graphql.query()
    async def repeatable_sending_project(self, info: Info, id: ID) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.get(info.context, local_id(id, NAME)))

    @connection(where=RepeatableWhere)
    async def repeatable_sending_projects(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[RepeatableSendingProject] | None:
        return as_type(await repeatable.page(info.context, page_args, where))

    @graphql.query(cost=Cost(counted=True))
    async def repeatable_sending_project_count(self, info: Info, owner_id: OwnerId = None) -> int | None:
        return (await repeatable.count(await owned(info, owner_id))).count

    @graphql.query(cost=Cost(counted=True))
    async def concurrent_repeatable_sending_project_count(
        self, info: Info, owner_id: OwnerId = None
    ) -> int | None:
        return (await repeatable.count_concurrent(await owned(info, owner_id))).count


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_repeatable_sending_project(
        self, info: Info, input: NewRepeatableProject
    ) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.create(info.context, input))

    @graphql.mutation()
    async def update_repeatable_sending_project(
        self, info: Info, id: ID, input: RepeatablePatch
    ) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.update(info.context, local_id(id, NAME), input))

    @graphql.mutation()
    async def delete_repeatable_sending_project(self, info: Info, id: ID) -> bool | None:
        await repeatable.delete(info.context, local_id(id, NAME))
        return True

    @graphql.mutation()
    async def start_repeatable_sending_project(self, info: Info, id: ID) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.start(info.context, local_id(id, NAME)))

    @graphql.mutation()
    async def stop_repeatable_sending_project(self, info: Info, id: ID) -> RepeatableSendingProject | None:
        return RepeatableSendingProject.of(await repeatable.stop(info.context, local_id(id, NAME)))
