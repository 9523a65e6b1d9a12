"""Bounces, delays and complaints about emails, as a user's engine reports them: recorded as those by mail are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import asyncpg

from core.storable_text import storable
from engine.mail_reports import recording
from engine.mail_reports.recording import Received, Recorded, Rules
from engine.mail_reports.report import RecipientReport

SOURCE: Final = "engine"

# A provider that reuses its numbers means the newest message.
_FIND = """
SELECT DISTINCT ON (n.place) n.place::int, m.id, m."to"
FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS n (id, number, place) CROSS JOIN LATERAL (
  SELECT id, "to", handed_at FROM message_records
  WHERE owner_id = $1 AND direction = 'outbound' AND channel = 'email' AND (id = n.id OR provider_message_id = n.number)
  UNION ALL
  SELECT id, "to", handed_at FROM messages
  WHERE owner_id = $1 AND direction = 'outbound' AND channel = 'email' AND (id = n.id OR provider_message_id = n.number)
) AS m ORDER BY n.place, m.handed_at DESC NULLS LAST
"""


@dataclass(frozen=True, slots=True)
class EngineMailReport:
    """An event about an email, named by Postern's id or the provider's."""

    report: RecipientReport
    message_id: UUID | None
    provider_message_id: str | None
    at: datetime | None = None


async def record(
    db: asyncpg.Connection,
    owner_id: UUID,
    events: Sequence[tuple[EngineMailReport, str | None]],
    rules: Rules,
) -> tuple[set[EngineMailReport], Recorded]:
    """Records the events whose messages are emails of this owner. Returns these events and the recorded results.

    Each comes with its key, by which it counts once for its message; without a key its kind counts once.
    """
    numbers = [storable(event.provider_message_id) for event, _ in events]
    rows = (
        await db.fetch(_FIND, owner_id, [event.message_id for event, _ in events], numbers) if events else []
    )
    now = datetime.now(UTC)
    matched, received = set[EngineMailReport](), list[Received]()
    for row in rows:
        event, key = events[row["place"] - 1]
        report = event.report if event.report.address else replace(event.report, address=row["to"])
        kind = ":".join(filter(None, (report.type.value, report.klass and report.klass.value)))
        matched.add(event)
        received.append(
            Received(row["id"], (report,), SOURCE, key or kind, min(event.at or now, now), by_hook=True)
        )
    return matched, await recording.record(db, received, rules) if received else Recorded()
