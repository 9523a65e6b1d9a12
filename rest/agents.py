"""Routes /agents. They are Postern's own; the protocol of OAuth itself is under /oauth."""

from typing import Any

from resolvers import agents
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.agents import AgentRequest, AgentReview, AllowAgent, AllowedAgent, ConnectedAgents

api = router("agents", "Agents that act for a person, by MCP.", prefix="/agents", extension=True)


@api.get("", response_model=ConnectedAgents, responses=errors(401, 503), openapi_extra={**BEARER})
async def connected(ctx: Ctx) -> Any:
    return await agents.connected(ctx)


@api.post(
    "/review", response_model=AgentReview, responses=errors(400, 401, 502, 503), openapi_extra={**BEARER}
)
async def review(ctx: Ctx, body: AgentRequest) -> Any:
    return await agents.review(ctx, body)


@api.post(
    "",
    status_code=201,
    response_model=AllowedAgent,
    responses=errors(400, 401, 403, 409, 502, 503),
    openapi_extra={**BEARER},
)
async def allow(ctx: Ctx, body: AllowAgent) -> Any:
    return await agents.allow(ctx, body)
