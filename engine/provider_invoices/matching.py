"""Finds the messages that lines of an invoice bill."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from core.ids import least_uuid7
from db.address_keys import key_of

TOLERANCE: Final = timedelta(minutes=5)
"""The most between the times of a line without an id and of its message."""
EARLIER: Final = timedelta(days=32)
"""The most between the acceptance of a message and its dispatch: a scheduled one waits."""
SECONDS: Final = 600.0
"""For so long an answer of the database is waited for. The statement needs its own limit, too."""
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CANDIDATES: Final = 20  # messages to one number that a line without an id may mean

_OF_MESSAGES: Final = """
SELECT m.id, m.provider_message_id, m.report_id, m."to", m.created_at AS made_at, m.sent_at, m.price_prefix,
  m.sent_at IS NOT NULL OR m.state = 'unknown' AS is_sent,
  CASE WHEN m.channel = 'sms' THEN m.segments ELSE 1 END AS parts
FROM messages AS m WHERE m.direction = 'outbound' AND m.step IS DISTINCT FROM 0 AND m.provider = $2 AND m.channel = $3
"""
_OF_RECORDS: Final = """
SELECT m.id, m.provider_message_id, m.report_id, m."to", m.queued_at AS made_at, m.sent_at, m.price_prefix,
  m.sent_at IS NOT NULL OR m.status = 'unknown' AS is_sent, COALESCE(m.parts, 1) AS parts
FROM message_records AS m WHERE m.direction = 'outbound' AND m.provider = $2 AND m.channel = $3
"""
_BY_ID: Final = " UNION ALL ".join(
    f"SELECT {key} AS key, f.* FROM ({rows}) AS f WHERE {condition}"  # noqa: S608  our own words
    for rows in (_OF_MESSAGES, _OF_RECORDS)
    for key, condition in (
        ("provider_message_id", "provider_message_id = ANY($1)"),
        ("report_id", "report_id = ANY($1)"),
        ("id::text", "id = ANY($6)"),
    )
)
# A provider may use a number again. Of several messages it is one of the period, and then the newest.
FIND_BY_ID: Final = f"""
SELECT DISTINCT ON (key) * FROM ({_BY_ID}) AS f
ORDER BY key, is_sent AND COALESCE(sent_at, made_at) >= $4 AND COALESCE(sent_at, made_at) < $5 DESC,
  is_sent DESC, sent_at DESC NULLS LAST, id
"""  # noqa: S608  our own words
_KEY: Final = key_of('m."to"')
FIND_BY_PHONE: Final = f"""
SELECT n.place, f.* FROM unnest($1::text[], $4::timestamptz[], $5::uuid[], $6::uuid[])
  WITH ORDINALITY AS n (key, at, least, most, place)
CROSS JOIN LATERAL (
  SELECT * FROM (
    {_OF_MESSAGES} AND {_KEY} = n.key AND m.id > n.least AND m.id < n.most AND m.sent_at >= n.at - $7::interval
      AND m.sent_at <= n.at + $7::interval
    UNION ALL
    {_OF_RECORDS} AND {_KEY} = n.key AND m.sent_at >= n.at - $7::interval AND m.sent_at <= n.at + $7::interval
  ) AS f WHERE NOT EXISTS (
    SELECT FROM provider_invoice_lines AS l WHERE l.invoice_id = $8 AND l.message_id = f.id AND l.line < $9
  ) ORDER BY greatest(f.sent_at - n.at, n.at - f.sent_at), f.id LIMIT {_CANDIDATES}
) AS f
ORDER BY n.place, greatest(f.sent_at - n.at, n.at - f.sent_at), f.id
"""  # noqa: S608  our own words
_EARLIER_LINES: Final = """
SELECT DISTINCT message_id FROM provider_invoice_lines
WHERE invoice_id = $1 AND message_id = ANY($2) AND line > 0 AND line < $3
"""
_MISSED: Final = (
    " AND m.sent_at >= $4 AND m.sent_at < $5 AND {when} AND NOT EXISTS (\n"
    "  SELECT FROM provider_invoice_lines AS l WHERE l.invoice_id = $1 AND l.message_id = m.id)"
)
MISSED: Final = f"""
{_OF_MESSAGES}{_MISSED.format(when="m.id >= $8 AND m.id < $9")}
UNION ALL
{_OF_RECORDS}{_MISSED.format(when="m.queued_at >= $6 AND m.queued_at < $7")}
ORDER BY sent_at, id
"""
"""The messages that were sent in a period ($4, $5), made in another ($6, $7; as ids $8, $9), and that no line bills."""


class Match(NamedTuple):
    """The message that a line bills; `again`: an earlier line does so, too."""

    message: Any
    again: bool


async def find(db: Any, invoice: Any, lines: Sequence[Any]) -> dict[int, Match]:
    """Returns the messages of the lines of a page, by line; lines that bill none are left out."""
    begin = lines[0]["line"]
    by_line = await _by_id(db, invoice, [line for line in lines if line["provider_id"] is not None])
    earlier = {
        row["message_id"]
        for row in await db.fetch(
            _EARLIER_LINES, invoice["id"], [each["id"] for each in by_line.values()], begin, timeout=SECONDS
        )
    }
    matches: dict[int, Match] = {}
    for line, message in sorted(by_line.items()):
        matches[line] = Match(message, message["id"] in earlier)
        earlier.add(message["id"])
    others = [line for line in lines if line["provider_id"] is None]
    for line, candidates in (await _by_phone(db, invoice, others, begin)).items():
        message = next((each for each in candidates if each["id"] not in earlier), None)
        if message is not None:
            matches[line] = Match(message, again=False)
            earlier.add(message["id"])
    return matches


async def _by_id(db: Any, invoice: Any, lines: Sequence[Any]) -> dict[int, Any]:
    if not lines:
        return {}
    ids = [line["provider_id"] for line in lines]
    uuids = [UUID(id) for id in ids if _UUID.fullmatch(id)]
    period = (invoice["period_from"], invoice["period_to"])
    rows = await db.fetch(
        FIND_BY_ID, ids, invoice["route"], invoice["channel"], *period, uuids, timeout=SECONDS
    )
    by_key = {row["key"]: row for row in rows}
    messages = {line["line"]: by_key.get(line["provider_id"]) for line in lines}
    # Some providers write our ids with capitals.
    messages |= {
        line["line"]: by_key.get(line["provider_id"].lower())
        for line in lines
        if messages[line["line"]] is None
    }
    return {line: message for line, message in messages.items() if message is not None}


async def _by_phone(db: Any, invoice: Any, lines: Sequence[Any], begin: int) -> dict[int, list[Any]]:
    if not lines:
        return {}
    times: list[datetime] = [line["at"] for line in lines]
    least: list[UUID] = [least_uuid7(at - EARLIER) for at in times]
    most = [least_uuid7(at + 2 * TOLERANCE) for at in times]
    rows = await db.fetch(
        FIND_BY_PHONE, [line["phone"] for line in lines], invoice["route"], invoice["channel"], times, least, most,
        TOLERANCE, invoice["id"], begin, timeout=SECONDS,
    )  # fmt: skip
    candidates: dict[int, list[Any]] = {}
    for row in rows:
        candidates.setdefault(lines[row["place"] - 1]["line"], []).append(row)
    return candidates
