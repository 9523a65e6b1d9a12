"""The legacy bridge in GraphQL.

It is a mutation even for GET: Postern can't know what a path of the old system does, the fields of a query run
concurrently, and a query can be sent by GET through a link.
"""

import orjson
import strawberry

from resolvers import legacy
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes import legacy as types
from shapes.legacy import LegacyCall, LegacyEnvelope, LegacyHeader

graphql.input(LegacyHeader, description="A header to forward.")
graphql.input(LegacyCall, description=LegacyCall.__doc__)
graphql.type(types.LegacyEnvelope, name="LegacyEnvelope", description=types.LegacyEnvelope.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def legacy_call(self, info: Info, input: LegacyCall) -> LegacyEnvelope | None:
        return await legacy.call(
            info.context, input.method.value, input.path, input.query, _headers(input).items(), _body(input)
        )


def _headers(call: LegacyCall) -> dict[str, str]:
    ours = {"accept": "application/json"} | (
        {} if call.body is None else {"content-type": "application/json"}
    )
    return ours | {header.name.lower(): header.value for header in call.headers}


def _body(call: LegacyCall) -> bytes:
    return b"" if call.body is None else orjson.dumps(call.body)
