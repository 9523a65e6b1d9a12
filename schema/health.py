"""Health in GraphQL."""

import strawberry

from resolvers import health
from schema.frame import graphql
from schema.frame.graphql import JSON, Info
from shapes import health as types

graphql.type(types.Liveness, description="Reports that the process is running.")


@strawberry.type(description="Reports the readiness of the process and of its dependencies.")
class Readiness:
    status: types.ReadinessStatus = strawberry.field(description="the worst status among the dependencies")
    info: JSON = strawberry.field(description="the available dependencies, by name")
    error: JSON = strawberry.field(description="the unavailable dependencies, by name")
    details: JSON = strawberry.field(description="all dependencies, by name")

    @classmethod
    def of(cls, readiness: types.Readiness) -> "Readiness":
        as_json = readiness.model_dump(mode="json", by_alias=True, exclude_none=True)
        return cls(
            status=readiness.status, info=as_json["info"], error=as_json["error"], details=as_json["details"]
        )


@strawberry.type
class Query:
    @graphql.query()
    async def health(self, info: Info) -> types.Liveness | None:
        return await health.live(info.context)

    @graphql.query()
    async def readiness(self, info: Info) -> Readiness | None:
        return Readiness.of(await health.ready(info.context))
