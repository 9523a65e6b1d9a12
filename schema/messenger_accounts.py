"""Area C in GraphQL: messenger accounts."""

from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from db import models
from postern import messenger_states
from resolvers import messenger_accounts, messenger_relations
from resolvers.messenger_accounts import state_of
from schema import graphql, loaders
from schema.graphql import ID, Info, local_id
from schema.types import messenger_accounts as types
from schema.types.messenger_accounts import (
    AccountState,
    MessengerAccountPatch,
    MessengerAccountsSummary,
    MessengerPerson,
    MessengerSource,
    NewMessengerAccount,
)
from schema.types.page import Meta

if TYPE_CHECKING:
    from schema.chats import Chat
    from schema.configuration import Config
    from schema.logins import PairingCode, QrCode
    from schema.users import User
    from schema.webhooks import Webhook

graphql.input(
    types.CloudCredentials, name="WhatsAppCloudCredentials", description=types.CloudCredentials.__doc__
)
for part in (NewMessengerAccount, MessengerAccountPatch):
    graphql.input(part, description=part.__doc__)
for shown in (MessengerPerson, types.MessengerStep, MessengerAccountsSummary):
    graphql.type(shown, description=shown.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Hook = Annotated["Webhook", strawberry.lazy("schema.webhooks")]
Conversation = Annotated["Chat", strawberry.lazy("schema.chats")]
Document = Annotated["Config", strawberry.lazy("schema.configuration")]
Qr = Annotated["QrCode", strawberry.lazy("schema.logins")]
Pairing = Annotated["PairingCode", strawberry.lazy("schema.logins")]


@graphql.type(name="MessengerAccount", description="A Telegram or WhatsApp account that is kept connected.")
class MessengerAccount(types.AccountFields):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("MessengerAccount", self.id)

    @graphql.field(description="where it stands between `stopped` and `working`")
    async def state(self, info: Info) -> AccountState:
        return await _state(info, self)

    @graphql.field(description="the vendor's number and sentence for the state")
    async def step(self, info: Info) -> types.MessengerStep:
        return types.MessengerStep(**messenger_states.step(await _state(info, self)))

    @graphql.field(description="what its owner does next, as a sentence")
    async def next(self, info: Info) -> str:
        return messenger_states.NEXT[await _state(info, self)]

    @graphql.field(description="who it is at the messenger, as last told")
    def me(self) -> MessengerPerson | None:
        told = _row(self).me
        return MessengerPerson.model_validate(told) if told else None

    @graphql.field(description="masked")
    def proxy(self) -> str | None:
        return _row(self).proxy_shown

    @graphql.field(description="addresses that are told what happens to it, oldest first")
    async def webhooks(self, info: Info) -> list[Hook]:
        rows = await loaders.by(info.context, models.Webhook, "account_id").load(self.id)
        return cast("list[Hook]", rows)

    @graphql.field(description="its chats, the last written first; at most 100")
    async def chats(self, info: Info, limit: int = 20) -> list[Conversation]:
        most = max(1, min(limit, 100))

        async def load(ids: list[UUID]) -> list[Any]:
            found = await messenger_relations.chats(info.context.services, ids, most)
            return [found[id] for id in ids]

        return cast("list[Conversation]", await _loaded(info, f"chats.{most}", load, self.id))

    @graphql.field(description="its documents, in the order in which they were first set")
    async def configs(self, info: Info) -> list[Document]:
        async def load(ids: list[UUID]) -> list[Any]:
            found = await messenger_relations.configs(info.context.services, ids)
            return [found[id] for id in ids]

        return cast("list[Document]", await _loaded(info, "configs", load, self.id))

    @graphql.field(description="whose it is")
    async def owner(self, info: Info) -> Owner | None:
        return cast("Owner", await loaders.by_id(info.context, models.User).load(_row(self).owner_id))


def _row(account: types.AccountFields) -> models.MessengerAccount:
    """What it really is."""
    return cast(models.MessengerAccount, account)


async def _state(info: Info, account: Any) -> AccountState:
    """A row that was loaded for a relation doesn't know whether a process holds it."""
    if hasattr(account, "held"):
        return state_of(account)

    async def load(ids: list[UUID]) -> list[Any]:
        found = await messenger_relations.held(info.context.services, ids)
        return [id in found for id in ids]

    return state_of(account, held=bool(await _loaded(info, "held", load, account.id)))


async def _loaded(
    info: Info, name: str, load: Callable[[list[UUID]], Coroutine[Any, Any, list[Any]]], id: UUID
) -> Any:
    """By one statement for all accounts of an answer."""
    kept = info.context.loaders
    name = f"MessengerAccount.{name}"
    if name not in kept:
        kept[name] = DataLoader(load_fn=load, max_batch_size=1000)
    return await kept[name].load(id)


@strawberry.type(description="A page of messenger accounts.")
class MessengerAccountPage:
    items: list[MessengerAccount] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type(description="What a messenger account is now.")
class MessengerAccountChange:
    account: MessengerAccount = strawberry.field(description="as it is now")
    qr_code: Qr | None = strawberry.field(description="while it waits for a scan")
    pairing_code: Pairing | None = strawberry.field(
        description="while it shows a code to be typed on the phone"
    )
    at: datetime = strawberry.field(description="when this was so")


@strawberry.type
class Query:
    @graphql.query("Your messenger accounts, newest first; all, for administrators.")
    async def messenger_accounts(
        self, info: Info, page: int = 1, limit: int = 20, source: MessengerSource | None = None
    ) -> MessengerAccountPage | None:
        return graphql.page(
            MessengerAccountPage, await messenger_accounts.list(info.context, page, limit, source)
        )

    @graphql.query("One messenger account. `probe`: ask the messenger first whether the connection lives.")
    async def messenger_account(self, info: Info, id: ID, probe: bool = False) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.get(info.context, _local(id), probe))

    @graphql.query("How many of your messenger accounts are where.")
    async def messenger_accounts_summary(
        self, info: Info, source: MessengerSource | None = None
    ) -> MessengerAccountsSummary | None:
        return await messenger_accounts.summary(info.context, source)

    @graphql.query("Who an account is at the messenger, asked now.")
    async def messenger_account_me(self, info: Info, id: ID) -> MessengerPerson | None:
        return await messenger_accounts.me(info.context, _local(id))


@strawberry.type
class Mutation:
    @graphql.mutation("Adds a messenger account. It is not connected before it is started.")
    async def add_messenger_account(self, info: Info, input: NewMessengerAccount) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.add(info.context, input))

    @graphql.mutation(
        "Changes the name, the webhooks or the credentials at any time, the proxy while the account is stopped."
    )
    async def update_messenger_account(
        self, info: Info, id: ID, input: MessengerAccountPatch
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.update(info.context, _local(id), input))

    @graphql.mutation("Connects an account: the answer is its state when it works, or needs somebody.")
    async def start_messenger_account(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.set_state(info.context, _local(id), True))

    @graphql.mutation("Disconnects an account and keeps its session.")
    async def stop_messenger_account(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.stop(info.context, _local(id)))

    @graphql.mutation("Stops an account, logs out at the messenger, and forgets the session.")
    async def clear_messenger_session(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.clear(info.context, _local(id)))

    @graphql.mutation(
        "Removes an account. It stops and logs out in the background; its name is free at once."
    )
    async def delete_messenger_account(self, info: Info, id: ID) -> bool | None:
        await messenger_accounts.delete(info.context, _local(id))
        return True

    @graphql.mutation("Gives a stopped account another healthy proxy of the operator's pool.")
    async def renew_messenger_proxy(self, info: Info, id: ID) -> MessengerAccount | None:
        return MessengerAccount.of(await messenger_accounts.renew_proxy(info.context, _local(id)))


@strawberry.type
class Subscription:
    @graphql.subscription(
        "An account as it is now, and again whenever that changes, with QR or pairing code; without `id`, all of yours."
    )
    async def messenger_account_changed(
        self, info: Info, id: ID | None = None
    ) -> AsyncIterator[MessengerAccountChange]:
        found = await messenger_accounts.changes(info.context, _local(id) if id else None)
        return _told(info, found)


async def _told(info: Info, changes: AsyncIterator[Any]) -> AsyncIterator[MessengerAccountChange]:
    from schema.logins import PairingCode, QrCode

    async for one in changes:
        shown = one.shown
        qr = shown is not None and shown.state is AccountState.waitQr
        yield MessengerAccountChange(
            account=MessengerAccount.of(one.account),
            qr_code=QrCode.of(info, one.account.id, shown) if qr else None,
            pairing_code=PairingCode.of(shown) if shown is not None and not qr else None,
            at=one.at,
        )


def _local(id: str) -> Any:
    return local_id(id, "MessengerAccount")
