"""Adds the rows of a list of contacts that has been read: a thousand in each transaction.

The import's own row has the line after which it goes on, written in the transaction of the contacts. So a worker that
takes over adds every row once; and adding a row again changes nothing, since its contact is found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from core.errors import AppError, BadRequest
from engine import blocks
from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.contacts import upsert
from engine.contacts.field_values import FieldType, Types, from_cell
from engine.contacts.matching import Address, NewContact, Person, counts
from engine.imports.reader import Failed
from shapes.blocks import BlockReason, BlockScope
from shapes.consents import ConsentAction, ConsentSource
from shapes.contact_fields import ContactFieldType
from shapes.contact_imports import ContactStatus
from shapes.sending_projects import ProjectChannel
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
    'subscribed', COALESCE((contacts ->> 'subscribed')::int, 0) + $7::int,
    'subscribedBefore', COALESCE((contacts ->> 'subscribedBefore')::int, 0) + $8::int,
    'withdrawnBefore', COALESCE((contacts ->> 'withdrawnBefore')::int, 0) + $9::int,
    'suppressed', COALESCE((contacts ->> 'suppressed')::int, 0) + $10::int)
WHERE id = $1
"""


_STATES: dict[ContactStatus, SubscriptionState | None] = {
    ContactStatus.active: SubscriptionState.active,
    ContactStatus.pending: None,
    ContactStatus.withdrawn: SubscriptionState.withdrawn,
    ContactStatus.blocked: SubscriptionState.withdrawn,
    ContactStatus.bounced: None,
    ContactStatus.complained: SubscriptionState.withdrawn,
}
_BLOCKS = (
    ((ContactStatus.withdrawn, ContactStatus.blocked), BlockReason.unsubscribed, BlockScope.promotional),
    ((ContactStatus.bounced,), BlockReason.hardBounce, BlockScope.all),
    ((ContactStatus.complained,), BlockReason.complaint, BlockScope.all),
)


class Numbers(NamedTuple):
    """The numbers of subscriptions: those that have become active, were before, and are withdrawn and stay so."""

    subscribed: int
    before: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class _Added:
    """A row that was added to contacts."""

    person: Person
    addresses: Sequence[Address]  # those of the row
    status: ContactStatus
    consent: Mapping[str, Any]  # what the row says of it: `agreed`, `at`, `ip`, `form`

    @property
    def state(self) -> SubscriptionState | None:
        """The state of the person's subscriptions; None: the row says nothing that changes them."""
        state = _STATES[self.status]
        has_refused = state is SubscriptionState.active and not self.consent.get("agreed", True)
        return None if has_refused else state


async def begin(connection: Any, row: Any, head: dict[str, Any]) -> None:
    """Stores the meaning of each column, and adds the fields that the owner does not have, if that was asked for.

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
    parsed = [orjson.loads(row["contact"]) for row in rows]
    new = [_new_contact(row, types) for row in parsed]
    applied = await upsert.upsert(connection, owner_id, new)
    contacts = [
        _Added(
            each.person,
            contact.addresses,
            ContactStatus(row.get("status", ContactStatus.active)),
            row.get("consent", {}),
        )
        for each, contact, row in zip(applied, new, parsed, strict=True)
        if each.person is not None
    ]
    subscribe = orjson.loads(progress["subscribe"] or "null")
    subscribed = await _subscribe(connection, owner_id, subscribe, contacts)
    suppressed = await _suppress(connection, owner_id, contacts, withdrawn=subscribe is None)
    refused = [
        (row["line"], each.error) for row, each in zip(rows, applied, strict=True) if each.error is not None
    ]
    if refused:
        await _refuse(connection, id, refused)
    await connection.execute(
        _COUNT, id, rows[-1]["line"], len(refused), *counts(applied), *subscribed, suppressed
    )
    return len(rows) < _BATCH


async def _subscribe(connection: Any, owner_id: UUID, subscribe: Any, contacts: Sequence[_Added]) -> Numbers:
    """Subscribes contacts to the topics of a list, and withdraws those who have left. Returns the numbers of the
    subscriptions that were to become active.

    A withdrawal stands, whatever a list says. A topic that was deleted meanwhile is left out.
    """
    if subscribe is None:
        return Numbers(0, 0, 0)
    channel, topics = subscribe["channel"], await topics_of(connection, owner_id, subscribe)
    desired = [
        _desired(contact, topic, channel, state, subscribe["evidence"])
        for contact in contacts
        if (state := contact.state) is not None
        if any(address.channel == channel for address in contact.person.addresses.values())
        for topic in topics
    ]
    proof = Proof(
        ConsentSource.import_,
        ConsentAction.recorded,
        evidence=subscribe["evidence"],
        actor_id=UUID(subscribe["actorId"]),
    )
    return numbers_of(await changes.apply(connection, owner_id, desired, proof))


async def topics_of(connection: Any, owner_id: UUID, subscribe: Any) -> list[UUID]:
    """Returns the topics of a subscription that the owner still has, locked against being deleted."""
    ids = [UUID(id) for id in subscribe["topicUuids"]]
    return [row["id"] for row in await connection.fetch(_TOPICS, ids, owner_id)]


def numbers_of(rows: Sequence[Any]) -> Numbers:
    """Returns the numbers of the subscriptions that were to become active, of what `changes.apply` returned."""
    active = [row for row in rows if row["state"] == SubscriptionState.active]
    subscribed = sum(row["changed"] for row in active)
    withdrawn = sum(not row["changed"] and row["withdrawn_at"] is not None for row in active)
    return Numbers(subscribed, len(active) - subscribed - withdrawn, withdrawn)


def _desired(
    contact: _Added, topic: UUID, channel: str, state: SubscriptionState, evidence: str
) -> DesiredState:
    """Returns the subscription of a row, with what the row proves of it."""
    if state is not SubscriptionState.active:
        return DesiredState(contact.person.id, topic, channel, state)
    at, form = contact.consent.get("at"), contact.consent.get("form")
    return DesiredState(
        contact.person.id,
        topic,
        channel,
        state,
        evidence=f"{form}; {evidence}" if form else None,
        ip=contact.consent.get("ip"),
        agreed_at=datetime.fromisoformat(at) if at else None,
    )


async def _suppress(connection: Any, owner_id: UUID, contacts: Sequence[_Added], *, withdrawn: bool) -> int:
    """Blocks the addresses of rows by their status; with `withdrawn` also those of people who have unsubscribed, since
    there is no topic that they are withdrawn from. Returns how many contacts have left, bounce or complained.
    """
    for statuses, reason, scope in _BLOCKS:
        addresses = [
            (owner_id, address.address, reason)
            for contact in contacts
            if contact.status in statuses and (withdrawn or contact.status is not ContactStatus.withdrawn)
            for address in contact.addresses
            if reason is BlockReason.unsubscribed or address.channel == ProjectChannel.email
        ]
        if addresses:
            await blocks.block_each(connection, addresses, scope)
    return sum(contact.status not in (ContactStatus.active, ContactStatus.pending) for contact in contacts)


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
    fields = {key: from_cell(value, types.get(key)) for key, value in row.get("fields", {}).items()}
    addresses = [Address(each["channel"], each["address"]) for each in row.get("addresses", ())]
    return NewContact(
        row.get("externalId"), row.get("name"), row.get("locale"), row.get("timezone"), fields, addresses
    )
