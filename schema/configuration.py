"""Area C in GraphQL: configuration."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import configuration, messenger_relations
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import configuration as types
from shapes.configuration import DEFAULT, ConfigWhere, NewConfig

if TYPE_CHECKING:
    from schema.messenger_accounts import MessengerAccount

graphql.input(NewConfig, name="NewMessengerConfig", description=NewConfig.__doc__)
graphql.input(ConfigWhere, name="MessengerConfigWhere", description=ConfigWhere.__doc__)

Account = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]


@graphql.type(name="MessengerConfig", description=types.Config.__doc__)
class Config(types.Config):
    """Not a node: `default` exists even if it was never set, and has no id then."""

    @graphql.computed("global id (Relay) of the messenger account", "account_id", name="accountId")
    def account_global_id(self) -> ID:
        return graphql.global_id("MessengerAccount", self.account_id)

    @relation("the messenger account", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        ids = [row.account_id for row in rows]
        return as_type(await messenger_relations.by_ids(info.context, ids, info.columns))


@strawberry.type
class Query:
    @connection(where=ConfigWhere)
    async def messenger_configs(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Config] | None:
        return as_type(await configuration.page(info.context, page_args, where))

    @graphql.query()
    async def messenger_config(
        self, info: Info, id: ID, name: Annotated[str, graphql.argument("name of the document")] = DEFAULT
    ) -> Config | None:
        return Config.of(await configuration.get(info.context, local_id(id, "MessengerAccount"), name))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_messenger_config(self, info: Info, id: ID, input: NewConfig) -> Config | None:
        return Config.of(
            await configuration.set(info.context, local_id(id, "MessengerAccount"), input.name, input.config)
        )
