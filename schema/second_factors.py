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
    @graphql.query("Lists your second factors, and says how many recovery codes are left.")
    async def second_factors(self, info: Info) -> SecondFactors | None:
        return await second_factors.list(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation(
        "Makes the secret of an authenticator app, with its QR code. Nothing changes until it is confirmed."
    )
    async def begin_totp(self, info: Info, input: NewTotp | None = None) -> BegunTotp | None:
        return await second_factors.begin_totp(info.context, input or NewTotp())

    @graphql.mutation(
        "Confirms an authenticator app with a code of it: your logins need one from now on. Returns ten recovery "
        "codes, in this response alone."
    )
    async def confirm_totp(self, info: Info, id: ID, input: SecondFactorCode) -> RecoveryCodes | None:
        return await second_factors.confirm_totp(info.context, local_id(id, "SecondFactor"), input)

    @graphql.mutation(
        "Removes a second factor. It needs a code in `otp`, or one that this login has given in the last ten minutes."
    )
    async def remove_second_factor(
        self, info: Info, id: ID, input: SecondFactorProof | None = None
    ) -> bool | None:
        await second_factors.remove(info.context, local_id(id, "SecondFactor"), input or SecondFactorProof())
        return True

    @graphql.mutation(
        "Checks a code: for ten minutes this login may change the password, API tokens and second factors."
    )
    async def verify_second_factor(self, info: Info, input: SecondFactorCode) -> SecondFactorCheck | None:
        return await second_factors.verify(info.context, input)

    @graphql.mutation(
        "Makes ten new recovery codes, returned in this response alone. The earlier ones are invalid."
    )
    async def new_recovery_codes(
        self, info: Info, input: SecondFactorProof | None = None
    ) -> RecoveryCodes | None:
        return await second_factors.new_recovery_codes(info.context, input or SecondFactorProof())
