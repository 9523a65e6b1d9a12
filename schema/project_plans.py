"""Plans of Sending Projects in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import project_plans, sending_projects
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, JSON, Info, local_id
from schema.frame.loaders import relation
from shapes import approvals as types_of_plans
from shapes import project_plans as types
from shapes.approvals import StoredPlanWhere
from shapes.project_plans import PlannedChanges, ProjectPlan
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.sending_projects import SendingProject

for part in (PlannedChanges, StoredPlanWhere):
    graphql.input(part, description=part.__doc__)
for answer in (
    types.PlannedSkip,
    types.PlannedVariable,
    types.PlannedCost,
    types.PlannedCountry,
    types.PlannedLanguage,
    ProjectPlan,
):
    graphql.type(answer, description=answer.__doc__)


Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


@graphql.node(
    "StoredPlan",
    row=models.StoredPlan,
    read=project_plans.stored,
    description=types_of_plans.StoredPlanFields.__doc__,
)
class StoredPlan(types_of_plans.StoredPlanFields):
    document: Annotated[JSON, strawberry.field(description=types_of_plans.DOCUMENT)]

    @relation(
        "true: it is the newest plan, and what would be sent now is what it says",
        "project_id",
        "superseded_at",
        "document",
        cost=Cost(work=10),
    )
    async def is_current(rows: Any, info: Info) -> list[bool]:
        return await project_plans.are_current(info.context, rows)

    @relation("the project that it is a plan of", "project_id")
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        return as_type(
            await sending_projects.by_ids(info.context, [row.project_id for row in rows], info.columns)
        )


@strawberry.type
class Query:
    @graphql.query(cost=Cost(work=50))
    async def sending_project_samples(
        self,
        info: Info,
        id: Annotated[ID, graphql.argument("uuid of the project")],
    ) -> types_of_plans.ProjectSamples | None:
        return await project_plans.samples_of(info.context, local_id(id, "SendingProject"))

    @graphql.query(cost=Cost(work=100))
    async def sending_project_plan(
        self,
        info: Info,
        id: ID,
        changes: Annotated[
            PlannedChanges | None, graphql.argument("settings to plan with before they are saved")
        ] = None,
    ) -> ProjectPlan | None:
        return await project_plans.get(
            info.context, local_id(id, "SendingProject"), changes or PlannedChanges()
        )

    @graphql.query()
    async def stored_plan(self, info: Info, id: ID) -> StoredPlan | None:
        return StoredPlan.of(await project_plans.stored(info.context, local_id(id, "StoredPlan")))

    @connection(where=StoredPlanWhere)
    async def stored_plans(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[StoredPlan] | None:
        return as_type(await project_plans.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def make_project_plan(self, info: Info, id: ID) -> StoredPlan | None:
        return StoredPlan.of(await project_plans.make(info.context, local_id(id, "SendingProject")))
