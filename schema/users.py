"""Users in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import (
    accounts,
    api_tokens,
    auth,
    blocks,
    events,
    exports,
    files,
    imports,
    messages,
    messenger_relations,
    repeatable,
    sending_projects,
    settings,
    source_accounts,
    tariffs,
    users,
)
from schema.accounts import Account
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, JSON, Info, local_id
from schema.frame.loaders import relation
from schema.repeatable import RepeatableSendingProject
from schema.sending_projects import SendingProject
from shapes import users as types
from shapes.accounts import AccountWhere
from shapes.auth import ApiTokenWhere, NewUser
from shapes.blocks import BlockedPhoneWhere
from shapes.events import HookSecretWhere
from shapes.exports import ExportLinkWhere
from shapes.files import FileOrder, FileWhere
from shapes.imports import RecipientImportWhere
from shapes.messages import MessageWhere
from shapes.messenger_accounts import MessengerAccountOrder, MessengerAccountWhere
from shapes.project_lists import SendingProjectOrder, SendingProjectWhere
from shapes.repeatable import RepeatableWhere
from shapes.source_accounts import SourceAccountOrder, SourceAccountWhere
from shapes.tariffs import Tariff
from shapes.users import UserPatch, UserWhere

if TYPE_CHECKING:
    from schema.api_tokens import ApiToken
    from schema.blocks import BlockedPhone
    from schema.events import HookSecret
    from schema.exports import ExportLink
    from schema.files import File
    from schema.imports import RecipientImport
    from schema.messages import Message
    from schema.messenger_accounts import MessengerAccount
    from schema.source_accounts import SourceAccount

Token = Annotated["ApiToken", strawberry.lazy("schema.api_tokens")]
Blocked = Annotated["BlockedPhone", strawberry.lazy("schema.blocks")]
Proof = Annotated["HookSecret", strawberry.lazy("schema.events")]
Export = Annotated["ExportLink", strawberry.lazy("schema.exports")]
Uploaded = Annotated["File", strawberry.lazy("schema.files")]
Import = Annotated["RecipientImport", strawberry.lazy("schema.imports")]
Messages = Annotated["Message", strawberry.lazy("schema.messages")]
Messenger = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]
Sender = Annotated["SourceAccount", strawberry.lazy("schema.source_accounts")]

graphql.input(UserPatch, description=UserPatch.__doc__)
graphql.input(types.HasRole, name="RoleFilter", description=types.HasRole.__doc__)
graphql.input(UserWhere, description=UserWhere.__doc__)
graphql.input(NewUser, description=NewUser.__doc__)


@graphql.node("User", row=models.User, read=users.get, description=types.User.__doc__)
class User(types.User):
    @relation("the user's accounts, newest first", where=AccountWhere)
    async def accounts(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Account] | None]:
        return as_type(await accounts.of_users(info.context, [row.id for row in rows], page_args, where))

    @relation(
        "the user's projects, newest first unless `orderBy` is given",
        where=SendingProjectWhere,
        order=SendingProjectOrder,
    )
    async def sending_projects(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[SendingProject] | None]:
        ids = [row.id for row in rows]
        return as_type(await sending_projects.related(info.context, "owner_id", ids, page_args, where))

    @relation("the user's repeatable projects, newest first", where=RepeatableWhere)
    async def repeatable_sending_projects(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[RepeatableSendingProject] | None]:
        return as_type(await repeatable.of_users(info.context, [row.id for row in rows], page_args, where))

    @relation("the user's single messages, outbound and inbound, newest first", where=MessageWhere)
    async def messages(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Messages] | None]:
        return as_type(await messages.of_users(info.context, [row.id for row in rows], page_args, where))

    @relation("the user's source accounts, newest first", where=SourceAccountWhere, order=SourceAccountOrder)
    async def source_accounts(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Sender] | None]:
        ids = [row.id for row in rows]
        return as_type(await source_accounts.related(info.context, "owner_id", ids, page_args, where))

    @relation(
        "the user's messenger accounts, newest first",
        where=MessengerAccountWhere,
        order=MessengerAccountOrder,
    )
    async def messenger_accounts(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Messenger] | None]:
        ids = [row.id for row in rows]
        return as_type(await messenger_relations.of_users(info.context, ids, page_args, where))

    @relation("the user's files, newest first", where=FileWhere, order=FileOrder)
    async def files(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Uploaded] | None]:
        return as_type(await files.of_users(info.context, [row.id for row in rows], page_args, where))

    @relation("the user's recipient imports, newest first", where=RecipientImportWhere)
    async def recipient_imports(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Import] | None]:
        ids = [row.id for row in rows]
        return as_type(await imports.related(info.context, "owner_id", ids, page_args, where))

    @relation("the user's exports and integrations, newest first", where=ExportLinkWhere)
    async def export_links(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Export] | None]:
        ids = [row.id for row in rows]
        return as_type(await exports.related(info.context, "owner_id", ids, page_args, where))

    @relation("phones and addresses that the user has blocked, newest first", where=BlockedPhoneWhere)
    async def blocked_phones(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Blocked] | None]:
        return as_type(await blocks.of_users(info.context, [row.id for row in rows], page_args, where))

    @relation("the user's API tokens, newest first; null unless the user is yourself", where=ApiTokenWhere)
    async def api_tokens(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Token] | None]:
        return as_type(await api_tokens.of_users(info.context, [row.id for row in rows], page_args, where))

    @relation(
        "the user's hook secrets and keys, newest first; null unless the user is yourself",
        where=HookSecretWhere,
    )
    async def hook_secrets(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Proof] | None]:
        return as_type(await events.hook_secrets_of(info.context, [row.id for row in rows], page_args, where))

    @relation("the user's settings as one object; null unless the user is yourself")
    async def settings(rows: Any, info: Info) -> list[JSON | None]:
        return as_type(await settings.of_users(info.context, [row.id for row in rows]))

    @relation("the user's tariff, with prices and limits")
    async def tariff(rows: Any, info: Info) -> list[Tariff | None]:
        return as_type(await tariffs.of_users(info.context, [row.id for row in rows]))


@graphql.node("User", name="CreatedUser", description=types.CreatedUser.__doc__)
class CreatedUser(types.CreatedUser):
    pass


@strawberry.type
class Query:
    @graphql.query()
    async def me(self, info: Info) -> User | None:
        return User.of(await auth.me(info.context))

    @graphql.query()
    async def user(self, info: Info, id: ID) -> User | None:
        return User.of(await users.get(info.context, local_id(id, "User")))

    @graphql.query()
    async def find_user(
        self,
        info: Info,
        id: ID | None = None,
        email: Annotated[str | None, graphql.argument("email address of the user")] = None,
    ) -> User | None:
        return User.of(await users.find(info.context, local_id(id, "User") if id else None, email))

    @connection(where=UserWhere)
    async def users(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[User] | None:
        return as_type(await users.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def update_user(self, info: Info, id: ID, input: UserPatch) -> User | None:
        return User.of(await users.update(info.context, local_id(id, "User"), input))

    @graphql.mutation()
    async def create_user(self, info: Info, input: NewUser) -> CreatedUser | None:
        return CreatedUser.of(await users.create(info.context, input))

    @graphql.mutation()
    async def delete_user(self, info: Info, id: ID) -> bool | None:
        await users.delete(info.context, local_id(id, "User"))
        return True

    @graphql.mutation()
    async def suspend_user(self, info: Info, id: ID) -> User | None:
        return User.of(await users.suspend(info.context, local_id(id, "User")))

    @graphql.mutation()
    async def activate_user(self, info: Info, id: ID) -> User | None:
        return User.of(await users.activate(info.context, local_id(id, "User")))
