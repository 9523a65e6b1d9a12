"""Plans of Sending Projects in GraphQL."""

import strawberry

from resolvers import project_plans
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes import project_plans as types
from shapes.project_plans import PlannedChanges, ProjectPlan

graphql.input(PlannedChanges, description=PlannedChanges.__doc__)
for answer in (types.PlannedSkip, types.PlannedVariable, types.PlannedCost, ProjectPlan):
    graphql.type(answer, description=answer.__doc__)


@strawberry.type
class Query:
    @graphql.query(
        "Plans a project: how many messages will be sent, who is skipped and why, the cost, and the expected end. "
        "For a project that has begun, it plans what is left."
    )
    async def sending_project_plan(
        self, info: Info, id: ID, changes: PlannedChanges | None = None
    ) -> ProjectPlan | None:
        return await project_plans.get(
            info.context, local_id(id, "SendingProject"), changes or PlannedChanges()
        )
