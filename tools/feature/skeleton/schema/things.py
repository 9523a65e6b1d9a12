"""Things in GraphQL."""

import strawberry

from db.lists import Conditions, PageArgs
from db import models
from resolvers import things
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import things as types
from shapes.things import NewThing, ThingWhere

graphql.input(NewThing, description=NewThing.__doc__)
graphql.input(ThingWhere, description=ThingWhere.__doc__)


@graphql.node("Thing", row=models.Thing, read=things.get, description=types.Thing.__doc__)
class Thing(types.Thing):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""


@strawberry.type
class Query:
    @connection(where=ThingWhere)
    async def things(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[Thing] | None:
        return as_type(await things.page(info.context, page_args, where))

    @graphql.query()
    async def thing(self, info: Info, id: ID) -> Thing | None:
        return Thing.of(await things.get(info.context, local_id(id, "Thing")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_thing(self, info: Info, input: NewThing) -> Thing | None:
        return Thing.of(await things.create(info.context, input))
