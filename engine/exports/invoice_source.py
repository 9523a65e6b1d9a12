"""Reads the differences of an invoice for an export: by line, then the messages that no line bills."""

from typing import Any, Final, cast

from db.session import Database
from engine.exports.port import PAGE, Asked, Column, Pages, Source, all_of
from runtime.permissions import Permission

_COLUMNS: Final = (
    Column("verdict", "What was found out", "otherParts"),
    Column("line", "Line of the invoice", "17"),
    Column("providerMessageId", "Provider's id, as billed", "SM123"),
    Column("messageUuid", "Message", "3d813cbb-47fb-52ba-91df-831e1593ac29"),
    Column(
        "at", "Time, as billed; of a message that no line bills, when it was sent", "2026-11-20T12:00:00Z"
    ),
    Column("billedParts", "Parts that are billed", "2"),
    Column("sentParts", "Parts that were sent", "1"),
    Column("billed", "Price that is billed", "0.08"),
    Column("expected", "Price by the costs of the route", "0.04"),
    Column("reason", "Why the line can't be read", "The parts are not a number from 1 to 255."),
)
# Lines of the invoice are from 1 on; messages that no line bills have numbers below zero.
_ROWS: Final = """
FROM provider_invoice_lines AS l JOIN provider_invoices AS i ON i.id = l.invoice_id
WHERE i.id = $1 AND i.status = 'ready' AND l.verdict <> 'matched'
"""
_SELECT: Final = f"""
SELECT l.line AS position, l.verdict, CASE WHEN l.line > 0 THEN l.line END AS line,
  l.provider_id AS "providerMessageId", l.message_id AS "messageUuid", l.at, l.parts AS "billedParts",
  l.sent_parts AS "sentParts", l.price AS billed, l.expected, l.reason
{_ROWS}
"""
_BILLED: Final = f"{_SELECT} AND l.line > $2 ORDER BY l.line LIMIT $3"
_MISSED: Final = f"{_SELECT} AND l.line < $2 ORDER BY l.line DESC LIMIT $3"


async def _pages(db: Database, asked: Asked) -> Pages:
    id = asked.filters["invoiceUuid"]
    for statement in (_BILLED, _MISSED):
        last = 0
        while rows := await db.fetch(statement, id, last, PAGE):
            last = rows[-1]["position"]
            yield rows


async def _total(db: Database, asked: Asked) -> int:
    count: Any = await db.fetchval(f"SELECT count(*) {_ROWS}", asked.filters["invoiceUuid"])
    return cast(int, count)


DIFFERENCES: Final = Source(_COLUMNS, _pages, _total, all_of(_COLUMNS), Permission.users_admin)
