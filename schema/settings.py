"""Settings in GraphQL."""

from typing import Annotated

import strawberry

from resolvers import settings
from schema.frame import graphql
from schema.frame.graphql import ID, JSON, Info, local_id
from shapes import settings as types
from shapes.settings import DeleteSetting, Scope, SetSetting, Setting, UpdateSettings

SettingsOf = Annotated[Scope, graphql.argument("the caller's own settings, or those of an account")]

graphql.input(UpdateSettings, description=UpdateSettings.__doc__)
graphql.input(SetSetting, description=SetSetting.__doc__)
graphql.input(DeleteSetting, description=DeleteSetting.__doc__)
graphql.type(types.Setting, name="Setting", description=types.Setting.__doc__)


@strawberry.type
class Query:
    @graphql.query()
    async def settings(
        self, info: Info, scope: SettingsOf = Scope.user, account_id: ID | None = None
    ) -> JSON | None:
        account = local_id(account_id, "Account") if account_id else None
        return JSON(await settings.list(info.context, scope, account))

    @graphql.query()
    async def setting(
        self,
        info: Info,
        key: Annotated[str, graphql.argument("the key")],
        scope: SettingsOf = Scope.user,
        account_id: ID | None = None,
    ) -> Setting | None:
        account = local_id(account_id, "Account") if account_id else None
        return Setting.of(await settings.get(info.context, key, scope, account))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def update_settings(self, info: Info, input: UpdateSettings) -> JSON | None:
        return JSON(await settings.update(info.context, input.values, input.scope, input.account_id))

    @graphql.mutation()
    async def set_setting(self, info: Info, input: SetSetting) -> Setting | None:
        return await settings.put(info.context, input.key, input.value, input.scope, input.account_id)

    @graphql.mutation()
    async def delete_setting(self, info: Info, input: DeleteSetting) -> bool | None:
        await settings.delete(info.context, input.key, input.scope, input.account_id)
        return True
