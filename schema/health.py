"""Health in GraphQL."""

import strawberry

from resolvers import health
from schema import graphql
from schema.graphql import JSON, Info
from schema.types import health as types

graphql.type(types.Liveness, description="The process is up.")


@strawberry.type(description="The process and what it depends on.")
class Readiness:
    status: types.ReadinessStatus = strawberry.field(description="the worst of them")
    info: JSON = strawberry.field(description="the dependencies that are up, by name")
    error: JSON = strawberry.field(description="those that are down")
    details: JSON = strawberry.field(description="all of them")

    @classmethod
    def of(cls, found: types.Readiness) -> "Readiness":
        shown = found.model_dump(mode="json", by_alias=True, exclude_none=True)
        return cls(status=found.status, info=shown["info"], error=shown["error"], details=shown["details"])


@strawberry.type
class Query:
    @graphql.query("The process is up.")
    async def health(self, info: Info) -> types.Liveness | None:
        return await health.live(info.context)

    @graphql.query("The process and what it depends on.")
    async def readiness(self, info: Info) -> Readiness | None:
        return Readiness.of(await health.ready(info.context))
