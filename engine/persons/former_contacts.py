"""Remembers contacts that are deleted by hashes of their addresses, so that an erasure finds their proof of consent.

The proof stays when a contact is deleted, and may have the person's network address, browser and evidence.
"""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from engine.persons.beginning import open_hasher
from runtime.services import Services

_ADD = """
INSERT INTO former_contacts (contact_id, address_hash, owner_id)
SELECT n.contact_id, n.hash, $1 FROM unnest($2::uuid[], $3::text[]) AS n (contact_id, hash)
WHERE EXISTS (SELECT FROM consent_entries AS e
  WHERE e.contact_id = n.contact_id AND COALESCE(e.ip, e.user_agent, e.evidence) IS NOT NULL)
ON CONFLICT DO NOTHING
"""


async def remember(
    services: Services, db: Any, owner_id: UUID, gone: Iterable[tuple[UUID, Sequence[str]]]
) -> None:
    """Stores hashes of the addresses of contacts, each with its id, in the transaction that deletes them.

    Raises Unavailable (`address_hashes_sealed`).
    """
    every = [(id, address) for id, addresses in gone for address in addresses]
    if not every:
        return
    hasher = await open_hasher(services)
    hashes = hasher.hashes(address for _, address in every)
    await db.execute(_ADD, owner_id, [id for id, _ in every], hashes)
