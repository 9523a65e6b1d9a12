"""Costs of Sending Projects, in GraphQL."""

import strawberry

from resolvers import project_costs
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes.project_costs import ProjectCost

graphql.type(ProjectCost, description=ProjectCost.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def project_cost(self, info: Info, id: ID) -> ProjectCost | None:
        return await project_costs.get(info.context, local_id(id, "SendingProject"))
