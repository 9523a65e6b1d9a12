"""Key-value storage in GraphQL."""

from typing import Annotated

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import storage
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import Info
from shapes import storage as types
from shapes.storage import PutStorageValue, StorageValue, StorageWhere

Key = Annotated[str, graphql.argument("the key")]

graphql.input(PutStorageValue, description=PutStorageValue.__doc__)
graphql.input(types.KeyFilter, name="PrefixFilter", description=types.KeyFilter.__doc__)
graphql.input(StorageWhere, name="StorageValueWhere", description=StorageWhere.__doc__)
graphql.type(types.StorageValue, name="StorageValue", description=types.StorageValue.__doc__)


@strawberry.type
class Query:
    @connection(where=StorageWhere)
    async def storage_values(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[StorageValue] | None:
        return as_type(await storage.page(info.context, page_args, where))

    @graphql.query()
    async def storage_value(self, info: Info, key: Key) -> StorageValue | None:
        return await storage.get(info.context, key)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def put_storage_value(self, info: Info, input: PutStorageValue) -> StorageValue | None:
        return await storage.put(info.context, input.key, input.value, input.ttl_seconds)

    @graphql.mutation()
    async def delete_storage_value(self, info: Info, key: Key) -> bool | None:
        await storage.delete(info.context, key)
        return True
