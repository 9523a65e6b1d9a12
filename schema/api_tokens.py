"""API tokens and permissions in GraphQL."""

from typing import Annotated

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import api_tokens
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import auth as types
from shapes.auth import ApiTokenPatch, ApiTokenWhere, GrantedPermission, NewApiToken
from shapes.shape import Cost

for shape in (ApiTokenPatch, ApiTokenWhere, NewApiToken):
    graphql.input(shape, description=shape.__doc__)
graphql.type(GrantedPermission, description=GrantedPermission.__doc__)


@graphql.node("ApiToken", row=models.ApiToken, read=api_tokens.get, description=types.ApiToken.__doc__)
class ApiToken(types.ApiToken):
    pass


@graphql.type(name="IssuedApiToken", description=types.IssuedApiToken.__doc__)
class IssuedApiToken(types.IssuedApiToken):
    api_token: Annotated[ApiToken, strawberry.field(description="its metadata, without the secret value")]


@strawberry.type
class Query:
    @graphql.query()
    async def api_token(self, info: Info, id: ID) -> ApiToken | None:
        return ApiToken.of(await api_tokens.get(info.context, local_id(id, "ApiToken")))

    @connection(where=ApiTokenWhere)
    async def api_tokens(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ApiToken] | None:
        return as_type(await api_tokens.page(info.context, page_args, where))

    @graphql.query(cost=Cost(most=50))
    async def permissions(self, info: Info) -> list[GrantedPermission] | None:
        return await api_tokens.permissions(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_api_token(self, info: Info, input: NewApiToken) -> IssuedApiToken | None:
        return IssuedApiToken.of(await api_tokens.create(info.context, input))

    @graphql.mutation()
    async def update_api_token(self, info: Info, id: ID, input: ApiTokenPatch) -> ApiToken | None:
        return ApiToken.of(await api_tokens.update(info.context, local_id(id, "ApiToken"), input))

    @graphql.mutation()
    async def revoke_api_token(
        self,
        info: Info,
        id: ID,
        keep_webhooks: Annotated[
            bool,
            graphql.argument(
                "true: webhooks and event sinks that the token has made stay, as the user's own"
            ),
        ] = False,
    ) -> ApiToken | None:
        return ApiToken.of(await api_tokens.revoke(info.context, local_id(id, "ApiToken"), keep_webhooks))
