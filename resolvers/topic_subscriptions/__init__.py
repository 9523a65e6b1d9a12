"""Subscriptions of contacts to topics, and what has happened to them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import literal_column
from sqlalchemy.types import Text

from core.errors import Forbidden, NotFound
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, by_values
from db.query import p
from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.consent.opt_ins import OptInRequest, ask_to_confirm
from resolvers import reach
from runtime.idempotency import stored_shape
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from shapes.consents import ConsentAction, ConsentSource
from shapes.topic_subscriptions import (
    InvalidSubscription,
    SubscribeContacts,
    SubscribedContacts,
    SubscriptionState,
    UnsubscribeContacts,
    UnsubscribedContacts,
)
from shapes.topics import TopicOptIn

_SUBSCRIPTION = models.TopicSubscription
# A plan for any topic would walk along the list for one with few rows: of ten million of an owner it read all.
SUBSCRIPTIONS = Listing(
    _SUBSCRIPTION, by_time=True, ranges=by_values(state=SubscriptionState), planned=("topic_id",)
)
OF_OWNER = _SUBSCRIPTION.owner_id == p("owner_id")
_ENTRY = models.ConsentEntry
_SEEN = literal_column(
    "(SELECT t.text FROM consent_texts AS t WHERE t.id = consent_entries.text_id)", Text
).label("text")
_ENTRIES = Listing(_ENTRY, extra=(_SEEN,), by_time=True, planned=("topic_id",))
_ENTRIES_MINE = _ENTRY.owner_id == p("owner_id")

# Who is subscribed by what: the topics, and the contacts with the address that the channel takes. Contacts are locked
# against being deleted or merged meanwhile.
_TOPICS = "SELECT id, opt_in FROM topics WHERE id = ANY($1) AND owner_id = $2"
_CONTACTS = """
SELECT c.id, EXISTS (SELECT FROM contact_addresses WHERE contact_id = c.id AND channel = $3) AS reached
FROM contacts AS c WHERE c.id = ANY($1) AND c.owner_id = $2 ORDER BY c.id FOR KEY SHARE OF c
"""


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.TopicSubscription]:
    """Lists the subscriptions of your contacts, newest first; administrators get those of all users."""
    return await SUBSCRIPTIONS.page(op.db, page_args, where, *op.own(OF_OWNER), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.TopicSubscription:
    """Returns one subscription. Raises NotFound."""
    (row,) = await SUBSCRIPTIONS.by_ids(op.db, [id], None, *op.own(OF_OWNER), owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no subscription with this id among yours. Check the id.", code="subscription_not_found"
        )
    return row


@operation(Permission.contacts_read, "read")
async def of_contacts(
    op: Op, contacts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.TopicSubscription]]:
    """Returns one page of subscriptions for each contact."""
    return await SUBSCRIPTIONS.pages(
        op.db, _SUBSCRIPTION.contact_id, contacts, page_args, where, *op.own(OF_OWNER), owner_id=op.viewer.id
    )


@operation(Permission.contacts_read, "read")
async def of_topics(
    op: Op, topics: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.TopicSubscription]]:
    """Returns one page of subscriptions for each topic."""
    return await SUBSCRIPTIONS.pages(
        op.db, _SUBSCRIPTION.topic_id, topics, page_args, where, *op.own(OF_OWNER), owner_id=op.viewer.id
    )


@operation(Permission.contacts_read, "read")
async def entries(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.ConsentEntry]:
    """Lists what has happened to subscriptions, newest first; administrators get that of all users."""
    return await _ENTRIES.page(op.db, page_args, where, *op.own(_ENTRIES_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def entry(op: Op, id: UUID) -> models.ConsentEntry:
    """Returns one entry of what has happened to a subscription. Raises NotFound."""
    (row,) = await _ENTRIES.by_ids(op.db, [id], None, *op.own(_ENTRIES_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound("There is no entry with this id among yours. Check the id.", code="consent_not_found")
    return row


@operation(Permission.contacts_read, "read")
async def entries_of(
    op: Op, contacts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.ConsentEntry]]:
    """Returns one page of what has happened to the subscriptions of each contact."""
    return await _ENTRIES.pages(
        op.db, _ENTRY.contact_id, contacts, page_args, where, *op.own(_ENTRIES_MINE), owner_id=op.viewer.id
    )


@operation(Permission.contacts_write, "sql", idempotent=stored_shape(SubscribedContacts))
async def subscribe(op: Op, input: SubscribeContacts) -> SubscribedContacts:
    """Subscribes contacts to topics. Topics with a double opt-in ask each contact in one message to confirm, unless you
    send evidence of the consent. Repeating it changes nothing. Raises NotFound (`topic_not_found`), PaymentRequired,
    Forbidden, BadRequest and Conflict for the messages that ask.
    """
    db, owner = op.connection, op.viewer.id
    topics = await require_topics(op, input.topic_uuids)
    contacts, invalid = await _own_contacts(op, input.contact_uuids, input.channel.value)
    proof = Proof(
        ConsentSource.api,
        ConsentAction.recorded,
        revives=input.evidence is not None and not input.keep_withdrawn,
        text_id=await changes.text_id(db, owner, input.text),
        evidence=input.evidence,
        actor_id=op.viewer.actor_id,
    )
    asked = {id for id, opt_in in topics.items() if opt_in == TopicOptIn.double and input.evidence is None}
    desired = [
        DesiredState(
            contact,
            topic,
            input.channel.value,
            SubscriptionState.pending if topic in asked else SubscriptionState.active,
        )
        for contact in contacts
        for topic in topics
    ]
    rows = await changes.apply(db, owner, desired, proof)
    pending: dict[UUID, list[UUID]] = {}
    withdrawn: dict[UUID, None] = {}
    for row in rows:
        if row["changed"] and row["state"] == SubscriptionState.pending:
            pending.setdefault(row["contact_id"], []).append(row["topic_id"])
        elif not row["changed"] and row["withdrawn_at"] is not None:
            withdrawn[row["contact_id"]] = None
    if pending:
        _require_paying(op)
        await reach.require_contacts(op, [*pending], input.channel.value)
    request = OptInRequest(text_id=proof.text_id)
    blocked = await ask_to_confirm(op.services, db, owner, input.channel, pending, request)
    active = sum(row["changed"] and row["state"] == SubscriptionState.active for row in rows)
    waiting = sum(map(len, pending.values()))
    refused = sum(not row["changed"] and row["withdrawn_at"] is not None for row in rows)
    return SubscribedContacts(
        active=active,
        pending=waiting,
        unchanged=len(rows) - active - waiting - refused,
        invalid=[*invalid, *map(_withdrawn, withdrawn), *map(_blocked, blocked)],
    )


@operation(Permission.contacts_write, "sql")
async def unsubscribe(op: Op, input: UnsubscribeContacts) -> UnsubscribedContacts:
    """Withdraws subscriptions of contacts. Topics and a channel that you name are refused from then on, also by
    contacts that never were subscribed.

    No contact is subscribed later without evidence to the topics and the channel that were named. Repeating it changes
    nothing. Raises NotFound (`topic_not_found`).
    """
    topics = await require_topics(op, input.topic_uuids)
    contacts, invalid = await _own_contacts(op, input.contact_uuids, None)
    proof = Proof(ConsentSource.api, evidence=input.reason, actor_id=op.viewer.actor_id)
    if topics and input.channel is not None:
        desired = [
            DesiredState(contact, topic, input.channel.value, SubscriptionState.withdrawn)
            for contact in contacts
            for topic in topics
        ]
        rows = await changes.apply(op.connection, op.viewer.id, desired, proof)
        withdrawn = sum(row["changed"] for row in rows)
    else:
        channel = input.channel.value if input.channel else None
        withdrawn = await changes.withdraw(
            op.connection, op.viewer.id, contacts, [*topics] or None, channel, proof
        )
    return UnsubscribedContacts(withdrawn=withdrawn, invalid=invalid)


def _require_paying(op: Op) -> None:
    """Raises Forbidden unless the caller may send messages, which those that ask are."""
    require(op.viewer, Permission.messages_send)
    if op.viewer.payments is not None:
        raise Forbidden(
            "This API token is limited in what it may charge, and the messages that ask for a confirmation are"
            " charged to your oldest account. Send `evidence`, or use another token.",
            code="token_account",
        )


async def require_topics(op: Op, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Returns what makes a subscription to each topic of the caller's active. Raises NotFound."""
    rows = await op.reads.fetch(_TOPICS, ids, op.viewer.id)
    topics = {row["id"]: row["opt_in"] for row in rows}
    for id in ids:
        if id not in topics:
            raise NotFound(
                f"There is no topic with the uuid {id} among yours. Check the uuid.", code="topic_not_found"
            )
    return topics


async def _own_contacts(
    op: Op, ids: Sequence[UUID], channel: str | None
) -> tuple[list[UUID], list[InvalidSubscription]]:
    """Returns those of the contacts that the caller has and the channel reaches, and why the others are left out."""
    rows: Any = await op.connection.fetch(_CONTACTS, ids, op.viewer.id, channel)
    reached = {row["id"]: row["reached"] or channel is None for row in rows}
    invalid = []
    for id in dict.fromkeys(ids):
        if id not in reached:
            message = "There is no contact with this uuid among yours. Check the uuid."
            invalid.append(InvalidSubscription(contact_uuid=id, code="contact_not_found", message=message))
        elif not reached[id]:
            message = f"The contact has no address for {channel}. Add one first."
            invalid.append(InvalidSubscription(contact_uuid=id, code="no_address", message=message))
    return [id for id, is_reached in reached.items() if is_reached], invalid


def _withdrawn(contact: UUID) -> InvalidSubscription:
    return InvalidSubscription(
        contact_uuid=contact,
        code="withdrawn",
        message="The person has withdrawn a subscription that you ask for. Send `evidence` of a new consent.",
    )


def _blocked(contact: UUID) -> InvalidSubscription:
    return InvalidSubscription(
        contact_uuid=contact,
        code="recipient_blocked",
        message="The address is blocked, so the person was not asked. Unblock it if the person agrees.",
    )
