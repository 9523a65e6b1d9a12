"""Canned answers in GraphQL."""

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import canned_answers
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import canned_answers as types
from shapes.canned_answers import CannedAnswerPatch, CannedAnswerWhere, NewCannedAnswer

for part in (NewCannedAnswer, CannedAnswerPatch, CannedAnswerWhere):
    graphql.input(part, description=part.__doc__)


@graphql.node(
    "CannedAnswer", row=models.CannedAnswer, read=canned_answers.get, description=types.CannedAnswer.__doc__
)
class CannedAnswer(types.CannedAnswer):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""


@strawberry.type
class Query:
    @connection(where=CannedAnswerWhere)
    async def canned_answers(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[CannedAnswer] | None:
        return as_type(await canned_answers.page(info.context, page_args, where))

    @graphql.query()
    async def canned_answer(self, info: Info, id: ID) -> CannedAnswer | None:
        return CannedAnswer.of(await canned_answers.get(info.context, local_id(id, "CannedAnswer")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_canned_answer(self, info: Info, input: NewCannedAnswer) -> CannedAnswer | None:
        return CannedAnswer.of(await canned_answers.create(info.context, input))

    @graphql.mutation()
    async def update_canned_answer(self, info: Info, id: ID, input: CannedAnswerPatch) -> CannedAnswer | None:
        return CannedAnswer.of(await canned_answers.update(info.context, local_id(id, "CannedAnswer"), input))

    @graphql.mutation()
    async def delete_canned_answer(self, info: Info, id: ID) -> bool | None:
        await canned_answers.delete(info.context, local_id(id, "CannedAnswer"))
        return True
