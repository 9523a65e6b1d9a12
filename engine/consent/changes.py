"""Changes of subscriptions, each with its entry and its event, in one statement."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from core.ids import uuid7
from engine.series import merging
from shapes.consents import ConsentAction, ConsentSource
from shapes.topic_subscriptions import SubscriptionState

EMIT = """
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
  SELECT owner_id, 'subscription.' || {type}, 'topicSubscription', id,
    jsonb_build_object('uuid', id, 'contactUuid', contact_id, 'topicUuid', topic_id, 'channel', channel,
      'state', {state}, 'changedAt', postern_utc({at}), 'createdAt', postern_utc(created_at))
  FROM {rows} AS t WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = t.owner_id AND f.recording)
"""
"""The statement that tells feeds and webhooks of rows of `topic_subscriptions`; each part is an SQL expression."""

_TYPE = "CASE state WHEN 'active' THEN 'confirmed' ELSE state END"
# A withdrawal is taken back only with `revives` ($7): by the person, or by evidence. A contact whose subscription is
# active is not asked again. Rows are locked in one order, so that two writers do not wait crosswise.
_APPLY = f"""
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $15::text[], $16::text[],
      $17::timestamptz[])
    AS w (id, contact_id, topic_id, channel, state, evidence, ip, agreed_at)
), changed AS (
  INSERT INTO topic_subscriptions AS s (id, owner_id, contact_id, topic_id, channel, state, withdrawn_at)
  SELECT w.id, $1, w.contact_id, w.topic_id, w.channel, w.state, CASE w.state WHEN 'withdrawn' THEN now() END
  FROM wanted AS w ORDER BY w.contact_id, w.topic_id, w.channel
  ON CONFLICT (contact_id, topic_id, channel) DO UPDATE SET state = excluded.state, changed_at = now(),
    withdrawn_at = CASE excluded.state
      WHEN 'active' THEN NULL WHEN 'withdrawn' THEN now() ELSE s.withdrawn_at END
  WHERE s.state <> excluded.state AND NOT (s.state = 'active' AND excluded.state = 'pending')
    AND ($7 OR s.withdrawn_at IS NULL OR excluded.state = 'withdrawn')
  RETURNING s.*
), entries AS (
  INSERT INTO consent_entries (id, owner_id, contact_id, topic_id, channel, action, source, text_id, evidence, ip,
    user_agent, actor_id, agreed_at)
  SELECT postern_uuid7(), $1, contact_id, topic_id, channel,
    CASE c.state WHEN 'pending' THEN 'asked' WHEN 'withdrawn' THEN 'withdrawn' ELSE $8 END, $9, $10,
    COALESCE(w.evidence, $11), COALESCE(w.ip, $12), $13, $14, w.agreed_at
  FROM changed AS c JOIN wanted AS w USING (contact_id, topic_id, channel)
), told AS ({EMIT.format(type=_TYPE, state="state", at="changed_at", rows="changed")})
SELECT w.contact_id, w.topic_id, w.channel, w.state, c.id IS NOT NULL AS changed, s.withdrawn_at
FROM wanted AS w
LEFT JOIN changed AS c USING (contact_id, topic_id, channel)
LEFT JOIN topic_subscriptions AS s USING (contact_id, topic_id, channel)
"""  # noqa: S608  our own expressions
_TEXT = """
WITH new AS (
  INSERT INTO consent_texts (id, owner_id, sha256, text) VALUES ($1, $2, $3, $4)
  ON CONFLICT (owner_id, sha256) DO NOTHING RETURNING id
)
SELECT id FROM new UNION ALL SELECT id FROM consent_texts WHERE owner_id = $2 AND sha256 = $3 LIMIT 1
"""
_SUBSCRIBED = """
SELECT contact_id, topic_id, channel FROM topic_subscriptions
WHERE contact_id = ANY($1) AND state <> 'withdrawn' AND ($2::uuid[] IS NULL OR topic_id = ANY($2))
  AND ($3::text IS NULL OR channel = $3)
"""
_STRICTEST_FIRST = (SubscriptionState.withdrawn, SubscriptionState.active, SubscriptionState.pending)
_OF_CONTACTS = """
SELECT contact_id, topic_id, channel, state, withdrawn_at FROM topic_subscriptions WHERE contact_id = ANY($1)
ORDER BY contact_id, topic_id, channel FOR UPDATE
"""
_TAKE_ENTRIES = "UPDATE consent_entries SET contact_id = $2 WHERE contact_id = $1"
_TAKE_REQUESTS = "UPDATE self_service_requests SET contact_id = $2 WHERE contact_id = $1"
_TAKE_OPT_INS = "UPDATE opt_ins SET contact_id = $2 WHERE contact_id = $1"


@dataclass(frozen=True, slots=True)
class Proof:
    """The circumstances of a change, which become part of its entry."""

    source: ConsentSource
    action: ConsentAction = ConsentAction.confirmed  # of a subscription that becomes active
    revives: bool = False  # whether it takes a withdrawal back
    text_id: UUID | None = None
    evidence: str | None = None
    ip: str | None = None
    user_agent: str | None = None
    actor_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class DesiredState:
    """A subscription as it is to be."""

    contact_id: UUID
    topic_id: UUID
    channel: str
    state: SubscriptionState
    # What proves this one, in place of what the change proves of all.
    evidence: str | None = None
    ip: str | None = None
    agreed_at: datetime | None = None


async def apply(connection: Any, owner_id: UUID, desired: Iterable[DesiredState], proof: Proof) -> list[Any]:
    """Changes subscriptions of an owner's contacts to an owner's topics, in the caller's transaction.

    Returns a row for each distinct one: contact_id, topic_id, channel, state (the desired one), changed, and
    withdrawn_at, the time of the withdrawal that stood before.
    """
    distinct = {(each.contact_id, each.topic_id, each.channel): each for each in desired}
    if not distinct:
        return []
    rows: list[Any] = await connection.fetch(
        _APPLY,
        owner_id,
        [uuid7() for _ in distinct],
        [each.contact_id for each in distinct.values()],
        [each.topic_id for each in distinct.values()],
        [each.channel for each in distinct.values()],
        [each.state.value for each in distinct.values()],
        proof.revives,
        proof.action.value,
        proof.source.value,
        proof.text_id,
        proof.evidence,
        proof.ip,
        proof.user_agent,
        proof.actor_id,
        [each.evidence for each in distinct.values()],
        [each.ip for each in distinct.values()],
        [each.agreed_at for each in distinct.values()],
    )
    return rows


async def withdraw(
    connection: Any,
    owner_id: UUID,
    contacts: Sequence[UUID],
    topics: Sequence[UUID] | None,
    channel: str | None,
    proof: Proof,
) -> int:
    """Withdraws the subscriptions of these contacts: to these topics, or to all. Returns how many have changed."""
    rows = await connection.fetch(_SUBSCRIBED, contacts, topics, channel)
    desired = [
        DesiredState(row["contact_id"], row["topic_id"], row["channel"], SubscriptionState.withdrawn)
        for row in rows
    ]
    return sum(row["changed"] for row in await apply(connection, owner_id, desired, proof))


async def merge(connection: Any, owner_id: UUID, merged_id: UUID, into_id: UUID, actor_id: UUID) -> None:
    """Gives a contact the subscriptions of another one, which is deleted next, with all that has happened to them.

    Of two wishes about a topic the stricter one holds: a withdrawal, then an active subscription.
    """
    # Series come first: a subscription that becomes active would let the contact enter one anew.
    await merging.merge(connection, merged_id, into_id)
    # Opt-ins come before subscriptions, as they do when one is confirmed.
    await connection.execute(_TAKE_OPT_INS, merged_id, into_id)
    await connection.execute(_TAKE_REQUESTS, merged_id, into_id)
    rows = await connection.fetch(_OF_CONTACTS, [merged_id, into_id])
    wishes: dict[tuple[UUID, str], set[str]] = {}
    for row in rows:
        state = SubscriptionState.withdrawn if row["withdrawn_at"] is not None else row["state"]
        wishes.setdefault((row["topic_id"], row["channel"]), set()).add(state)
    desired = [
        DesiredState(into_id, topic, channel, next(state for state in _STRICTEST_FIRST if state in states))
        for (topic, channel), states in wishes.items()
    ]
    proof = Proof(ConsentSource.merge, ConsentAction.recorded, actor_id=actor_id)
    await apply(connection, owner_id, desired, proof)
    await connection.execute(_TAKE_ENTRIES, merged_id, into_id)


async def text_id(connection: Any, owner_id: UUID, text: str | None) -> UUID | None:
    """Returns the id of a text that a person has seen, which is stored once for each owner; None for no text.

    Another transaction may have just stored the same text, so it is asked for twice.
    """
    if text is None:
        return None
    digest = sha256(text.encode()).digest()
    id: UUID | None = None
    while id is None:
        id = await connection.fetchval(_TEXT, uuid7(), owner_id, digest, text)
    return id
