"""Does the erasures and withdrawals of the journal again, in a database that may have lost them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

import structlog

from core.errors import Conflict
from engine import blocks
from engine.address_hashes import AddressHasher, address_hasher
from engine.consent.changes import DesiredState, Proof
from engine.consent.changes import apply as apply_subscriptions
from engine.contacts.locks import lock_owner
from engine.persons.beginning import begin
from engine.restore.segments import segments
from runtime.services import Services
from shapes.blocks import BlockReason, BlockScope
from shapes.consents import ConsentSource
from shapes.topic_subscriptions import SubscriptionState

log = structlog.get_logger("postern.restore")

_AT_ONCE = 50_000  # entries of several segments
_PAGE = 10_000  # addresses that are hashed at once
_USERS = "SELECT id FROM users WHERE id = ANY($1)"
_CONTACTS = "SELECT id FROM contacts WHERE owner_id = $1 AND id = ANY($2)"
_TOPICS = "SELECT id FROM topics WHERE owner_id = $1 AND id = ANY($2)"
_LONG_SECONDS = 1800
_LONG = f"SET LOCAL statement_timeout = '{_LONG_SECONDS}s'"
_ADDRESSES = """
SELECT address FROM contact_addresses WHERE owner_id = $1
UNION ALL SELECT phone FROM blocked_phones WHERE owner_id = $1
UNION ALL SELECT "to" FROM messages WHERE owner_id = $1
UNION ALL SELECT "to" FROM message_records WHERE owner_id = $1
UNION ALL SELECT r.address FROM recipients AS r JOIN sending_projects AS p ON p.id = r.project_id WHERE p.owner_id = $1
"""
_EVIDENCE: Final = "The withdrawal of {at}, which a restore had lost."


@dataclass(slots=True)
class Replayed:
    """Counts of entries that were done again, and the last segment that was read."""

    position: int
    withdrawals: int = 0
    blocks: int = 0
    erasures: int = 0
    not_found: int = 0
    """Erased addresses that no row of the owner's has any more."""
    sealed: int = 0
    """Entries whose hashes can't be compared, since the key of address hashes can't be opened."""
    successors: list[UUID] = field(default_factory=list)
    """The ids under which the journal goes on: the database was restored before."""


async def replay(services: Services, id: UUID, after: int, *, follow: bool = False) -> Replayed:
    """Does the entries behind a position again. What was done already changes nothing. Raises Unavailable.

    `follow`: also those of the journals under which this one goes on.
    """
    done, waiting = Replayed(after), list[Any]()
    followed = {id}
    async for number, entries in segments(services, id, after):
        done.position = number
        waiting += entries
        if len(waiting) >= _AT_ONCE:
            await _apply(services, waiting, done)
            waiting = []
    await _apply(services, waiting, done)
    while follow and (others := [each for each in done.successors if each not in followed]):
        followed.update(others)
        for other in others:
            entries = [entry async for _, part in segments(services, other, 0) for entry in part]
            await _apply(services, entries, done)
    return done


async def _apply(services: Services, entries: Sequence[Any], done: Replayed) -> None:
    done.successors += [UUID(entry["id"]) for entry in entries if entry["kind"] == "continued"]
    by_owner: dict[UUID, list[Any]] = defaultdict(list)
    for entry in entries:
        if "owner" in entry:
            by_owner[UUID(entry["owner"])].append(entry)
    if not by_owner:
        return
    hasher = await address_hasher(services)
    for row in await services.db.fetch(_USERS, [*by_owner]):
        owner = row["id"]
        kinds: dict[str, list[Any]] = defaultdict(list)
        for entry in by_owner[owner]:
            kinds[entry["kind"]].append(entry)
        await _withdraw(services, owner, kinds["withdrawal"], done)
        by_block = [each for each in kinds["block"] if each["hash"]]
        hashed = [*by_block, *kinds["erased_address"]]
        addresses = await _addresses(services, hasher, owner, {each["hash"] for each in hashed})
        if not hasher.is_open:
            done.sealed += len(hashed) + len(kinds["erasure"])
            continue
        await _block(services, owner, by_block, addresses, done)
        contacts = [UUID(each["contact"]) for each in kinds["erasure"]]
        await _erase(services, hasher, owner, contacts, (), done)
        erased = {each["hash"] for each in kinds["erased_address"]}
        done.not_found += len(erased - addresses.keys())
        await _erase(
            services, hasher, owner, (), [addresses[each] for each in erased & addresses.keys()], done
        )


async def _withdraw(services: Services, owner: UUID, entries: Sequence[Any], done: Replayed) -> None:
    for page in _pages(entries):
        async with services.db.transaction() as db:
            contacts = await _existing(db, _CONTACTS, owner, [each["contact"] for each in page])
            topics = await _existing(db, _TOPICS, owner, [each["topic"] for each in page])
            for entry in page:
                contact, topic = UUID(entry["contact"]), UUID(entry["topic"])
                if contact in contacts and topic in topics:
                    state = DesiredState(contact, topic, entry["channel"], SubscriptionState.withdrawn)
                    proof = Proof(ConsentSource.service, evidence=_EVIDENCE.format(at=entry["at"]))
                    rows = await apply_subscriptions(db, owner, [state], proof)
                    done.withdrawals += sum(row["changed"] for row in rows)


async def _block(
    services: Services, owner: UUID, entries: Sequence[Any], addresses: dict[str, str], done: Replayed
) -> None:
    """Blocks by the address where the database has it, and else by its hash, which stops it as well."""
    for scope in BlockScope:
        for page in _pages([each for each in entries if each["scope"] == scope]):
            async with services.db.transaction() as db:
                await blocks.block_each(
                    db,
                    [
                        (owner, addresses.get(each["hash"], each["hash"]), BlockReason(each["reason"]))
                        for each in page
                    ],
                    scope,
                )
            done.blocks += len(page)


async def _erase(
    services: Services,
    hasher: AddressHasher,
    owner: UUID,
    contacts: Iterable[UUID],
    addresses: Iterable[str],
    done: Replayed,
) -> None:
    persons = [*((each, None) for each in contacts), *((None, each) for each in addresses)]
    for contact, address in persons:
        async with services.db.transaction() as db:
            await lock_owner(db, owner)
            if contact is not None and not await _existing(db, _CONTACTS, owner, [str(contact)]):
                continue
            try:
                await begin(db, hasher, owner, contact, address, None)
            except Conflict:  # the erasure of the contact with this address runs already
                continue
        done.erasures += 1


async def _addresses(
    services: Services, hasher: AddressHasher, owner: UUID, hashes: set[str]
) -> dict[str, str]:
    """Returns the owner's addresses that have these hashes, by hash. It reads all addresses of the owner."""
    by_hash: dict[str, str] = {}
    if not hashes or not hasher.is_open:
        return by_hash
    async with services.db.transaction() as db:
        await db.execute(_LONG)
        cursor = await db.cursor(_ADDRESSES, owner)
        while page := await cursor.fetch(_PAGE, timeout=_LONG_SECONDS):
            for (address,) in page:
                hash = hasher.hash(address)
                if hash is not None and hash in hashes:
                    by_hash[hash] = address
    return by_hash


async def _existing(db: Any, sql: str, owner: UUID, ids: Sequence[str]) -> set[UUID]:
    return {row["id"] for row in await db.fetch(sql, owner, [UUID(id) for id in dict.fromkeys(ids)])}


def _pages(entries: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return [entries[start : start + 500] for start in range(0, len(entries), 500)]
