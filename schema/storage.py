"""Key-value storage in GraphQL."""

import strawberry

from resolvers import storage
from schema import graphql
from schema.graphql import Info
from schema.types import storage as types
from schema.types.page import Meta
from schema.types.storage import PutStorageValue, StorageValue

graphql.input(PutStorageValue, description=PutStorageValue.__doc__)
graphql.type(types.StorageValue, name="StorageValue", description=types.StorageValue.__doc__)


@strawberry.type(description="A page of stored values.")
class StoragePage:
    items: list[StorageValue] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("Your stored values whose keys begin with `prefix`, by key.")
    async def storage_values(
        self, info: Info, prefix: str = "", page: int = 1, limit: int = 20
    ) -> StoragePage | None:
        return graphql.page(StoragePage, await storage.list(info.context, prefix, page, limit))

    @graphql.query("One stored value.")
    async def storage_value(self, info: Info, key: str) -> StorageValue | None:
        return await storage.get(info.context, key)


@strawberry.type
class Mutation:
    @graphql.mutation("Keeps a value, in place of what was there.")
    async def put_storage_value(self, info: Info, input: PutStorageValue) -> StorageValue | None:
        return await storage.put(info.context, input.key, input.value, input.ttl_seconds)

    @graphql.mutation("Deletes a value. Again is no error.")
    async def delete_storage_value(self, info: Info, key: str) -> bool | None:
        await storage.delete(info.context, key)
        return True
