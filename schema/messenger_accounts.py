"""Area C in GraphQL: messenger accounts."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from engine.messengers import states
from resolvers import (
    chats,
    configuration,
    messenger_accounts,
    messenger_relations,
    source_accounts,
    users,
    webhooks,
)
from resolvers.messenger_accounts.account_rows import state_of
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import messenger_accounts as types
from shapes.chats import ChatWhere
from shapes.configuration import ConfigWhere
from shapes.messenger_accounts import (
    AccountState,
    MessengerAccountOrder,
    MessengerAccountPatch,
    MessengerAccountsSummary,
    MessengerAccountWhere,
    MessengerPerson,
    MessengerSource,
    NewMessengerAccount,
)
from shapes.shape import Cost
from shapes.source_accounts import SourceAccountWhere
from shapes.webhooks import WebhookWhere

if TYPE_CHECKING:
    from schema.chats import Chat
    from schema.configuration import Config
    from schema.logins import PairingCode, QrCode
    from schema.source_accounts import SourceAccount
    from schema.users import User
    from schema.webhooks import Webhook

graphql.input(
    types.CloudCredentials, name="WhatsAppCloudCredentials", description=types.CloudCredentials.__doc__
)
for part in (NewMessengerAccount, MessengerAccountPatch, MessengerAccountWhere, MessengerAccountOrder):
    graphql.input(part, description=part.__doc__)
for seen in (MessengerPerson, types.MessengerStep, types.MessengerStateChange, MessengerAccountsSummary):
    graphql.type(seen, description=seen.__doc__)
graphql.type(types.EnabledDriver, name="EnabledMessengerDriver", description=types.EnabledDriver.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Hook = Annotated["Webhook", strawberry.lazy("schema.webhooks")]
Conversation = Annotated["Chat", strawberry.lazy("schema.chats")]
Document = Annotated["Config", strawberry.lazy("schema.configuration")]
Sender = Annotated["SourceAccount", strawberry.lazy("schema.source_accounts")]
Qr = Annotated["QrCode", strawberry.lazy("schema.logins")]
Pairing = Annotated["PairingCode", strawberry.lazy("schema.logins")]


_STATE = ("state", "wanted", "held")


@graphql.node(
    "MessengerAccount",
    row=models.MessengerAccount,
    read=messenger_accounts.get,
    description="A Telegram or WhatsApp account that Postern keeps connected.",
)
class MessengerAccount(types.AccountFields):
    @graphql.computed("state of the connection; see AccountState", *_STATE)
    def state(self) -> AccountState:
        return state_of(self)

    @graphql.computed("the state as the vendor API's number and sentence", *_STATE)
    def step(self) -> types.MessengerStep:
        return types.MessengerStep(**states.step(state_of(self)))

    @graphql.computed("what the owner has to do next, as a sentence", *_STATE)
    def next(self) -> str:
        return states.NEXT[state_of(self)]

    @graphql.computed("the account's own profile at the messenger, as last reported", "me")
    def me(self) -> MessengerPerson | None:
        profile = cast(models.MessengerAccount, self).me
        return MessengerPerson.model_validate(profile) if profile else None

    @graphql.computed("proxy URL, with its password masked; null: no proxy", "proxy_shown")
    def proxy(self) -> str | None:
        return cast(models.MessengerAccount, self).proxy_shown

    @relation("the user who owns this messenger account", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("webhooks that receive the account's events, oldest first", where=WebhookWhere)
    async def webhooks(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Hook] | None]:
        return as_type(await webhooks.of_accounts(info.context, [row.id for row in rows], page_args, where))

    @relation(
        "its latest changes of state, newest first; at most 100", cost=Cost(most=types.MOST_STATE_CHANGES)
    )
    async def state_changes(rows: Any, info: Info) -> list[list[types.MessengerStateChange] | None]:
        return as_type(await messenger_relations.state_changes(info.context, [row.id for row in rows]))

    @relation("its chats, the one with the newest message first", where=ChatWhere)
    async def chats(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Conversation] | None]:
        return as_type(await chats.of_accounts(info.context, [row.id for row in rows], page_args, where))

    @relation("its documents, in the order in which they were first set", where=ConfigWhere)
    async def configs(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Document] | None]:
        return as_type(
            await configuration.of_accounts(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the source accounts through which projects send with this account", where=SourceAccountWhere)
    async def source_accounts(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Sender] | None]:
        ids = [row.id for row in rows]
        return as_type(
            await source_accounts.related(info.context, "messenger_account_uuid", ids, page_args, where)
        )


@strawberry.type(description="A change of a messenger account.")
class MessengerAccountChange:
    account: MessengerAccount = strawberry.field(description="the account after the change")
    qr_code: Qr | None = strawberry.field(
        description="the QR code to scan, in state `waitQr`; otherwise null"
    )
    pairing_code: Pairing | None = strawberry.field(
        description="the pairing code to enter on the phone, in state `showCode`; otherwise null"
    )
    at: datetime = strawberry.field(description="time of the change")


@strawberry.type
class Query:
    @connection(where=MessengerAccountWhere, order=MessengerAccountOrder)
    async def messenger_accounts(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[MessengerAccount] | None:
        return as_type(await messenger_accounts.page(info.context, page_args, where))

    @graphql.query()
    async def messenger_account(
        self,
        info: Info,
        id: ID,
        probe: Annotated[
            bool, graphql.argument("true: first ask the messenger whether the connection is alive")
        ] = False,
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.get(info.context, _local(id), probe))

    @graphql.query()
    async def messenger_accounts_summary(
        self,
        info: Info,
        source: Annotated[MessengerSource | None, graphql.argument("only accounts of this messenger")] = None,
    ) -> MessengerAccountsSummary | None:
        return await messenger_accounts.summary(info.context, source)

    @graphql.query(cost=Cost(most=10))
    async def messenger_drivers(self, info: Info) -> list[types.EnabledDriver] | None:
        return as_type(await messenger_accounts.drivers(info.context))

    @graphql.query()
    async def messenger_account_me(self, info: Info, id: ID) -> MessengerPerson | None:
        return await messenger_accounts.me(info.context, _local(id))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def add_messenger_account(self, info: Info, input: NewMessengerAccount) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.add(info.context, input))

    @graphql.mutation()
    async def update_messenger_account(
        self, info: Info, id: ID, input: MessengerAccountPatch
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.update(info.context, _local(id), input))

    @graphql.mutation()
    async def start_messenger_account(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.set_state(info.context, _local(id), True))

    @graphql.mutation()
    async def stop_messenger_account(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.stop(info.context, _local(id)))

    @graphql.mutation()
    async def clear_messenger_session(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.clear(info.context, _local(id)))

    @graphql.mutation()
    async def delete_messenger_account(self, info: Info, id: ID) -> bool | None:
        await messenger_accounts.delete(info.context, _local(id))
        return True

    @graphql.mutation()
    async def renew_messenger_proxy(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.renew_proxy(info.context, _local(id)))

    @graphql.mutation()
    async def lift_messenger_restriction(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.lift_restriction(info.context, _local(id)))


@strawberry.type
class Subscription:
    @graphql.subscription()
    async def messenger_account_changed(
        self,
        info: Info,
        id: Annotated[
            ID | None,
            graphql.argument("only this account: its id or uuid; omitted: all your messenger accounts"),
        ] = None,
    ) -> AsyncIterator[MessengerAccountChange]:
        changes = await messenger_accounts.changes(info.context, _local(id) if id else None)
        return _typed_changes(info, changes)


async def _typed_changes(info: Info, changes: AsyncIterator[Any]) -> AsyncIterator[MessengerAccountChange]:
    from schema.logins import PairingCode, QrCode

    async for change in changes:
        code = change.login_code
        qr = code is not None and code.state is AccountState.waitQr
        yield MessengerAccountChange(
            account=MessengerAccount.of(change.account),
            qr_code=QrCode.of(info, change.account.id, code) if qr else None,
            pairing_code=PairingCode.of(code) if code is not None and not qr else None,
            at=change.at,
        )


def _local(id: str) -> Any:
    return local_id(id, "MessengerAccount")
