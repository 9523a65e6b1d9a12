"""Second factors of logins in GraphQL."""

import strawberry

from resolvers import second_factors
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes.second_factors import (
    BegunTotp,
    NewTotp,
    RecoveryCodes,
    SecondFactor,
    SecondFactorCheck,
    SecondFactorCode,
    SecondFactorProof,
    SecondFactors,
)

for shape in (NewTotp, SecondFactorCode, SecondFactorProof):
    graphql.input(shape, description=shape.__doc__)
for seen in (SecondFactor, SecondFactors, BegunTotp, RecoveryCodes, SecondFactorCheck):
    graphql.type(seen, description=seen.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def second_factors(self, info: Info) -> SecondFactors | None:
        return await second_factors.list(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def begin_totp(self, info: Info, input: NewTotp | None = None) -> BegunTotp | None:
        return await second_factors.begin_totp(info.context, input or NewTotp())

    @graphql.mutation()
    async def confirm_totp(self, info: Info, id: ID, input: SecondFactorCode) -> RecoveryCodes | None:
        return await second_factors.confirm_totp(info.context, local_id(id, "SecondFactor"), input)

    @graphql.mutation()
    async def remove_second_factor(
        self, info: Info, id: ID, input: SecondFactorProof | None = None
    ) -> bool | None:
        await second_factors.remove(info.context, local_id(id, "SecondFactor"), input or SecondFactorProof())
        return True

    @graphql.mutation()
    async def verify_second_factor(self, info: Info, input: SecondFactorCode) -> SecondFactorCheck | None:
        return await second_factors.verify(info.context, input)

    @graphql.mutation()
    async def new_recovery_codes(
        self, info: Info, input: SecondFactorProof | None = None
    ) -> RecoveryCodes | None:
        return await second_factors.new_recovery_codes(info.context, input or SecondFactorProof())
