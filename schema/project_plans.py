"""Plans of Sending Projects in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import project_plans
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes import project_plans as types
from shapes.project_plans import PlannedChanges, ProjectPlan
from shapes.shape import Cost

graphql.input(PlannedChanges, description=PlannedChanges.__doc__)
for answer in (
    types.PlannedSkip,
    types.PlannedVariable,
    types.PlannedCost,
    types.PlannedCountry,
    ProjectPlan,
):
    graphql.type(answer, description=answer.__doc__)


@strawberry.type
class Query:
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
