"""Relay's `node(id:)`: reads any row by its opaque id (relay.dev/graphql/objectidentification.htm)."""

import asyncio
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any
from uuid import UUID

import strawberry

from core.errors import BadRequest, Forbidden, NotFound, ValidationFailed
from resolvers import nodes
from runtime.context import Context
from schema.frame import graphql
from schema.frame.graphql import ID, NODES, Info, Node, NodeRow, parse_global_id

MOST = 100
AT_ONCE = 4  # rows that one request reads concurrently, as all requests share the connections


async def _read_node(ctx: Context, id: str) -> Any:
    """Returns the row, or None if it does not exist or the caller may not see it. Raises BadRequest for a bad id."""
    if (uuid := _uuid(id)) is not None:
        await ctx.viewer()  # only a caller with a login may ask to which type an id belongs
        for kind in await nodes.kinds(ctx.services, uuid, _tables()):
            try:
                return NodeRow(kind, await NODES[kind].read(ctx, uuid))
            except NotFound:
                continue  # a trial is no message, though both are rows of one table
            except Forbidden:
                continue  # an error would tell a restricted token that there is a row
        return None
    parsed = parse_global_id(id)
    if parsed is None or parsed[0] not in NODES:
        raise BadRequest(
            f"{id[:64]!r} is not the id of a node. Send the `id` or the `uuid` that an object showed.",
            code="bad_id",
        )
    try:
        return NodeRow(parsed[0], await NODES[parsed[0]].read(ctx, parsed[1]))
    except NotFound:
        return None


@cache
def _tables() -> Mapping[str, str]:
    """Returns the table of each type; all features are imported when the first request comes."""
    return {kind: node.table for kind, node in NODES.items()}


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
