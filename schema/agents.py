"""Agents in GraphQL."""

import strawberry

from resolvers import agents
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.agents import (
    AgentRequest,
    AgentReview,
    AllowAgent,
    AllowedAgent,
    ConnectedAgent,
    ConnectedAgents,
)

for part in (AgentRequest, AllowAgent):
    graphql.input(part, description=part.__doc__)
for shape in (AgentReview, AllowedAgent, ConnectedAgent, ConnectedAgents):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def connected_agents(self, info: Info) -> ConnectedAgents | None:
        return await agents.connected(info.context)

    @graphql.query()
    async def agent_review(self, info: Info, input: AgentRequest) -> AgentReview | None:
        return await agents.review(info.context, input)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def allow_agent(self, info: Info, input: AllowAgent) -> AllowedAgent | None:
        return await agents.allow(info.context, input)
