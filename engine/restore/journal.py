"""The journal of erasures and withdrawals, in the file store: what a restored database must do again.

Triggers note each in `journal_entries`, and a round moves them into segments. An entry has no address: blocks and
erased addresses are there by their hashes (engine/address_hashes.py).
"""

from collections.abc import Sequence
from typing import Any, Final

from engine.address_hashes import AddressHasher, address_hasher
from engine.blocks import PREFIX
from engine.faultpoints import fault_point
from engine.jobs import every
from engine.restore.fence import WRITTEN
from engine.restore.replay import replay
from engine.restore.segments import put
from runtime.leases import leased
from runtime.services import Services

BEHIND: Final = """
SELECT count(*) AS number, min(at) AS since FROM journal_entries
"""
"""Counts the entries that are not in the journal yet, and says since when."""

_MOST = 5000  # entries of one segment; engine/restore/segments.py bounds its bytes
_ROW = "SELECT id, journal_position AS position, journal_behind AS behind FROM installation"
_ENTRIES = """
SELECT j.id, j.kind, j.owner_id, j.row_id, j.topic_id, j.channel, j.hash, j.at, b.phone, b.reason, b.scope
FROM journal_entries AS j LEFT JOIN blocked_phones AS b ON j.kind = 'block' AND b.id = j.row_id
ORDER BY j.id LIMIT $1
"""
_WRITTEN = "DELETE FROM journal_entries WHERE id = ANY($1)"
_MOVE_ON = f"""
UPDATE installation SET journal_position = $1, journal_behind = false,
  {WRITTEN} WHERE id = $2
"""  # noqa: S608  our own expression


@every(
    30, due="EXISTS (SELECT FROM journal_entries) OR EXISTS (SELECT FROM installation WHERE journal_behind)"
)
async def write(services: Services) -> None:
    """Writes the noted entries into segments. Raises Unavailable if the file store can't take them; they stay noted."""
    async with leased(services.db, "restore.journal", services.settings.lease_seconds) as lease:
        if lease is None or (row := await services.db.fetchrow(_ROW)) is None:
            return
        hasher, position = await address_hasher(services), row["position"]
        if not hasher.is_open:  # the entries stay noted until it can be opened; the doctor says so
            return
        # A later segment is that of a process that was killed before it could say so, or of a tail that a failover
        # has lost: in either case its entries are done, or done again.
        done = await replay(services, row["id"], position)
        if done.position > position or row["behind"]:
            position = done.position
            await services.db.fetch(_MOVE_ON, position, row["id"])
        while lease.valid and not services.stopping.is_set():
            rows = await services.db.fetch(_ENTRIES, _MOST)
            if not rows:
                return
            await put(services, row["id"], position + 1, _lines(rows, hasher))
            fault_point("journal.written")
            position += 1
            async with services.db.transaction() as db:
                await db.execute(_WRITTEN, [row["id"] for row in rows])
                await db.execute(_MOVE_ON, position, row["id"])


def _lines(rows: Sequence[Any], hasher: AddressHasher) -> list[dict[str, Any]]:
    lines = []
    for row in rows:
        line: dict[str, Any] = {"kind": row["kind"], "owner": row["owner_id"], "at": row["at"]}
        match row["kind"]:
            case "withdrawal":
                line |= {"contact": row["row_id"], "topic": row["topic_id"], "channel": row["channel"]}
            case "block":
                phone = row["phone"]
                if phone is None:  # it was taken back meanwhile
                    continue
                hash = phone if phone.startswith(PREFIX) else hasher.hash(phone)
                line |= {"hash": hash, "reason": row["reason"], "scope": row["scope"]}
            case "erasure":
                line |= {"contact": row["row_id"]}
            case _:
                line |= {"hash": row["hash"]}
        lines.append(line)
    return lines
