"""Finds the hosts of messages' status callbacks, each about once a minute for a caller."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from cachetools import TTLCache

from core.errors import BadRequest, RateLimited
from engine.webhooks import callbacks
from resolvers.auth.token_rows import maker_of
from runtime.group_commit import GroupCommit, NotStarted
from runtime.operation import Op
from runtime.owner_slots import owner_slots
from runtime.permissions import Permission

_HOSTS: Final = 10_000
_SECONDS: Final = 5.0
"""The number of hosts of callers that are remembered, and the time."""


class CallbackHosts(GroupCommit[tuple[Op, str], UUID]):
    """The hosts that callers of this process have used lately. Concurrent messages share one transaction."""

    def __init__(self) -> None:
        super().__init__(self._use_first)
        self.ids: TTLCache[tuple[Any, ...], UUID] = TTLCache(_HOSTS, _SECONDS)

    async def _use_first(self, requests: Sequence[tuple[Op, str]]) -> Sequence[UUID]:
        """Uses the host of requests that are all the same."""
        op, host = requests[0]
        async with owner_slots(op.services).slot(op.viewer.id):
            id = await _use(op, host)
        return [id] * len(requests)


async def callback_of(
    op: Op, payer: Any, url: str, send_at: datetime | None = None, *, has_slot: bool = False
) -> UUID:
    """Returns the row of the host to which a message's status callbacks go. `send_at`: when the message is sent,
    `has_slot`: the caller has one of its owner's slots.

    Raises BadRequest (`webhook_url_refused`), Conflict (`too_many_webhooks`), RateLimited (`too_many_changes`).
    """
    if payer.owner_id != op.viewer.id:
        raise BadRequest(
            "Another user's message can't have a statusCallback. Leave it out.", code="bad_request"
        )
    host, viewer = callbacks.host_of(op.services, url), op.viewer
    hosts = op.services.single(CallbackHosts, CallbackHosts, CallbackHosts.close)
    key = (viewer.id, viewer.actor_id, viewer.session_id, viewer.token_id, host)
    id = hosts.ids.get(key)
    if id is None:
        try:
            id = await (_use(op, host) if has_slot else hosts.join(key, (op, host)))
        except NotStarted as error:
            raise RateLimited(
                "Too many messages with a new host of their statusCallback wait. Nothing was sent; try again in a"
                " moment.",
                code="too_many_changes",
                headers={"Retry-After": "1"},
            ) from error
        hosts.ids[key] = id
    if send_at is not None:
        async with op.db.transaction() as connection:
            await callbacks.use_until(connection, id, send_at)
    return id


async def _use(op: Op, host: str) -> UUID:
    async with op.db.transaction() as db:
        maker = await maker_of(op, db, Permission.messages_send)
        return await callbacks.use(db, op.services, op.viewer.id, host, maker)
