"""Verifications in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import users, verifications
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import pumping
from shapes import verifications as types
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.users import User

for part in (
    types.CodeStep,
    types.StartVerification,
    types.CheckCode,
    pumping.SetVerificationProtection,
    types.VerificationWhere,
    pumping.SuspectedGroupWhere,
):
    graphql.input(part, description=part.__doc__)
for shape in (
    types.CheckedCode,
    pumping.VerificationProtection,
    pumping.CountryVerifications,
    pumping.SavedMoney,
    pumping.VerificationReport,
):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Hours = Annotated[int, graphql.argument(f"length of the report, up to now, at most {pumping.MOST_HOURS}")]


@graphql.node(
    "Verification", row=models.Verification, read=verifications.get, description=types.Verification.__doc__
)
class Verification(types.Verification):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""

    @relation("the user whose verification it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@graphql.node(
    "SuspectedGroup",
    row=models.SuspectedGroup,
    read=verifications.suspected_group,
    description=pumping.SuspectedGroup.__doc__,
)
class SuspectedGroup(pumping.SuspectedGroup):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""


@strawberry.type
class Query:
    @connection(where=types.VerificationWhere)
    async def verifications(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Verification] | None:
        return as_type(await verifications.page(info.context, page_args, where))

    @graphql.query()
    async def verification(self, info: Info, id: ID) -> Verification | None:
        return Verification.of(await verifications.get(info.context, local_id(id, "Verification")))

    @graphql.query()
    async def verification_protection(self, info: Info) -> pumping.VerificationProtection | None:
        return await verifications.protection(info.context)

    @connection(where=pumping.SuspectedGroupWhere)
    async def suspected_groups(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[SuspectedGroup] | None:
        return as_type(await verifications.suspected(info.context, page_args, where))

    @graphql.query()
    async def suspected_group(self, info: Info, id: ID) -> SuspectedGroup | None:
        return SuspectedGroup.of(
            await verifications.suspected_group(info.context, local_id(id, "SuspectedGroup"))
        )

    @graphql.query(cost=Cost(work=10))
    async def verification_report(self, info: Info, hours: Hours = 24) -> pumping.VerificationReport | None:
        return await verifications.report(info.context, hours)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def start_verification(self, info: Info, input: types.StartVerification) -> Verification | None:
        return Verification.of(await verifications.start(info.context, input))

    @graphql.mutation()
    async def check_verification(
        self, info: Info, id: ID, input: types.CheckCode
    ) -> types.CheckedCode | None:
        return await verifications.check(info.context, local_id(id, "Verification"), input)

    @graphql.mutation()
    async def resend_verification(self, info: Info, id: ID) -> Verification | None:
        return Verification.of(await verifications.resend(info.context, local_id(id, "Verification")))

    @graphql.mutation()
    async def cancel_verification(self, info: Info, id: ID) -> Verification | None:
        return Verification.of(await verifications.cancel(info.context, local_id(id, "Verification")))

    @graphql.mutation()
    async def set_verification_protection(
        self, info: Info, input: pumping.SetVerificationProtection
    ) -> pumping.VerificationProtection | None:
        return await verifications.set_protection(info.context, input)
