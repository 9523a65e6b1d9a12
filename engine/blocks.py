"""The condition under which an address is blocked, and automatic blocks: stop words, bounces, unsubscribing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from db.address_keys import key_of
from shapes.addresses import address_key, stored_key
from shapes.blocks import BlockReason, BlockScope

STRENGTH = (
    BlockReason.softBounce,
    BlockReason.manual,
    BlockReason.hardBounce,
    BlockReason.unsubscribed,
    BlockReason.optOut,
    BlockReason.complaint,
)
"""The order goes from reasons that an owner may lift easily to those that must not be lifted: a person's own decision
outranks a full mailbox."""

LIVE = "(expires_at IS NULL OR expires_at > now())"
"""The condition, on a row of `blocked_phones`, under which it has not ended. A round deletes those that have."""

STOPS = f"((scope = 'all' OR {{category}}::text = 'promotional') AND {LIVE})"
"""The condition, on a row of `blocked_phones`, under which it stops a message of `category`."""

KEY = key_of("phone")
"""The SQL of the key of a row of `blocked_phones`."""

_STOPPING = f"SELECT FROM blocked_phones WHERE owner_id = {{owner}} AND {KEY} = {{key}} AND {STOPS}"
IS_BLOCKED = f"EXISTS ({_STOPPING})"
"""The condition under which nothing of `category` may be sent to the address with `key` for `owner`; each is an SQL
expression."""

IS_BLOCKED_SINGLY = f"EXISTS ({_STOPPING} OFFSET 0)"
"""The same for a few addresses: OFFSET 0 keeps PostgreSQL from reading all blocks of the owner for them."""

PREFIX = "erased:"
"""The beginning of the hash that stands in `phone` for the address of an erased person."""

ERASED = "erased"
"""The text that stands in the place of an erased address in messages."""

_ERASED_BLOCK = (
    f"SELECT FROM blocked_phones WHERE owner_id = {{owner}} AND phone LIKE '{PREFIX}%' AND {STOPS}"
)
_BEING_ERASED = "SELECT FROM erasure_addresses WHERE owner_id = {owner} AND address_hash IS NOT NULL"
# The hash is compared alone, so that an index finds it; a COALESCE around it would read all that the owner has erased.
# With OFFSET 0 PostgreSQL does not read them all once for a batch, either.
IS_ERASED = f"""(EXISTS ({_ERASED_BLOCK} AND phone = {{hash}} OFFSET 0)
  OR EXISTS ({_BEING_ERASED} AND address_hash = {{hash}} OFFSET 0)
  OR {{hash}} IS NULL AND (EXISTS ({_ERASED_BLOCK}) OR EXISTS ({_BEING_ERASED})))"""
"""The condition under which the address with `hash` (engine/address_hashes.py) belongs to a person who is blocked and
erased, or who is being erased. If the hash is NULL it holds for any address, once the owner has erased a person.
"""

LOCK = "pg_advisory_xact_lock(hashtextextended('block:' || {owner} || ':' || {key}, 0))"
"""The SQL call, with texts, by which writers of the block of an address wait for each other until their transactions
end.

The address and its key are both unique, and ON CONFLICT names only the key: two writers of a new block could both pass
it, and the second would fail at the address.
"""


def _stronger(reason: str) -> str:
    """Returns the SQL of the stronger one of a stored reason and the new one."""
    return f"""CASE WHEN array_position($5::text[], {reason}) >= array_position($5::text[], excluded.reason)
    THEN {reason} ELSE excluded.reason END"""


def _wider(scope: str) -> str:
    """Returns the SQL of the wider one of a stored scope and the new one."""
    return f"CASE WHEN {scope} = 'all' THEN {scope} ELSE excluded.scope END"


END = f"""
DELETE FROM blocked_phones WHERE NOT {LIVE} AND (owner_id, {KEY}) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
"""  # noqa: S608  our own expressions
"""The statement that a writer of blocks runs first, after the locks: it deletes blocks that have ended."""

# A block that ends is made only where there is no other: a decision of a person or an owner covers it.
_BLOCK_UNTIL = f"""
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason, scope, address_key, expires_at)
SELECT $1, $2::uuid, $3, $4, $5, $6, $7
FROM (SELECT {LOCK.format(owner="$2::uuid::text", key="COALESCE($6, $3)")} OFFSET 0) AS locked
ON CONFLICT (owner_id, {KEY}) DO UPDATE SET expires_at = GREATEST(known.expires_at, excluded.expires_at)
WHERE known.expires_at IS NOT NULL
"""  # noqa: S608  our own expression
# The scope only widens, and the stronger reason stays. The first stop word notes what stood before; what others change
# later counts there, too, so that taking the stop word back leaves it. A second cause makes the block independent of
# the message whose failure has made it. A block that would have ended is not noted: the
# person has answered, so the address works.
_BLOCK = f"""
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason, scope, address_key, stopped_at, message_id)
SELECT id, owner_id, phone, reason, $6, address_key, CASE WHEN $8 THEN now() END, message_id
FROM (
  SELECT new.*, {LOCK.format(owner="owner_id::text", key="COALESCE(address_key, phone)")} AS locked FROM (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $7::text[], $9::uuid[])
      AS n (id, owner_id, phone, reason, address_key, message_id)
    ORDER BY owner_id, COALESCE(address_key, phone) OFFSET 0
  ) AS new OFFSET 0
) AS new
ON CONFLICT (owner_id, {KEY}) DO UPDATE SET
  reason = {_stronger("known.reason")}, scope = {_wider("known.scope")},
  stopped_at = COALESCE(known.stopped_at, excluded.stopped_at), expires_at = NULL,
  message_id = CASE WHEN known.message_id = excluded.message_id THEN known.message_id END,
  reason_before = CASE WHEN NOT $8 AND known.stopped_at IS NOT NULL THEN {_stronger("known.reason_before")}
    WHEN $8 AND known.stopped_at IS NULL THEN CASE WHEN known.expires_at IS NULL THEN known.reason END
    ELSE known.reason_before END,
  scope_before = CASE WHEN NOT $8 AND known.stopped_at IS NOT NULL THEN {_wider("known.scope_before")}
    WHEN $8 AND known.stopped_at IS NULL THEN CASE WHEN known.expires_at IS NULL THEN known.scope END
    ELSE known.scope_before END
WHERE {_stronger("known.reason")} <> known.reason OR {_wider("known.scope")} <> known.scope
  OR $8 <> (known.stopped_at IS NOT NULL) OR known.expires_at IS NOT NULL
  OR known.message_id <> COALESCE(excluded.message_id, known.id)
"""  # noqa: S608  our own expression


_LOCK_EACH = """
SELECT postern_lock_blocks(owner_id, keys) FROM (
  SELECT owner_id, array_agg(key) AS keys FROM unnest($1::uuid[], $2::text[]) AS k (owner_id, key)
  GROUP BY owner_id ORDER BY owner_id OFFSET 0
) AS owners
"""
"""The statement that takes the `LOCK` of addresses and of the other ids of the same people, in the order of all
writers: a trigger writes a block to those ids too. For more than a thousand addresses of an owner it is one lock."""
_WAIT_FOR_MANY = """
SELECT postern_lock_blocks(owner_id, '{}')
FROM (SELECT DISTINCT o AS owner_id FROM unnest($1::uuid[]) AS o ORDER BY o OFFSET 0) AS each_owner
"""
"""The statement that waits for a writer of thousands of an owner's blocks, and for no other."""

_END_OF_FAILURES = f"""
DELETE FROM blocked_phones WHERE (owner_id, {KEY}) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
  AND message_id = ANY($3) AND reason = 'hardBounce' AND stopped_at IS NULL
"""  # noqa: S608  our own expression
# A name that another person has by now was blocked with the person's own ids, by the same stop word.
_OTHER_IDS = f"""
SELECT COALESCE(p.address_key, p.address) AS key FROM unnest($2::text[]) AS k, postern_person_ids($1, k) AS p
UNION SELECT lower('@' || c.username) FROM messenger_accounts AS a
JOIN messenger_chats AS c ON c.account_id = a.id AND (c.phone = ANY($2) OR c.user_id = ANY($2))
JOIN blocked_phones AS n ON n.owner_id = $1 AND {key_of("n.phone")} = lower('@' || c.username)
JOIN blocked_phones AS own ON own.owner_id = $1 AND {key_of("own.phone")} IN (c.phone, c.user_id)
  AND own.stopped_at = n.stopped_at
WHERE a.owner_id = $1 AND c.kind = 'user' AND NOT EXISTS (
  SELECT FROM messenger_accounts AS b JOIN messenger_chats AS o ON o.account_id = b.id
    AND lower(o.username) = lower(c.username)
  JOIN blocked_phones AS s ON s.owner_id = $1 AND {key_of("s.phone")} IN (o.phone, o.user_id)
    AND s.stopped_at IS NOT NULL AND s.id <> own.id AND s.stopped_at <> n.stopped_at
  WHERE b.owner_id = $1
)
"""  # noqa: S608  our own expression
_REMOVE_STOPPED = f"""
DELETE FROM blocked_phones
WHERE owner_id = $1 AND {KEY} = ANY($2) AND stopped_at IS NOT NULL AND reason_before IS NULL AND reason <> 'complaint'
"""  # noqa: S608  our own expression
_RESTORE_STOPPED = f"""
UPDATE blocked_phones SET stopped_at = NULL, reason_before = NULL, scope_before = NULL,
  reason = CASE WHEN reason = 'complaint' THEN reason ELSE reason_before END, scope = scope_before
WHERE owner_id = $1 AND {KEY} = ANY($2) AND stopped_at IS NOT NULL AND reason_before IS NOT NULL
"""  # noqa: S608  our own expression


async def block(
    connection: asyncpg.Connection | Any,
    owner_id: UUID,
    address: str,
    reason: BlockReason,
    scope: BlockScope = BlockScope.all,
    *,
    by_stop_word: bool = False,
) -> None:
    """Blocks `address` (E.164, or an email in its normal form) for messages of this owner that `scope` covers.

    In the transaction of this connection. Cancels nothing that is queued: each message is checked again before it
    is sent.
    """
    await block_each(connection, [(owner_id, address, reason)], scope, by_stop_word=by_stop_word)


async def block_each(
    connection: asyncpg.Connection | Any,
    addresses: Sequence[tuple[UUID, str, BlockReason]],
    scope: BlockScope = BlockScope.all,
    *,
    by_stop_word: bool = False,
    failures: Sequence[UUID | None] | None = None,
) -> None:
    """Works as `block` does, for addresses of any owners; of one address only the strongest reason counts.

    `failures`: the messages whose failures alone are the causes, one for each address; None: there is another cause.
    """
    strength = [member.value for member in STRENGTH]
    strongest: dict[tuple[UUID, str], tuple[str, BlockReason]] = {}
    causes: dict[tuple[UUID, str], set[UUID | None]] = {}
    of_failures = failures or [None] * len(addresses)
    entries = zip(addresses, of_failures, strict=True)
    for (owner, address, reason), message in sorted(entries, key=lambda entry: STRENGTH.index(entry[0][2])):
        if address == ERASED:  # a report about a message to a person who is erased
            continue
        strongest[owner, address_key(address)] = address, reason
        causes.setdefault((owner, address_key(address)), set()).add(message)
    owner_ids, keys = [owner for owner, _ in strongest], [key for _, key in strongest]
    phones = [address for address, _ in strongest.values()]
    await connection.execute(_LOCK_EACH, owner_ids, keys)
    await connection.execute(END, owner_ids, keys)
    await connection.execute(
        _BLOCK,
        [uuid7() for _ in strongest],
        owner_ids,
        phones,
        [reason.value for _, reason in strongest.values()],
        strength,
        scope.value,
        [*map(stored_key, phones)],
        by_stop_word,
        [next(iter(messages)) if len(messages) == 1 else None for messages in causes.values()],
    )


async def end_blocks_of_failures(
    connection: asyncpg.Connection | Any, failures: Sequence[tuple[UUID, str, UUID]]
) -> None:
    """Ends the blocks that these failures alone have made: rows of (owner, address, message). In the transaction of
    this connection.
    """
    if failures:
        owner_ids, addresses, messages = zip(*failures, strict=True)
        await connection.execute(_WAIT_FOR_MANY, owner_ids)
        await connection.execute(_END_OF_FAILURES, owner_ids, [*map(address_key, addresses)], messages)


async def block_until(
    connection: asyncpg.Connection | Any, owner_id: UUID, address: str, reason: BlockReason, until: datetime
) -> None:
    """Blocks `address` for promotional messages of this owner until a time, unless it is blocked without an end.

    In the transaction of this connection.
    """
    if address == ERASED:
        return
    await connection.execute(_LOCK_EACH, [owner_id], [address_key(address)])
    await connection.execute(END, [owner_id], [address_key(address)])
    await connection.execute(
        _BLOCK_UNTIL,
        uuid7(),
        owner_id,
        address,
        reason.value,
        BlockScope.promotional.value,
        stored_key(address),
        until,
    )


_ADD_MANY = """
INSERT INTO blocked_phones (id, owner_id, phone, address_key, reason, scope)
SELECT id, $1, phone, address_key, COALESCE(reason, 'manual'), scope
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
  AS new (id, phone, address_key, reason, scope)
ORDER BY COALESCE(address_key, phone)
ON CONFLICT DO NOTHING
"""
# As for a single block: a given reason replaces the earlier one, the scope only widens, and what stands beneath a stop
# word follows. Rows that were just added are as they should be, so that they are not counted.
_CHANGE_MANY = f"""
UPDATE blocked_phones AS known SET expires_at = NULL, message_id = NULL,
  reason = COALESCE(new.reason, CASE WHEN known.expires_at IS NULL THEN known.reason ELSE 'manual' END),
  scope = CASE WHEN new.scope = 'all' THEN 'all' ELSE known.scope END,
  reason_before = CASE WHEN known.stopped_at IS NOT NULL THEN COALESCE(new.reason, known.reason_before, 'manual') END,
  scope_before = CASE WHEN known.stopped_at IS NOT NULL AND new.scope = 'all' THEN 'all'
    WHEN known.stopped_at IS NOT NULL THEN COALESCE(known.scope_before, new.scope) END
FROM unnest($2::text[], $3::text[], $4::text[]) AS new (key, reason, scope)
WHERE known.owner_id = $1 AND {key_of("known.phone")} = new.key AND (known.reason <> COALESCE(new.reason, known.reason)
  OR known.expires_at IS NOT NULL OR known.message_id IS NOT NULL
  OR known.scope <> 'all' AND new.scope = 'all' OR known.stopped_at IS NOT NULL AND (known.reason_before IS NULL
    OR known.reason_before <> COALESCE(new.reason, known.reason_before)
    OR known.scope_before <> 'all' AND new.scope = 'all'))
"""  # noqa: S608  our own expression
_REMOVE_MANY = f"DELETE FROM blocked_phones WHERE owner_id = $1 AND {KEY} = ANY($2)"  # noqa: S608  our own expression


@dataclass(frozen=True, slots=True)
class NewBlock:
    """A block that a user asks for. Without a reason, an existing block keeps its own, and a new one is `manual`."""

    address: str  # in the spelling that projects store
    reason: str | None
    scope: str


async def block_many(
    connection: asyncpg.Connection | Any, owner_id: UUID, new: Sequence[NewBlock]
) -> tuple[int, int]:
    """Blocks these addresses for this owner, and returns how many were added and how many were changed.

    In the transaction of this connection. Of more than a thousand addresses no other block of the owner is written
    meanwhile.
    """
    by_key = {address_key(block.address): block for block in new}
    blocks = [*by_key.values()]
    reasons, scopes = [block.reason for block in blocks], [block.scope for block in blocks]
    await connection.execute(_LOCK_EACH, [owner_id] * len(by_key), [*by_key])
    await connection.execute(END, [owner_id] * len(by_key), [*by_key])
    added = await connection.execute(
        _ADD_MANY,
        owner_id,
        [uuid7() for _ in blocks],
        [block.address for block in blocks],
        [stored_key(block.address) for block in blocks],
        reasons,
        scopes,
    )
    changed = await connection.execute(_CHANGE_MANY, owner_id, [*by_key], reasons, scopes)
    return _rows(added), _rows(changed)


async def unblock_many(connection: asyncpg.Connection | Any, owner_id: UUID, addresses: Sequence[str]) -> int:
    """Removes the blocks of these addresses, and returns how many there were."""
    keys = [*map(address_key, addresses)]
    await connection.execute(_LOCK_EACH, [owner_id] * len(keys), keys)
    return _rows(await connection.execute(_REMOVE_MANY, owner_id, keys))


def _rows(tag: str) -> int:
    """Returns the number of rows in PostgreSQL's command tag, such as `INSERT 0 3`."""
    return int(tag.rpartition(" ")[2])


async def undo_stop_word(connection: asyncpg.Connection | Any, owner_id: UUID, keys: Sequence[str]) -> None:
    """Undoes the changes of stop words for addresses with these keys, and for the other ids of the same people."""
    await connection.execute(_LOCK_EACH, [owner_id] * len(keys), keys)
    keys = [*keys, *(row["key"] for row in await connection.fetch(_OTHER_IDS, owner_id, keys))]
    await connection.execute(_REMOVE_STOPPED, owner_id, keys)
    await connection.execute(_RESTORE_STOPPED, owner_id, keys)
