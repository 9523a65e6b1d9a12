"""The job that erases a person; `__init__.py` has its way."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import structlog

from core import change_events
from engine.faultpoints import fault_point
from engine.jobs import JobName
from engine.jobs.fair_queue import fairly
from engine.messengers.attempts import STALE
from engine.persons import lists
from engine.persons.finding import PersonalDatum, person_of
from engine.persons.registry import BY_STEP, Person, Rows
from engine.reconciliations import erasing as reconciliations
from engine.reports.refunds import Owed, refund
from runtime.leases import JobLease
from runtime.services import Services

log = structlog.get_logger("postern.persons")

_PAUSE: Final = timedelta(seconds=1)
_WAITING = "SELECT owner_id, id FROM erasures WHERE state = 'running'"
_READ = """
SELECT id, owner_id, contact_id, step, began_xid FROM erasures WHERE id = $1 AND state = 'running'
"""
_MARKS = "SELECT kind, address, address_hash FROM erasure_addresses WHERE erasure_id = $1"
_IS_OLDEST = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1"
_WAIT = "UPDATE erasures SET state_reason = $2, updated_at = now() WHERE id = $1"
# Queued again after a hand-over, it may have arrived: such a message is unknown, and stays paid.
_CANCEL_DIRECT = """
UPDATE messages AS m SET state = CASE WHEN handed_at IS NULL THEN 'canceled' ELSE 'unknown' END, claim_id = NULL,
  failure_code = 'person_erased', failure_reason = 'The recipient is being erased.', updated_at = now()
WHERE id IN (
  SELECT t.id FROM messages AS t WHERE t.owner_id = $1 AND COALESCE(t.address_key, t."to") = ANY($2)
    AND t.state = 'queued' AND t.step IS DISTINCT FROM 0 ORDER BY t.id LIMIT 1000 FOR UPDATE
) RETURNING id, account_id, price, state
"""
# A chain to the person ends: no further step begins. The stepper makes its head show that its steps are canceled.
_END_CHAINS = """
WITH ended AS (
  UPDATE message_chains SET settled_at = now(), due_at = NULL
  WHERE owner_id = $1 AND settled_at IS NULL AND (steps::text ILIKE ANY($2) OR id IN (
    SELECT t.chain_id FROM messages AS t
    WHERE t.owner_id = $1 AND COALESCE(t.address_key, t."to") = ANY($3) AND t.chain_id IS NOT NULL
  )) RETURNING id
)
INSERT INTO chain_signals (chain_id) SELECT id FROM ended
"""
_CANCEL_RECORDS = """
UPDATE message_records AS m SET status = CASE WHEN handed_at IS NULL THEN 'canceled' ELSE 'unknown' END,
  failure_code = 'person_erased', failure_reason = 'The recipient is being erased.', price = CASE
    WHEN handed_at IS NULL THEN 0 ELSE m.price END, refunded = CASE
    WHEN handed_at IS NULL AND m.price > 0 THEN m.price ELSE m.refunded END
FROM (
  SELECT t.id, t.price, p.account_id FROM message_records AS t JOIN sending_projects AS p ON p.id = t.project_id
  WHERE COALESCE(t.address_key, t."to") = ANY($2) AND t.owner_id = $1 AND t.status = 'queued'
  ORDER BY t.id LIMIT 1000 FOR UPDATE OF t
) AS was WHERE m.id = was.id RETURNING m.id, m.project_id, was.account_id, was.price, m.status
"""
_IN_FLIGHT = """
SELECT EXISTS (SELECT FROM messages AS t WHERE t.owner_id = $1 AND COALESCE(t.address_key, t."to") = ANY($2)
    AND t.state IN ('queued', 'sending'))
  OR EXISTS (SELECT FROM message_records AS t WHERE COALESCE(t.address_key, t."to") = ANY($2) AND t.owner_id = $1
    AND t.status IN ('queued', 'sending'))
  OR EXISTS (SELECT FROM messenger_messages AS t JOIN messenger_accounts AS a ON a.id = t.account_id
    WHERE t.outgoing AND t.status = 'pending' AND t.failure_code IS NULL AND t.asked_at > now() - $3::interval
      AND a.owner_id = $1 AND (t.thread = ANY($2) OR t.recipient = ANY($2) OR lower(t.recipient) = ANY($2)))
"""
# Attachments are stored as they were written: with capitals, or as urn:uuid:….
_ATTACHED = """
UPDATE erasures SET file_ids = ARRAY(SELECT DISTINCT f FROM unnest(file_ids || ARRAY(
  SELECT translate(replace(replace(lower(a.value), 'urn:', ''), 'uuid:', ''), '{}', '')::uuid FROM messages AS t,
    jsonb_array_elements_text(t.metadata -> 'attachmentUuids') AS a
  WHERE t.owner_id = $2 AND COALESCE(t.address_key, t."to") = ANY($3) AND t.channel = 'email'
    AND jsonb_typeof(t.metadata -> 'attachmentUuids') = 'array'
)) AS f) WHERE id = $1
"""
_MOVED = """
UPDATE erasures SET updated_at = now(), step = CASE WHEN $3 THEN $2 ELSE step END,
  counts = counts || jsonb_build_object($2::text, COALESCE((counts ->> $2)::int, 0) + $4::int) WHERE id = $1
"""
_NEXT_ROUND = "UPDATE erasures SET step = '', round = round + 1, updated_at = now() WHERE id = $1"
# A block that was erased before is widened, and the new one goes; each other one becomes the hash of its address.
_BLOCKS: Final = (
    """
UPDATE blocked_phones AS b SET scope = 'all' FROM erasure_addresses AS e, blocked_phones AS n
WHERE e.erasure_id = $1 AND b.owner_id = e.owner_id AND COALESCE(b.address_key, b.phone) = e.address_hash
  AND n.owner_id = e.owner_id
  AND COALESCE(n.address_key, n.phone) = COALESCE(e.address_key, e.address) AND n.scope = 'all' AND b.scope <> 'all'
""",
    """
DELETE FROM blocked_phones AS n USING erasure_addresses AS e, blocked_phones AS b
WHERE e.erasure_id = $1 AND b.owner_id = e.owner_id AND COALESCE(b.address_key, b.phone) = e.address_hash
  AND n.owner_id = e.owner_id
  AND COALESCE(n.address_key, n.phone) = COALESCE(e.address_key, e.address) AND n.id <> b.id
""",
    """
UPDATE blocked_phones AS n SET phone = e.address_hash, address_key = NULL FROM (
  SELECT DISTINCT owner_id, COALESCE(address_key, address) AS key, address_hash FROM erasure_addresses
  WHERE erasure_id = $1 AND address_hash IS NOT NULL
) AS e WHERE n.owner_id = e.owner_id AND COALESCE(n.address_key, n.phone) = e.key
""",
)
_WAIT_FOR_BLOCKS = "SELECT postern_lock_blocks($1, '{}')"  # a writer of thousands of the owner's
# A page may have to look at all events of an owner, or at all rows of a list of ten million.
_LONG = "SET LOCAL statement_timeout = '30min'"
_FORGET = "DELETE FROM erasure_addresses WHERE erasure_id = $1"
_FINISH = """
UPDATE erasures SET state = 'done', state_reason = NULL, finished_at = now(), updated_at = now(), file_ids = '{}'
WHERE id = $1 AND state = 'running' RETURNING owner_id, contact_id
"""
_EVENT = """
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
SELECT $1::uuid, 'contact.erased', 'contact', $2::uuid, jsonb_build_object('uuid', $2::uuid)
WHERE EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = $1 AND f.recording)
"""


class _Waits(Exception):
    """Something has to end before the erasure goes on."""


@fairly(JobName.erase_person, "jobs", waiting=_WAITING, share=1)
async def erase(services: Services, id: UUID, lease: JobLease) -> None:
    """Erases a person from where an earlier worker has left off."""
    row = await services.db.fetchrow(_READ, id)
    if row is None:
        return
    marks = await services.db.fetch(_MARKS, id)
    every = [PersonalDatum(each["kind"], each["address"]) for each in marks]
    hashes = [each["address_hash"] for each in marks]
    person = person_of(row["owner_id"], row["contact_id"], every, hashes)
    try:
        if await _erase(services, lease, row, person):
            await _finish(services, id)
    except _Waits as reason:
        async with services.db.reading() as db:
            await db.execute(_WAIT, id, str(reason))
        lease.pause = _PAUSE
    except Exception as error:
        # The job is tried again. The erasure shows why it takes so long.
        async with services.db.reading() as db:
            await db.execute(_WAIT, id, f"It failed and is tried again: {type(error).__name__}.")
        raise


async def _stop_sending(services: Services, row: Any, person: Person) -> int:
    """Cancels queued messages. Returns how many messages that were. Raises _Waits while something is in flight, or
    older transactions may queue more.
    """
    canceled = await _cancel(services, person)
    fault_point("erasure.canceled")
    if not await services.db.fetchval(_IS_OLDEST, row["began_xid"]):
        raise _Waits("Transactions that began before it have not ended.")
    canceled += await _cancel(services, person)
    if await services.db.fetchval(_IN_FLIGHT, person.owner_id, person.keys, STALE):
        raise _Waits("Messages to the person are in flight.")
    return canceled


async def _cancel(services: Services, person: Person) -> int:
    canceled = 0
    async with services.db.transaction() as db:
        await db.execute(
            _END_CHAINS, person.owner_id, person.patterns, person.keys
        )  # reads all chains of the owner
    while True:
        async with services.db.transaction() as db:
            direct = await db.fetch(_CANCEL_DIRECT, person.owner_id, person.keys)
            records = await db.fetch(_CANCEL_RECORDS, person.owner_id, person.keys)
            owed = [
                Owed(r["account_id"], r["price"], message_id=r["id"])
                for r in direct
                if r["state"] == "canceled"
            ]
            owed += [
                Owed(r["account_id"], r["price"], project_id=r["project_id"])
                for r in records
                if r["status"] == "canceled"
            ]
            await refund(db, owed)
        for project in {r["project_id"] for r in records}:
            change_events.project(person.owner_id, project)
        if not direct and not records:
            return canceled
        canceled += len(direct) + len(records)


async def _erase(services: Services, lease: JobLease, row: Any, person: Person) -> bool:
    """Goes through the registry until a round finds nothing. Returns False if this worker must stop."""
    id, step = row["id"], row["step"]
    async with services.db.reading() as db:
        await db.execute(_WAIT, id, None)
    while True:
        # A project whose recipients are being made into messages may have queued some since the last round.
        erased, steps = await _stop_sending(services, row, person), [*BY_STEP]
        for name in steps[steps.index(step) + 1 if step in BY_STEP else 0 :]:
            erased += (count := await _step(services, lease, id, BY_STEP[name], person))
            if services.stopping.is_set() or not lease.valid:
                return False
            async with services.db.reading() as db:
                await db.execute(_MOVED, id, name, True, 0)
            fault_point("erasure.step")
            if count:
                log.info("rows of a person were erased", erasure=str(id), table=name, rows=count)
        async with services.db.transaction() as db:
            await db.execute(_WAIT_FOR_BLOCKS, person.owner_id)
            for statement in _BLOCKS:
                erased += _number(await db.execute(statement, id))
        if waits := await lists.is_busy(services, person) or await reconciliations.is_busy(
            services, person.owner_id
        ):
            raise _Waits(waits)
        erased += await _erase_lines(services, id, person)
        erased += await lists.erase_lists(services, id, person)
        erased += await lists.erase_exports(services, id, person)
        file_ids = await services.db.fetchval("SELECT file_ids FROM erasures WHERE id = $1", id)
        await lists.erase_attachments(services, id, person.owner_id, file_ids)
        fault_point("erasure.round")
        # A round that was begun by another worker has not seen all tables.
        if not erased and step == "":
            return True
        async with services.db.reading() as db:
            await db.execute(_NEXT_ROUND, id)
        step = ""


async def _erase_lines(services: Services, id: UUID, person: Person) -> int:
    if count := await reconciliations.erase_lines(services, person.owner_id, person.keys):
        async with services.db.reading() as db:
            await db.execute(_MOVED, id, "reconciliation_chunks", False, count)
    return count


async def _step(services: Services, lease: JobLease, id: UUID, rows: Rows, person: Person) -> int:
    """Erases the rows of one table, page by page. Returns how many there were."""
    total = 0
    while not services.stopping.is_set() and lease.valid:
        async with services.db.transaction() as db:
            if rows.under_erasure:
                await db.execute("SELECT set_config('postern.erasure', 'on', true)")
            if rows.kind == "messages":
                await db.execute(_ATTACHED, id, person.owner_id, person.keys)
            await db.execute(_LONG)
            count = _number(await db.execute(rows.page, *person.arguments))
            fault_point("erasure.page")
            if count:
                await db.execute(_MOVED, id, rows.kind, False, count)
        total += count
        if not count:
            break
    return total


def _number(tag: str) -> int:
    return int(tag.rpartition(" ")[2])


async def _finish(services: Services, id: UUID) -> None:
    async with services.db.transaction() as db:
        done = await db.fetchrow(_FINISH, id)
        if done is None:
            return
        await db.execute(_FORGET, id)
        if done["contact_id"] is not None:
            await db.execute(_EVENT, done["owner_id"], done["contact_id"])
        fault_point("erasure.finishing")
    log.info("a person was erased", erasure=str(id))
