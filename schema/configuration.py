"""Area C in GraphQL: configuration."""

import strawberry

from resolvers import configuration
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import configuration as types
from schema.types.configuration import DEFAULT, NewConfig
from schema.types.messenger_accounts import MessengerSource

graphql.input(NewConfig, name="NewMessengerConfig", description=NewConfig.__doc__)


@graphql.type(name="MessengerConfig", description=types.Config.__doc__)
class Config(types.Config):
    @graphql.field(name="accountId", description="Relay's global id of the messenger account")
    def account_global_id(self) -> ID:
        return graphql.global_id("MessengerAccount", self.account_id)


@strawberry.type(
    name="MessengerConfigList", description="Documents, in the order in which they were first set."
)
class ConfigList:
    configs: list[Config] = strawberry.field(description="the documents")
    next: ID | None = strawberry.field(description="there are more: give it as `after`")


@strawberry.type
class Query:
    @graphql.query("The documents of all your messenger accounts.")
    async def messenger_configs(
        self, info: Info, source: MessengerSource | None = None, after: ID | None = None
    ) -> ConfigList | None:
        found = await configuration.list(
            info.context, source, local_id(after, "MessengerConfig") if after else None
        )
        return ConfigList(
            configs=[Config.of(one) for one in found.configs],
            next=graphql.global_id("MessengerConfig", found.next) if found.next else None,
        )

    @graphql.query("One document of a messenger account; `default` is always there.")
    async def messenger_config(self, info: Info, id: ID, name: str = DEFAULT) -> Config | None:
        return Config.of(await configuration.get(info.context, local_id(id, "MessengerAccount"), name))


@strawberry.type
class Mutation:
    @graphql.mutation("Replaces one document of a messenger account.")
    async def set_messenger_config(self, info: Info, id: ID, input: NewConfig) -> Config | None:
        return Config.of(
            await configuration.set(info.context, local_id(id, "MessengerAccount"), input.name, input.config)
        )
