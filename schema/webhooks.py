"""Area C in GraphQL: webhooks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import orjson
import strawberry
from strawberry.dataloader import DataLoader

from db import models
from resolvers import webhooks
from schema import graphql, loaders
from schema.graphql import ID, JSON, Info, local_id
from schema.types import webhooks as types
from schema.types.page import Meta
from schema.types.webhooks import NewWebhook, WebhookEvent, WebhookPatch

if TYPE_CHECKING:
    from schema.messenger_accounts import MessengerAccount

for part in (NewWebhook, WebhookPatch):
    graphql.input(part, description=part.__doc__)

Account = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]


@graphql.type(name="Webhook", description=types.WebhookFields.__doc__)
class Webhook(types.WebhookFields):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("Webhook", self.id)

    @graphql.field(description="of what it is told; none: of all")
    def events(self) -> list[WebhookEvent]:
        return [WebhookEvent(event) for event in cast(models.Webhook, self).events]

    @graphql.field(description="the events that it has not taken yet")
    async def waiting(self, info: Info) -> int:
        return int((await _counts(info).load(self.id)).waiting)

    @graphql.field(description="its dead letters")
    async def dead(self, info: Info) -> int:
        return int((await _counts(info).load(self.id)).dead)

    @graphql.field(description="whose events it is told")
    async def account(self, info: Info) -> Account | None:
        found = loaders.by_id(info.context, models.MessengerAccount)
        return cast("Account", await found.load(self.account_id))


def _counts(info: Info) -> "DataLoader[UUID, Any]":
    async def load(ids: list[UUID]) -> Sequence[Any]:
        found = await webhooks.counts(info.context, ids)
        return [found[id] for id in ids]

    kept = info.context.loaders
    return cast(
        "DataLoader[UUID, Any]",
        kept.get("Webhook.counts") or kept.setdefault("Webhook.counts", DataLoader(load_fn=load)),
    )


@graphql.type(name="DeadLetter", description=types.DeadLetterFields.__doc__)
class DeadLetter(types.DeadLetterFields):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("DeadLetter", self.id)

    @graphql.field(description="what is posted")
    def body(self) -> JSON:
        return cast(JSON, orjson.loads(cast(models.WebhookEvent, self).body))


@strawberry.type(description="A page of dead letters.")
class DeadLetterPage:
    items: list[DeadLetter] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type(description="A webhook whose secret may be new.")
class SavedWebhook:
    webhook: Webhook = strawberry.field(description="as it is now")
    secret: str | None = strawberry.field(description="shown once, when we made it")


def _saved(saved: Any) -> SavedWebhook:
    return SavedWebhook(webhook=Webhook.of(saved.webhook), secret=saved.secret)


def _local(id: ID) -> UUID:
    return local_id(id, "Webhook")


def _account(id: ID) -> UUID:
    return local_id(id, "MessengerAccount")


def _which(account_id: ID | None, webhook_id: ID | None) -> tuple[UUID | None, UUID | None]:
    return (
        None if account_id is None else _account(account_id),
        None if webhook_id is None else _local(webhook_id),
    )


@strawberry.type
class Query:
    @graphql.query("The webhooks of a messenger account, oldest first; ten at most.")
    async def webhooks(self, info: Info, account_id: ID) -> list[Webhook] | None:
        return cast("list[Webhook]", await webhooks.list_of(info.context, _account(account_id)))

    @graphql.query("One webhook.")
    async def webhook(self, info: Info, id: ID) -> Webhook | None:
        return Webhook.of(await webhooks.get(info.context, _local(id)))

    @graphql.query("What a webhook, or all of an account's, did not take; the newest event first.")
    async def dead_letters(
        self,
        info: Info,
        account_id: ID | None = None,
        webhook_id: ID | None = None,
        page: int = 1,
        limit: int = 20,
    ) -> DeadLetterPage | None:
        which = _which(account_id, webhook_id)
        return graphql.page(DeadLetterPage, await webhooks.dead(info.context, *which, page, limit))


@strawberry.type
class Mutation:
    @graphql.mutation("Adds an address to an account, or changes the one that is there and enables it again.")
    async def add_webhook(self, info: Info, account_id: ID, input: NewWebhook) -> SavedWebhook | None:
        return _saved(await webhooks.add(info.context, _account(account_id), input))

    @graphql.mutation("Changes a webhook. Enabling it clears what failed, and it is tried at once.")
    async def update_webhook(self, info: Info, id: ID, input: WebhookPatch) -> Webhook | None:
        return Webhook.of(await webhooks.update(info.context, _local(id), input))

    @graphql.mutation("Removes a webhook, with what waits for it and its dead letters.")
    async def delete_webhook(self, info: Info, id: ID) -> bool | None:
        await webhooks.delete(info.context, _local(id))
        return True

    @graphql.mutation("Gives a webhook another secret. For a day the old one signs too.")
    async def rotate_webhook_secret(
        self, info: Info, id: ID, secret: str | None = None
    ) -> SavedWebhook | None:
        return _saved(await webhooks.rotate(info.context, _local(id), secret))

    @graphql.mutation("Sends dead letters again: these, or the oldest ten thousand. Answers how many.")
    async def replay_dead_letters(
        self, info: Info, webhook_id: ID, ids: list[ID] | None = None
    ) -> int | None:
        letters = None if ids is None else [local_id(id, "DeadLetter") for id in ids]
        return await webhooks.replay(info.context, _local(webhook_id), letters)
