"""Relay's `node(id:)`: reads any row by its opaque id (relay.dev/graphql/objectidentification.htm)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any
from uuid import UUID

import strawberry

from core.errors import BadRequest, Forbidden, NotFound, ValidationFailed
from resolvers import (
    accounts,
    auth,
    blocks,
    chats,
    events,
    exports,
    files,
    imports,
    message_records,
    messages,
    messenger_accounts,
    nodes,
    recipients,
    repeatable,
    sending_projects,
    source_accounts,
    trial,
    users,
    webhook_deliveries,
    webhooks,
)
from runtime.context import Context
from schema.frame import graphql
from schema.frame.graphql import ID, Info, Node, NodeRow, parse_global_id

MOST = 100
AT_ONCE = 4  # rows that one request reads concurrently, as all requests share the connections

KINDS: dict[str, Callable[[Context, UUID], Awaitable[Any]]] = {
    "Account": accounts.get,
    "ApiToken": auth.api_token,
    "BlockedPhone": blocks.get,
    "DeadLetter": webhook_deliveries.letter,
    "ExportLink": exports.get,
    "File": files.get,
    "HookSecret": events.hook_secret,
    "LedgerEntry": accounts.entry,
    "Message": messages.get,
    "MessageRecord": message_records.get,
    "MessengerAccount": messenger_accounts.get,
    "MessengerChat": chats.get,
    "MessengerMessage": lambda ctx, item: chats.message(ctx, None, item),
    "Recipient": recipients.get,
    "RecipientImport": imports.get,
    "RepeatableSendingProject": repeatable.get,
    "SendingProject": sending_projects.get,
    "SourceAccount": source_accounts.get,
    "TrialMessage": trial.get,
    "User": users.get,
    "Webhook": webhooks.get,
    "WebhookDelivery": webhook_deliveries.get,
}
"""A row of each type is read by the operation that its own query uses."""


async def _read_node(ctx: Context, id: str) -> Any:
    """Returns the row, or None if it does not exist or the caller may not see it. Raises BadRequest for a bad id."""
    if (uuid := _uuid(id)) is not None:
        await ctx.viewer()  # nobody else may ask what an id belongs to
        for kind in await nodes.kinds(ctx.services, uuid):
            try:
                return NodeRow(kind, await KINDS[kind](ctx, uuid))
            except NotFound:
                continue  # a trial is no message, though both are rows of one table
            except Forbidden:
                continue  # an error would tell a restricted token that there is a row
        return None
    parsed = parse_global_id(id)
    if parsed is None or parsed[0] not in KINDS:
        raise BadRequest(
            f"{id[:64]!r} is not the id of a node. Send the `id` or the `uuid` that an object showed.",
            code="bad_id",
        )
    try:
        return NodeRow(parsed[0], await KINDS[parsed[0]](ctx, parsed[1]))
    except NotFound:
        return None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


Ids = Annotated[list[ID], strawberry.argument(description=f"ids or uuids of the objects; at most {MOST}")]


@strawberry.type
class Query:
    @graphql.query("Returns any object by its `id` or `uuid`; null if it does not exist or is not yours.")
    async def node(self, info: Info, id: ID) -> Node | None:
        return await _read_node(info.context, id)

    @graphql.query("Returns several objects by their `id`s or `uuid`s, in the given order.")
    async def nodes(self, info: Info, ids: Ids) -> list[Node | None] | None:
        if len(ids) > MOST:
            raise ValidationFailed([f"ids: at most {MOST}"])
        rows: list[Any] = []
        for begin in range(0, len(ids), AT_ONCE):
            some = ids[begin : begin + AT_ONCE]
            rows += await asyncio.gather(*(_read_node(info.context, id) for id in some))
        return rows
