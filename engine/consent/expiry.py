"""Reminds people once who have not confirmed, and forgets those who still do not."""

from datetime import timedelta
from typing import Final
from uuid import UUID

import asyncpg
import structlog

from core.errors import AppError
from engine.consent import opt_ins
from engine.consent.changes import EMIT
from engine.jobs import every
from engine.persons import former_contacts
from runtime.services import Services

log = structlog.get_logger("postern.engine")

REMINDED: Final = timedelta(days=3)
"""The time after which a person is reminded."""

_MOST = 200  # of one round
_REMIND = """
UPDATE opt_ins AS o SET reminded_at = now()
FROM (
  SELECT n.id FROM opt_ins AS n WHERE created_at < now() - $1::interval AND created_at > now() - $2::interval
    AND confirmed_at IS NULL AND reminded_at IS NULL
    AND EXISTS (SELECT FROM users AS u WHERE u.id = n.owner_id AND u.status = 'active')
  ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
) AS due WHERE o.id = due.id
RETURNING o.id, o.owner_id, o.contact_id, o.channel, o.text_id, o.from_address, o.address,
  ARRAY(SELECT s.topic_id FROM topic_subscriptions AS s WHERE s.contact_id = o.contact_id AND s.channel = o.channel
    AND s.topic_id = ANY(o.topic_ids) AND s.state = 'pending' AND NOT EXISTS (
      SELECT FROM opt_ins AS newer WHERE newer.contact_id = o.contact_id AND newer.channel = o.channel
        AND s.topic_id = ANY(newer.topic_ids) AND newer.id > o.id)) AS topics
"""
# A subscription that another request of the last days asks for stays pending. One that was withdrawn before is so
# again.
_FORGET = f"""
WITH old AS (
  DELETE FROM opt_ins WHERE id IN (
    SELECT id FROM opt_ins WHERE created_at < now() - $1::interval ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING *
), over AS MATERIALIZED (
  SELECT DISTINCT s.* FROM old AS o JOIN topic_subscriptions AS s
    ON s.contact_id = o.contact_id AND s.topic_id = ANY(o.topic_ids) AND s.channel = o.channel
  WHERE o.confirmed_at IS NULL AND s.state = 'pending' AND NOT EXISTS (
    SELECT FROM opt_ins AS n WHERE n.contact_id = o.contact_id AND n.channel = o.channel
      AND s.topic_id = ANY(n.topic_ids) AND n.created_at >= now() - $1::interval)
), back AS (
  UPDATE topic_subscriptions AS s SET state = 'withdrawn', changed_at = now() FROM over
  WHERE s.id = over.id AND s.state = 'pending' AND s.withdrawn_at IS NOT NULL RETURNING s.*
), gone AS (
  DELETE FROM topic_subscriptions AS s USING over
  WHERE s.id = over.id AND s.state = 'pending' AND s.withdrawn_at IS NULL RETURNING s.*
), ended AS (
  SELECT * FROM back UNION ALL SELECT * FROM gone
), entries AS (
  INSERT INTO consent_entries (id, owner_id, contact_id, topic_id, channel, action, source)
  SELECT postern_uuid7(), owner_id, contact_id, topic_id, channel, 'expired', 'service' FROM ended
), told AS ({EMIT.format(type="'expired'", state="'withdrawn'", at="now()", rows="ended")})
SELECT DISTINCT contact_id FROM old WHERE new_contact AND confirmed_at IS NULL
"""  # noqa: S608  our own expressions
# A contact that a request has added, and that was not changed since, is deleted with it.
_FORGET_CONTACTS = """
WITH gone AS (
  DELETE FROM contacts AS c WHERE id = ANY($1) AND updated_at = created_at
    AND NOT EXISTS (SELECT FROM topic_subscriptions WHERE contact_id = c.id)
    AND NOT EXISTS (SELECT FROM opt_ins WHERE contact_id = c.id)
  RETURNING id, owner_id, ARRAY(SELECT address FROM contact_addresses WHERE contact_id = c.id) AS addresses
), told AS (
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
  SELECT owner_id, 'contact.deleted', 'contact', id,
    jsonb_build_object('uuid', id, 'externalId', NULL, 'mergedIntoUuid', NULL)
  FROM gone WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = gone.owner_id AND f.recording)
)
SELECT id, owner_id, addresses FROM gone
"""
_DUE = """
EXISTS (SELECT FROM opt_ins WHERE created_at < now() - interval '3 days' AND confirmed_at IS NULL
  AND reminded_at IS NULL) OR EXISTS (SELECT FROM opt_ins WHERE created_at < now() - interval '7 days')
"""


@every(10, due=_DUE)
async def remind_and_forget(services: Services) -> None:
    """Does both, for at most 200 requests each."""
    await remind(services)
    await forget(services)


async def remind(services: Services) -> None:
    """Sends the message again to those who have not confirmed. Each request is reminded once, whatever becomes of it:
    its owner pays for the message, and may have no money left.
    """
    for _ in range(_MOST):
        if services.stopping.is_set() or not await _remind_next(services):
            return


async def _remind_next(services: Services) -> bool:
    """Reminds the contact that has waited longest, in a transaction that locks one account. Returns False if none is
    left.
    """
    async with services.db.transaction() as db:
        row = await db.fetchrow(_REMIND, REMINDED, opt_ins.VALID)
        if row is None:
            return False
        try:
            async with db.transaction():
                if row["topics"]:
                    await opt_ins.remind(services, db, row)
        except (AppError, asyncpg.LockNotAvailableError) as error:
            log.warning("nobody was reminded to confirm", owner_id=str(row["owner_id"]), error=error)
    return True


async def forget(services: Services) -> None:
    """Deletes requests whose time is over, their subscriptions, and the contacts that they have added."""
    async with services.db.transaction() as db:
        added = await db.fetch(_FORGET, opt_ins.VALID, _MOST)
        gone: dict[UUID, list[tuple[UUID, list[str]]]] = {}
        for row in await db.fetch(_FORGET_CONTACTS, [row["contact_id"] for row in added]):
            gone.setdefault(row["owner_id"], []).append((row["id"], row["addresses"]))
        for owner_id, contacts in gone.items():
            await former_contacts.remember(services, db, owner_id, contacts)
