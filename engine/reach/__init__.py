"""Counts the distinct recipients that an API token or a member reaches in 24 hours (`approvalAbove`, decision 0102).

a limited credential ── same transaction ──► postern_reach ──► counted: reach_recipients, a hash a recipient
  a message, a start, a retry, …                          └──► beyond the limit: nothing is counted, nothing is sent
a worker ── every 5 min ──► forget       recipients that do not count any more

The lock on the credential's row of reach_counters orders what is counted for it, until the commit. Recipients of a
project count for as long as it waits, runs or is paused: `postern_reach` counts them again before it adds others. Of
a project that others have scheduled, those count that the credential has added.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.errors import Unavailable
from db.address_keys import key_of
from db.query import Reads
from engine.address_hashes import address_hasher
from engine.jobs import every
from engine.upkeep import BITE
from runtime.routes import MESSENGERS
from runtime.services import Services
from shapes.addresses import address_keys

_PURPOSE = b"recipients that a credential reaches"
_BLOCK, _BYTES = 64, 16  # of SHA-256; of a stored hash

# A recipient that was counted less than an hour ago is not written again, and its message needs no lock.
_FRESH = """
SELECT count(*) FROM (
  SELECT id, approval_above FROM api_tokens WHERE id = ANY($1)
  UNION ALL SELECT id, approval_above FROM memberships WHERE id = ANY($1)
) AS c
JOIN reach_counters AS n ON n.credential_id = c.id AND n.recipients <= c.approval_above
JOIN reach_recipients AS r ON r.credential_id = c.id AND r.address_hash = $2
  AND r.counts_until > now() + interval '24 hours'
"""
_COUNT = "SELECT * FROM postern_reach($1, $2, $3, NULL, $4, $5)"
# The hash of `hashed` below, for a key that PostgreSQL gets as two blocks.
_HASH = "substring(sha256($3::bytea || sha256($2::bytea || convert_to({key}, 'UTF8'))) FROM 1 FOR 16)"
_COUNT_OF = """
SELECT * FROM postern_reach($1, ARRAY(SELECT {hash} {rows}), false, {project}, $2, $3)
"""
_RECIPIENTS = "FROM recipients WHERE project_id = $4"
# The messages that a retry sends again: the conditions of engine/projects/audience.py.
_RETRIED = """FROM message_records WHERE project_id = $4 AND direction = 'outbound' AND (
  failure_code IS NOT NULL AND (
    status = 'failed' AND reported_by IS NULL AND ($6::text[] IS NULL OR failure_code = ANY($6))
    OR status = 'skipped' AND failure_code = ANY($7)
  ) OR $5::bool AND is_unknown)"""
_CONTACTS = """FROM unnest($4::uuid[]) AS c (id) CROSS JOIN LATERAL (
  SELECT address, address_key FROM contact_addresses WHERE contact_id = c.id AND channel = $5
  ORDER BY "primary" DESC, id LIMIT 1) AS a"""
_COUNT_PROJECT = _COUNT_OF.format(hash=_HASH.format(key=key_of("address")), rows=_RECIPIENTS, project="$4")
_COUNT_RETRY = _COUNT_OF.format(hash=_HASH.format(key=key_of('"to"')), rows=_RETRIED, project="NULL")
_COUNT_CONTACTS = _COUNT_OF.format(hash=_HASH.format(key=key_of("a.address")), rows=_CONTACTS, project="NULL")
_SIZE = """
SELECT count(*) AS size, p.channel = ANY($2) AND bool_or(r.address LIKE '@%') AS has_names
FROM sending_projects AS p JOIN recipients AS r ON r.project_id = p.id WHERE p.id = $1 GROUP BY p.channel
"""
_TIGHTEST = """
SELECT c.id AS credential_id, c.approval_above AS most, COALESCE(n.recipients, 0) AS used FROM (
  SELECT id, approval_above FROM api_tokens WHERE id = ANY($1)
  UNION ALL SELECT id, approval_above FROM memberships WHERE id = ANY($1)
) AS c LEFT JOIN reach_counters AS n ON n.credential_id = c.id
WHERE c.approval_above IS NOT NULL ORDER BY c.approval_above LIMIT 1
"""

# The counters are locked by `postern_reach`. What was counted as a whole goes on so.
_ADDED = """
WITH projects AS (
  INSERT INTO reach_projects (credential_id, project_id, renewed_at, only_added)
  SELECT credential_id, $2, now(), true FROM reach_counters WHERE credential_id = ANY($1)
  ON CONFLICT DO NOTHING
)
INSERT INTO reach_additions (credential_id, project_id, address_hash)
SELECT credential_id, $2, hash FROM reach_counters, unnest($3::bytea[]) AS h (hash) WHERE credential_id = ANY($1)
ON CONFLICT DO NOTHING
"""

_COUNTERS = "SELECT credential_id FROM reach_counters"
_LOCK = "SELECT FROM reach_counters WHERE credential_id = $1 FOR UPDATE SKIP LOCKED"
_FORGET = """
DELETE FROM reach_recipients WHERE credential_id = $1 AND address_hash = ANY(ARRAY(
  SELECT address_hash FROM reach_recipients WHERE credential_id = $1 AND counts_until <= now()
  ORDER BY counts_until LIMIT $2))
"""
_LESS = "UPDATE reach_counters SET recipients = recipients - $2 WHERE credential_id = $1"
_FORGET_PROJECTS = """
DELETE FROM reach_projects AS r USING sending_projects AS p WHERE r.credential_id = $1 AND p.id = r.project_id
  AND p.status NOT IN ('scheduled', 'running', 'paused') AND p.updated_at < now() - interval '25 hours'
"""
_FORGET_COUNTER = """
DELETE FROM reach_counters AS c WHERE credential_id = $1 AND recipients = 0
  AND NOT EXISTS (SELECT FROM reach_projects WHERE credential_id = $1)
"""


@dataclass(frozen=True, slots=True)
class Beyond:
    """Says that a credential may not reach so many recipients."""

    most: int  # in 24 hours
    used: int  # how many it has reached
    asked: int | None  # how many more it would reach; None: they can't be counted


@dataclass(frozen=True, slots=True)
class Retry:
    """The messages of a finished project that are sent again."""

    unknown: bool
    failed: Sequence[str] | None  # codes; None: all
    skipped: Sequence[str]


class _Key:
    """The key of the hashes. It is derived from the one that lies in the vault and never changes."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        block = secret.ljust(_BLOCK, b"\x00")
        self.pads = bytes(byte ^ 0x36 for byte in block), bytes(byte ^ 0x5C for byte in block)

    def hashes(self, addresses: Iterable[str]) -> list[bytes]:
        """Returns the hashes of the keys of addresses: an address in two spellings has one."""
        keys = address_keys(addresses)
        return [hmac.digest(self._secret, key.encode(), "sha256")[:_BYTES] for key in keys]


async def is_fresh(services: Services, credentials: Sequence[UUID], address: str) -> bool:
    """Returns whether all credentials have counted this recipient within the hour, and are within their limits."""
    (hashed,) = (await _key(services)).hashes([address])
    return bool(await services.db.fetchval(_FRESH, [*credentials], hashed) == len(credentials))


async def count(
    services: Services,
    connection: Reads,
    credentials: Sequence[UUID],
    addresses: Iterable[str],
    *,
    same_person: bool = False,
) -> Beyond | None:
    """Counts recipients, in the caller's transaction, for all credentials; or none, if that is beyond the limit of one.
    `same_person`: the addresses are names of one person.
    """
    key = await _key(services)
    rows = await connection.fetch(_COUNT, [*credentials], key.hashes(addresses), same_person, *key.pads)
    return _beyond(rows)


async def count_added(
    services: Services,
    connection: Reads,
    credentials: Sequence[UUID],
    addresses: Iterable[str],
    project_id: UUID,
) -> Beyond | None:
    """Works as `count` does for recipients that are added to a scheduled project. They count until it has ended."""
    key = await _key(services)
    hashes = key.hashes(addresses)
    beyond = _beyond(await connection.fetch(_COUNT, [*credentials], hashes, False, *key.pads))
    if beyond is None:
        await connection.fetch(_ADDED, [*credentials], project_id, hashes)
    return beyond


async def count_project(
    services: Services, connection: Reads, credentials: Sequence[UUID], project_id: UUID
) -> Beyond | None:
    """Works as `count` does for the recipients of a project, which PostgreSQL counts without sending them here."""
    tightest = await standing(connection, credentials)
    size = await connection.fetchrow(_SIZE, project_id, [*MESSENGERS])
    if tightest is None or size is None:
        return None
    if size["size"] > tightest.most or size["has_names"]:
        return Beyond(tightest.most, tightest.used, None if size["has_names"] else size["size"])
    pads = (await _key(services)).pads
    return _beyond(await connection.fetch(_COUNT_PROJECT, [*credentials], *pads, project_id))


async def count_retry(
    services: Services, connection: Reads, credentials: Sequence[UUID], project_id: UUID, retry: Retry
) -> Beyond | None:
    """Works as `count` does for the recipients to whom a finished project is sent again."""
    pads = (await _key(services)).pads
    codes = None if retry.failed is None else [*retry.failed]
    arguments = (project_id, retry.unknown, codes, [*retry.skipped])
    return _beyond(await connection.fetch(_COUNT_RETRY, [*credentials], *pads, *arguments))


async def count_contacts(
    services: Services, connection: Reads, credentials: Sequence[UUID], contacts: Iterable[UUID], channel: str
) -> Beyond | None:
    """Works as `count` does for the first address that each of the contacts has for a channel."""
    pads = (await _key(services)).pads
    return _beyond(await connection.fetch(_COUNT_CONTACTS, [*credentials], *pads, [*contacts], channel))


async def standing(connection: Reads, credentials: Sequence[UUID]) -> Beyond | None:
    """Returns the lowest limit of the credentials and what it has counted; None if none has a limit any more."""
    row = await connection.fetchrow(_TIGHTEST, [*credentials])
    return None if row is None else Beyond(row["most"], row["used"], None)


@every(300, due="EXISTS (SELECT FROM reach_counters)")
async def forget(services: Services) -> None:
    """Deletes recipients that do not count any more. What is being counted just now waits for the next round."""
    for row in await services.db.fetch(_COUNTERS):
        credential, deleted = row["credential_id"], BITE
        while deleted == BITE and not services.stopping.is_set():
            async with services.db.transaction() as connection:
                if not await connection.fetch(_LOCK, credential):
                    break
                tag = await connection.execute(_FORGET, credential, BITE)
                deleted = int(tag.rpartition(" ")[2])
                await connection.execute(_LESS, credential, deleted)
                await connection.execute(_FORGET_PROJECTS, credential)
                await connection.execute(_FORGET_COUNTER, credential)


async def _key(services: Services) -> _Key:
    """Returns the key of the hashes. Raises Unavailable if the vault can't open it."""
    hasher = await address_hasher(services)
    secret = hasher.derived(_PURPOSE)
    if secret is None:
        raise Unavailable(
            "Recipients of limited credentials can't be counted, since the key of their hashes can't be opened. Ask the"
            " operator to set POSTERN_SECRET_KEY_OLD, or use a credential without `approvalAbove`.",
        )
    return _Key(secret)


def _beyond(rows: Sequence[Any]) -> Beyond | None:
    """Returns the lowest of the limits that are exceeded, if there is one."""
    lowest = min(rows, key=lambda row: row["most"], default=None)
    return None if lowest is None else Beyond(lowest["most"], lowest["used"], lowest["asked"])
