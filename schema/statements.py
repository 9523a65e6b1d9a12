"""Statements of accounts in GraphQL."""

from typing import Annotated

import strawberry
from pydantic import Field

from resolvers import statements
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import ID, Info, local_id
from shapes.shape import Cost
from shapes.statements import MONTH, MOST, AccountStatement, SignedStatement

for answer in (AccountStatement, SignedStatement):
    graphql.type(answer, description=answer.__doc__)

Month = Annotated[str, Field(pattern=MONTH), graphql.argument("the month, in UTC, such as 2026-10")]


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=MOST))
    async def account_statements(self, info: Info, id: ID) -> list[AccountStatement] | None:
        return as_type(await statements.of_account(info.context, local_id(id, "Account")))

    @graphql.query(cost=Cost(work=10))
    async def account_statement(self, info: Info, id: ID, month: Month) -> SignedStatement | None:
        return await statements.get(info.context, local_id(id, "Account"), month)
