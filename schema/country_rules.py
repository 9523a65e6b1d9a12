"""Rules of countries in GraphQL."""

from typing import Annotated
from uuid import UUID

import strawberry

from resolvers import country_rules
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes import country_rules as types

graphql.input(types.SetCountryRules, description=types.SetCountryRules.__doc__)
for shape in (types.CountryRule, types.CountryLimit, types.CountryRules, types.CountryCheck):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

OfUser = Annotated[ID | None, graphql.argument("the user, for administrators; default: you")]


def _id(user_uuid: ID | None) -> UUID | None:
    return local_id(user_uuid, "User") if user_uuid else None


@strawberry.type
class Query:
    @graphql.query()
    async def country_rules(self, info: Info, user_uuid: OfUser = None) -> types.CountryRules | None:
        return await country_rules.get(info.context, _id(user_uuid))

    @graphql.query()
    async def check_country(
        self,
        info: Info,
        to: Annotated[str, graphql.argument("a phone in any common notation")],
        user_uuid: OfUser = None,
    ) -> types.CountryCheck | None:
        return await country_rules.check(info.context, to, _id(user_uuid))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_country_rules(self, info: Info, input: types.SetCountryRules) -> types.CountryRules | None:
        return await country_rules.set(info.context, input)
