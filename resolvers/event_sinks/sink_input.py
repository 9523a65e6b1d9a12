"""Turns what callers send into the address and the columns of a sink."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from engine.sinks import endpoints
from resolvers.auth.token_rows import maker_of
from runtime.operation import Op
from runtime.permissions import Permission
from shapes.event_sinks import EventSinkPatch, NewEventSink
from sinks.port import SinkAddress

_SECRETS: Final = frozenset({"url", "credentials"})
_STREAM: Final = frozenset({"stream", "subject", "make_stream", "replicas", "duplicate_window_seconds"})
CONNECTS: Final = _SECRETS | {"stream", "subject", "make_stream"}
"""The fields after whose change the connection is tested."""
_PLAIN: Final = _STREAM | {"name", "query"}


def new_address(input: NewEventSink) -> SinkAddress:
    """Returns where a new sink publishes."""
    stream = {name: getattr(input, name) for name in _STREAM}
    return SinkAddress(input.kind.value, input.url, credentials=input.credentials, **stream)


def changed_address(op: Op, row: Any, input: EventSinkPatch) -> SinkAddress:
    """Returns where a sink publishes after a change. With another URL the stored credentials are gone.

    Raises BadRequest `sink_unreadable` if the stored address is needed and no key opens it.
    """
    changed = input.model_fields_set
    stream = {name: getattr(input if name in changed else row, name) for name in _STREAM}
    if "url" in changed:
        assert input.url is not None
        credentials = input.credentials if "credentials" in changed else None
        return SinkAddress(row.kind, input.url, credentials=credentials, **stream)
    stored = endpoints.address_of(op.services, row)
    credentials = input.credentials if "credentials" in changed else stored.credentials
    return SinkAddress(row.kind, stored.url, credentials=credentials, **stream)


def columns_of(
    op: Op, id: UUID, input: NewEventSink | EventSinkPatch, address: SinkAddress | None
) -> dict[str, Any]:
    """Returns the columns that the input sets. `address` is given if it is new."""
    asked: Mapping[str, Any] = input.__dict__
    fields = set(asked) if isinstance(input, NewEventSink) else input.model_fields_set
    columns: dict[str, Any] = {name: asked[name] for name in sorted(fields & _PLAIN)}
    if "types" in fields:
        columns["types"] = [*dict.fromkeys(input.types or ())]
    if "query" in fields:
        columns["query_roles"] = sorted(op.viewer.roles)
    if address is not None and fields & _SECRETS:
        columns["url_encrypted"] = endpoints.seal(op.services, id, address.url, address.credentials)
        columns["url_visible"] = endpoints.visible(address.url)
    return columns


async def maker_columns(
    op: Op, input: NewEventSink | EventSinkPatch, *, whole_installation: bool
) -> dict[str, Any]:
    """Returns the columns of the maker, if the input sets what a maker answers for. Call it before the sink is locked:
    the removal of a member locks the membership first, and then the sinks.
    """
    if not isinstance(input, NewEventSink) and not input.model_fields_set & (_SECRETS | {"query"}):
        return {}
    columns = (await maker_of(op, op.connection, Permission.events_write)).columns
    if whole_installation:  # it has no owner, and ends with the administrator
        columns["saved_by"] = op.viewer.actor_id
    return columns
