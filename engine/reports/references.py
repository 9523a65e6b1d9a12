"""Finds the message of a report whose id is not known, by the reference that the message carried.

The answer to the message was lost, so it is `unknown` and its provider's id is not known. The provider returns the
reference in its reports (SMPP 3.4, section 4.6.1): with the recipient it names the message, which gets the id of the
report. From then on its reports are found by that id. A reference has 16 bits, so nothing is concluded if it names
several messages, and only those that are unknown are looked at.
"""

from collections.abc import Sequence
from typing import Final

import asyncpg

from engine.reports.report import Report, reference_key
from engine.reports.statements import DIRECT, PROJECTS, WINDOW

_LEARN = """
WITH reports AS (
  SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    AS s (provider, channel, number, recipient, ending)
), named AS (
  SELECT s.number, s.provider, s.channel, m.id, count(*) OVER (PARTITION BY m.id) AS numbers,
    count(*) OVER (PARTITION BY s.provider, s.channel, s.number) AS messages
  FROM reports AS s JOIN {name} AS m ON {digest} = s.recipient AND right(m.id::text, 4) = s.ending
    AND m.provider = s.provider AND (s.channel IS NULL OR m.channel = s.channel)
  WHERE {unknown} AND m.provider_message_id IS NULL AND m.direction = 'outbound' AND m.handed_at > now() - {window}
)
UPDATE {name} AS m SET provider_message_id = n.number FROM named AS n
WHERE m.id = n.id AND n.messages = 1 AND n.numbers = 1 AND {unknown} AND m.provider_message_id IS NULL
RETURNING n.provider, n.channel, n.number
"""
_DIGEST = """encode(sha256(convert_to(m."to", 'UTF8')), 'hex')"""
_UNKNOWN = {PROJECTS.name: "m.is_unknown AND m.status = 'unknown'", DIRECT.name: "m.state = 'unknown'"}
_STATEMENTS: Final = [
    _LEARN.format(name=name, unknown=unknown, window=WINDOW, digest=_DIGEST)
    for name, unknown in _UNKNOWN.items()
]
# A report can come before it is known that the answer was lost.
_EARLY = """
SELECT substr(scope, 7) AS provider, event ->> 'channel' AS channel, key AS number,
  event -> 'reference' ->> 0 AS recipient, event -> 'reference' ->> 1 AS ending
FROM early_reports
WHERE scope LIKE 'route:%' AND event -> 'reference' IS NOT NULL
  AND received_at BETWEEN now() - interval '10 minutes' AND now()
ORDER BY received_at DESC LIMIT $1
"""

_Name = tuple[str, str | None, str]
"""Route, channel and number of a report."""


async def learn(db: asyncpg.Connection, reports: Sequence[Report]) -> list[Report]:
    """Gives messages the ids of the reports that name them. Returns the reports whose messages are found by id now.

    In the caller's transaction.
    """
    references = {
        (report.provider, report.channel, report.provider_message_id): reference_key(report.reference)
        for report in reports
        if report.reference is not None and report.provider is not None and report.provider_message_id
    }
    learned = await _learn(db, references)
    return [
        report
        for report in reports
        if (report.provider, report.channel, report.provider_message_id) in learned
    ]


async def learn_early(db: asyncpg.Connection, most: int) -> None:
    """Gives messages the ids of the early reports of the last minutes that name them."""
    rows = await db.fetch(_EARLY, most)
    references = {
        (row["provider"], row["channel"], row["number"]): (row["recipient"], row["ending"]) for row in rows
    }
    await _learn(db, references)


async def _learn(db: asyncpg.Connection, references: dict[_Name, tuple[str, str]]) -> set[_Name]:
    learned: set[_Name] = set()
    for statement in _STATEMENTS:
        if rest := [(*name, *reference) for name, reference in references.items() if name not in learned]:
            rows = await db.fetch(statement, *map(list, zip(*rest, strict=True)))
            learned |= {(row["provider"], row["channel"], row["number"]) for row in rows}
    return learned
