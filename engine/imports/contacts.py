"""Adds the rows of a list of contacts that has been read: a thousand in each transaction.

The import's own row has the line after which it goes on, written in the transaction of the contacts. So a worker that
takes over adds every row once; and adding a row again changes nothing, since its contact is found.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import orjson

from core.errors import AppError, BadRequest
from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.contacts import upsert
from engine.contacts.field_values import FieldType, Types, from_text
from engine.contacts.matching import Address, NewContact, Person, counts
from engine.imports.reader import Failed
from shapes.consents import ConsentAction, ConsentSource
from shapes.contact_fields import ContactFieldType
from shapes.topic_subscriptions import SubscriptionState

_BATCH = 1000
_BEGIN = """
UPDATE recipient_imports SET contacts = contacts || jsonb_build_object('mapping', $2::text::jsonb) WHERE id = $1
"""
_LINE = """
SELECT COALESCE(contacts_line, 0) AS line, (options -> 'contacts' -> 'subscribe')::text AS subscribe
FROM recipient_imports WHERE id = $1 AND status = 'processing'
"""
_ROWS = """
SELECT line, variables::text AS contact FROM import_rows
WHERE import_id = $1 AND line > $2 AND error_code IS NULL ORDER BY line LIMIT $3
"""
_TOPICS = "SELECT id FROM topics WHERE id = ANY($1) AND owner_id = $2 FOR KEY SHARE"
_REFUSE = """
UPDATE import_rows AS r SET error_code = n.code, error_message = n.message, variables = NULL
FROM unnest($2::int[], $3::text[], $4::text[]) AS n (line, code, message) WHERE r.import_id = $1 AND r.line = n.line
"""
_COUNT = """
UPDATE recipient_imports SET contacts_line = $2, valid = valid - $3, invalid = invalid + $3, updated_at = now(),
  contacts = contacts || jsonb_build_object('created', (contacts ->> 'created')::int + $4::int,
    'changed', (contacts ->> 'changed')::int + $5::int, 'unchanged', (contacts ->> 'unchanged')::int + $6::int,
    'subscribed', COALESCE((contacts ->> 'subscribed')::int, 0) + $7::int)
WHERE id = $1
"""


async def begin(connection: Any, row: Any, head: dict[str, Any]) -> None:
    """Stores which column is what, and adds the fields that the owner does not have, if that was asked for.

    Raises Failed.
    """
    types = await upsert.field_types(connection, row["owner_id"])
    fields = head["mapping"]["fields"]
    unknown = [key for key in fields if key not in types]
    if unknown and not row["options"]["contacts"]["createFields"]:
        raise Failed(f"You have no field {unknown[0]}. Add it, or send createFields: true.", "unknown_field")
    new = {key: FieldType(ContactFieldType(head["types"][key])) for key in unknown}
    try:
        await upsert.add_fields(connection, row["owner_id"], types, new)
    except BadRequest as error:
        raise Failed(error.message, error.code) from error
    await connection.execute(_BEGIN, row["id"], orjson.dumps(head["mapping"]).decode())


async def add_batch(connection: Any, owner_id: UUID, id: UUID) -> bool:
    """Adds the next rows to contacts, in the caller's transaction. Returns whether these were the last ones."""
    progress = await connection.fetchrow(_LINE, id)
    rows = [] if progress is None else await connection.fetch(_ROWS, id, progress["line"], _BATCH)
    if not rows:
        return True
    types = await upsert.field_types(connection, owner_id)
    new = [_new_contact(orjson.loads(row["contact"]), types) for row in rows]
    applied = await upsert.upsert(connection, owner_id, new)
    contacts = [each.person for each in applied if each.person is not None]
    subscribed = await _subscribe(
        connection, owner_id, orjson.loads(progress["subscribe"] or "null"), contacts
    )
    refused = [
        (row["line"], each.error) for row, each in zip(rows, applied, strict=True) if each.error is not None
    ]
    if refused:
        await _refuse(connection, id, refused)
    await connection.execute(_COUNT, id, rows[-1]["line"], len(refused), *counts(applied), subscribed)
    return len(rows) < _BATCH


async def _subscribe(connection: Any, owner_id: UUID, subscribe: Any, contacts: Sequence[Person]) -> int:
    """Subscribes contacts to the topics of a list. Returns how many subscriptions have become active.

    A withdrawal stands, whatever a list says. A topic that was deleted meanwhile is left out.
    """
    if subscribe is None:
        return 0
    channel, ids = subscribe["channel"], [UUID(id) for id in subscribe["topicUuids"]]
    topics = [row["id"] for row in await connection.fetch(_TOPICS, ids, owner_id)]
    desired = [
        DesiredState(contact.id, topic, channel, SubscriptionState.active)
        for contact in contacts
        if any(address.channel == channel for address in contact.addresses.values())
        for topic in topics
    ]
    proof = Proof(
        ConsentSource.import_,
        ConsentAction.recorded,
        evidence=subscribe["evidence"],
        actor_id=UUID(subscribe["actorId"]),
    )
    return sum(row["changed"] for row in await changes.apply(connection, owner_id, desired, proof))


async def _refuse(connection: Any, id: UUID, refused: list[tuple[int, Any]]) -> None:
    errors: list[AppError] = [error for _, error in refused]
    await connection.execute(
        _REFUSE,
        id,
        [line for line, _ in refused],
        [error.code for error in errors],
        [error.message for error in errors],
    )


def _new_contact(row: dict[str, Any], types: Types) -> NewContact:
    """Returns a row as the engine takes it. Texts of cells become values of the types that the fields have."""
    fields = {
        key: from_text(value, of) if isinstance(value, str) and (of := types.get(key)) else value
        for key, value in row.get("fields", {}).items()
    }
    addresses = [Address(each["channel"], each["address"]) for each in row.get("addresses", ())]
    return NewContact(
        row.get("externalId"), row.get("name"), row.get("locale"), row.get("timezone"), fields, addresses
    )
