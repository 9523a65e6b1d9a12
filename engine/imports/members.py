"""Subscribes the contacts of a segment to topics: a thousand of the owner's contacts are looked at in each transaction.

The import's own row has the contact after which it goes on, written in the transaction of the subscriptions. So a
worker that takes over subscribes each contact once; and subscribing it again changes nothing. Contacts that came after
the request are left out, since the evidence is not about them.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from core.errors import BadRequest
from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.contacts import segments, upsert
from engine.imports.contacts import numbers_of, topics_of
from engine.imports.reader import Failed
from shapes.consents import ConsentAction, ConsentSource
from shapes.topic_subscriptions import SubscriptionState

_PAGE = 1000
_NOBODY = UUID(int=0)  # comes before all contacts
_PROGRESS = """
SELECT created_at, (options -> 'contacts')::text AS options FROM recipient_imports
WHERE id = $1 AND status = 'processing'
"""
# The members are looked up one by one, so a page is as much work in a large segment as in a small one.
_MEMBERS = """
{queries}
SELECT (SELECT count(*)::int FROM members) AS looked_at,
  (SELECT id FROM members ORDER BY id DESC LIMIT 1) AS last,
  ARRAY(SELECT c.id FROM members AS m JOIN contacts AS c ON c.id = m.id WHERE {condition} ORDER BY c.id) AS ids
"""
_NEXT = "SELECT id FROM contacts WHERE owner_id = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT $4"
# Locked, so that no contact is deleted or merged before it is subscribed.
_REACHED = """
SELECT c.id FROM contacts AS c WHERE c.id = ANY($1) AND EXISTS (
  SELECT FROM contact_addresses WHERE contact_id = c.id AND channel = $2
) ORDER BY c.id FOR KEY SHARE OF c
"""
_COUNT = """
UPDATE recipient_imports SET contacts_line = contacts_line + $2, updated_at = now(),
  options = jsonb_set(options, '{contacts,members,after}', to_jsonb($3::text)),
  contacts = contacts || jsonb_build_object('subscribed', (contacts ->> 'subscribed')::int + $4::int,
    'subscribedBefore', (contacts ->> 'subscribedBefore')::int + $5::int,
    'withdrawnBefore', (contacts ->> 'withdrawnBefore')::int + $6::int,
    'withoutAddress', (contacts ->> 'withoutAddress')::int + $7::int)
WHERE id = $1
"""


async def subscribe_page(connection: Any, owner_id: UUID, id: UUID) -> bool:
    """Subscribes those of the next contacts that are in the segment, in the caller's transaction. Returns whether these
    were the last ones.

    A withdrawal stands. A topic that was deleted meanwhile is left out. Raises Failed.
    """
    progress = await connection.fetchrow(_PROGRESS, id)
    if progress is None:
        return True
    options = orjson.loads(progress["options"])
    subscribe, members = options["subscribe"], options["members"]
    page = await _page(connection, owner_id, id, members, progress["created_at"])
    if page["last"] is None:
        return True
    channel, topics = subscribe["channel"], await topics_of(connection, owner_id, subscribe)
    reached = [row["id"] for row in await connection.fetch(_REACHED, page["ids"], channel)]
    desired = [
        DesiredState(contact, topic, channel, SubscriptionState.active)
        for contact in reached
        for topic in topics
    ]
    proof = Proof(
        ConsentSource.api,
        ConsentAction.recorded,
        evidence=subscribe["evidence"],
        actor_id=UUID(subscribe["actorId"]),
    )
    numbers = numbers_of(await changes.apply(connection, owner_id, desired, proof))
    without = len(page["ids"]) - len(reached)
    await connection.execute(_COUNT, id, page["looked_at"], str(page["last"]), *numbers, without)
    return bool(page["looked_at"] < _PAGE)


async def _page(connection: Any, owner_id: UUID, id: UUID, members: Any, at: datetime) -> Any:
    """Returns the next contacts of the owner: how many were looked at, the last of them, and those in the segment.

    `at` is the time by which the segment tells today. Raises Failed if the segment can't be asked any more, such as
    after its field was deleted.
    """
    after = UUID(members["after"]) if "after" in members else _NOBODY
    filters = segments.read([members["filter"]] if members["filter"] is not None else [])
    types = await upsert.field_types(connection, owner_id) if filters else {}
    selection = segments.Selection(types, at, "$1", 5, at_once=False)
    try:
        condition = selection.meets_any(filters) if filters else "true"
    except BadRequest as error:
        raise Failed(error.message, error.code) from error
    sql = _MEMBERS.format(
        queries=selection.queries(f"members AS MATERIALIZED ({_NEXT})"), condition=condition
    )
    # The id of an import is in the order of time, as those of contacts are.
    return await connection.fetchrow(sql, owner_id, after, id, _PAGE, *selection.arguments)
