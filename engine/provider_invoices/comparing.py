"""The job that compares an invoice with what was sent."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import orjson
import structlog

from core.ids import least_uuid7
from engine.costs.lists import CostLists, cost_of
from engine.faultpoints import fault_point
from engine.file_parsers.invoice_rows import COLUMNS
from engine.imports.jobs import ATTEMPTS, CopyBytes, fenced
from engine.imports.reader import SMALL, Failed, Over, opened, options_of, reader
from engine.jobs import JobName
from engine.jobs.fair_queue import fairly
from engine.provider_invoices.matching import EARLIER, MISSED, SECONDS, Match, find
from runtime.leases import JobLease
from runtime.services import Services
from shapes.imports import ImportStatus
from shapes.provider_invoices import LineVerdict

log = structlog.get_logger("postern.imports")

MOST_MISSED: Final = 1_000_000
"""The most messages that no line bills, beyond which route or period can't be those of the invoice."""
_PAGE: Final = 2000
_BITE: Final = 5000
_DAY: Final = timedelta(days=1)
_AFTER_BREAK: Final = timedelta(seconds=15)
_LONG: Final = "SET LOCAL statement_timeout = '10min'"

# Of two thousand ids PostgreSQL may read a table whole, for each page again.
_BY_INDEX: Final = "SET LOCAL enable_seqscan = off"
_WAITING: Final = "SELECT owner_id, id FROM provider_invoices WHERE status = 'processing'"
_READ: Final = "SELECT * FROM provider_invoices WHERE id = $1 AND status = 'processing'"
_BEGIN: Final = """
UPDATE provider_invoices SET attempts = attempts + 1, lines = 0, updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING attempts
"""
_SAY: Final = (
    "UPDATE provider_invoices SET {}, updated_at = now() WHERE id = $1 AND status = 'processing' RETURNING id"
)
_HEAD: Final = _SAY.format("columns = $2::text::jsonb, mapping = $3::text::jsonb")
_COUNT: Final = _SAY.format("lines = lines + $2")
_IS_READ: Final = _SAY.format("is_read = true")
_COMPARED: Final = _SAY.format("last_line = $2, compared = compared + $3")
_MADE: Final = _SAY.format("made_before = $2")
_SUMMED: Final = _SAY.format("is_summed = true, sums = $2::text::jsonb")
_END: Final = _SAY.format("status = $2, status_reason = $3")
_DELETE_ALL: Final = "DELETE FROM provider_invoice_lines WHERE invoice_id = $1"
# A bite begins after the last one: what is deleted would be read again by each that begins with the first line.
_BITE_END: Final = """
SELECT max(line) FROM (
  SELECT line FROM provider_invoice_lines WHERE invoice_id = $1 AND line > $2 ORDER BY line LIMIT $3) AS bite
"""
_DELETE_MATCHED: Final = """
DELETE FROM provider_invoice_lines WHERE invoice_id = $1 AND line > $2 AND line <= $3 AND verdict = 'matched'
"""
_LINES: Final = """
SELECT line, provider_id, phone, at, parts, price, verdict FROM provider_invoice_lines
WHERE invoice_id = $1 AND line > $2 ORDER BY line LIMIT $3
"""
# With its verdict a line needs no phone anymore.
_JUDGE: Final = """
UPDATE provider_invoice_lines AS l SET verdict = n.verdict, message_id = n.message, sent_parts = n.parts,
  expected = n.expected, phone = NULL
FROM unnest($2::int[], $3::text[], $4::uuid[], $5::int[], $6::numeric[]) AS n (line, verdict, message, parts, expected)
WHERE l.invoice_id = $1 AND l.line = n.line
"""
_LEAST: Final = "SELECT LEAST(min(line), 0) FROM provider_invoice_lines WHERE invoice_id = $1"
_MISSED_COLUMNS: Final = ("invoice_id", "line", "verdict", "message_id", "at", "sent_parts", "expected")
_SUMS: Final = """
SELECT verdict, count(*)::int8 AS count, COALESCE(sum(parts), 0)::int8 AS "billedParts",
  COALESCE(sum(sent_parts), 0)::int8 AS "sentParts", COALESCE(sum(price), 0)::float8 AS billed,
  COALESCE(sum(expected), 0)::float8 AS expected
FROM provider_invoice_lines WHERE invoice_id = $1 GROUP BY verdict
"""


@fairly(JobName.compare_invoice, "imports", waiting=_WAITING, share=1)
async def compare(services: Services, id: UUID, lease: JobLease) -> None:
    """Compares an invoice from where an earlier worker has left off."""
    try:
        with suppress(Over):
            try:
                await _Comparison(services, id, lease).run()
            except Failed as error:
                await _Comparison(services, id, lease).end(ImportStatus.failed, str(error))
            return
        if not services.stopping.is_set():
            lease.pause = _AFTER_BREAK
    except Exception:  # an outage of the database, or of the files
        lease.pause = _AFTER_BREAK
        raise


async def delete_lines(db: Any, id: UUID) -> None:
    """Deletes all lines of an invoice, in the caller's transaction."""
    await db.execute(_LONG)
    await db.execute(_DELETE_ALL, id, timeout=SECONDS)


class _Comparison:
    """One invoice at work. Its methods raise Failed, and Over when this worker must stop."""

    def __init__(self, services: Services, id: UUID, lease: JobLease) -> None:
        self._services, self._id, self._lease = services, id, lease

    async def run(self) -> None:
        """Reads, compares and adds up the lines that no worker has finished yet."""
        invoice = await self._invoice()
        if invoice is None:
            return
        if not invoice["is_read"]:
            await self._read(invoice)
        if not invoice["is_summed"]:
            while await self._compare_page():
                fault_point("invoice.compared")
            while await self._find_missed():
                fault_point("invoice.missed")
            await self._sum()
        bitten: int | None = 0
        while bitten is not None:
            bitten = await self._delete_matched(bitten)
        await self.end(ImportStatus.ready, None)

    async def end(self, status: ImportStatus, reason: str | None) -> None:
        """Stores how it ended. An invoice that failed has no lines, some of which would have phones."""
        async with self._services.db.reading() as db, fenced(db, self._lease):
            if status is ImportStatus.failed:
                await delete_lines(db, self._id)
            await self._say(db, _END, status.value, reason)
            fault_point("invoice.finishing")
        log.info("an invoice was compared", invoice_id=str(self._id), status=status.value)

    async def _invoice(self, db: Any = None) -> Any:
        return await (db or self._services.db).fetchrow(_READ, self._id)

    async def _say(self, db: Any, statement: str, *values: Any) -> None:
        self._check()
        if await db.fetchval(statement, self._id, *values) is None:
            raise Over

    def _check(self) -> None:
        if self._services.stopping.is_set() or not self._lease.valid:
            raise Over

    async def _read(self, invoice: Any) -> None:
        """Stores the lines of the file, from its first one."""
        async with self._services.db.reading() as db, fenced(db, self._lease):
            if (attempts := await db.fetchval(_BEGIN, self._id)) is None:
                raise Over
            if attempts > ATTEMPTS:
                raise Failed(
                    f"The invoice could not be read to its end in {ATTEMPTS} attempts. Save it as CSV."
                )
            await delete_lines(db, self._id)
        options = invoice["options"]
        task = {
            "id": str(self._id), "region": options["region"], "preview": False,
            **options_of(options | {"mapping": None}),
            "invoice": {"mapping": options["mapping"], "timezone": options["timezone"]},
        }  # fmt: skip
        async with (
            opened(self._services, invoice["file_uuid"], self._id) as (path, kind),
            reader({**task, "path": str(path), "kind": kind}, SMALL) as frames,
        ):
            async for frame, body in frames:
                await self._store(frame, body)
                fault_point("invoice.read")
        async with self._services.db.reading() as db, fenced(db, self._lease):
            await self._say(db, _IS_READ)

    async def _store(self, frame: bytes, body: bytes) -> None:
        async with self._services.db.reading() as db, fenced(db, self._lease):
            if frame == b"H":
                head = orjson.loads(body)
                await self._say(
                    db, _HEAD, *(orjson.dumps(head[name]).decode() for name in ("columns", "mapping"))
                )
                return
            end = body.index(b"\n")
            numbers = orjson.loads(body[:end])
            await self._say(db, _COUNT, numbers["valid"] + numbers["invalid"])
            source = CopyBytes(body, end + 1)
            await db.copy_to_table("provider_invoice_lines", source=source, columns=COLUMNS)

    async def _compare_page(self) -> bool:
        """Compares the next lines. Returns whether there were any."""
        async with self._services.db.reading() as db, fenced(db, self._lease):
            await db.execute(_LONG)
            await db.execute(_BY_INDEX)
            if (invoice := await self._invoice(db)) is None:
                raise Over
            lines = await db.fetch(_LINES, self._id, invoice["last_line"], _PAGE, timeout=SECONDS)
            if not lines:
                return False
            good = [line for line in lines if line["verdict"] is None]
            if good:
                lists = await CostLists(self._services, db).read()
                matches = await find(db, invoice, good)
                rows = [await _verdict_of(lists, invoice, line, matches.get(line["line"])) for line in good]
                await db.execute(_JUDGE, self._id, *map(list, zip(*rows, strict=True)), timeout=SECONDS)
            await self._say(db, _COMPARED, lines[-1]["line"], len(lines))
        return True

    async def _find_missed(self) -> bool:
        """Stores the messages of a day that no line bills. Returns whether there are more days."""
        async with self._services.db.reading() as db, fenced(db, self._lease):
            await db.execute(_LONG)
            if (invoice := await self._invoice(db)) is None:
                raise Over
            begin = invoice["made_before"] or invoice["period_from"] - EARLIER
            end = min(begin + _DAY, invoice["period_to"])
            if begin >= end:
                return False
            number = await db.fetchval(_LEAST, self._id)
            lists = await CostLists(self._services, db).read()
            cursor = await db.cursor(
                MISSED, self._id, invoice["route"], invoice["channel"], invoice["period_from"], invoice["period_to"],
                begin, end, least_uuid7(begin), least_uuid7(end), timeout=SECONDS,
            )  # fmt: skip
            while rows := await cursor.fetch(_PAGE, timeout=SECONDS):
                if len(rows) - number > MOST_MISSED:
                    raise Failed(
                        "No line bills more than a million messages of the period. Check the route and the period."
                    )
                costs = [await _expected(lists, invoice, row) for row in rows]
                await db.copy_records_to_table(
                    "provider_invoice_lines",
                    records=[
                        (self._id, number - offset, LineVerdict.sentNotBilled.value, row["id"], row["sent_at"],
                         row["parts"], cost)
                        for offset, (row, cost) in enumerate(zip(rows, costs, strict=True), 1)
                    ],
                    columns=_MISSED_COLUMNS,
                )  # fmt: skip
                number -= len(rows)
            await self._say(db, _MADE, end)
        return True

    async def _sum(self) -> None:
        async with self._services.db.reading() as db, fenced(db, self._lease):
            await db.execute(_LONG)
            sums = {row["verdict"]: dict(row) for row in await db.fetch(_SUMS, self._id, timeout=SECONDS)}
            ordered = [sums[verdict.value] for verdict in LineVerdict if verdict.value in sums]
            await self._say(db, _SUMMED, orjson.dumps(ordered).decode())

    async def _delete_matched(self, after: int) -> int | None:
        """Deletes matched lines of those after a line. Returns the last line that was looked at; None: no line was."""
        async with self._services.db.reading() as db, fenced(db, self._lease):
            self._check()
            await db.execute(_LONG)
            await db.execute(_BY_INDEX)
            last: int | None = await db.fetchval(_BITE_END, self._id, after, _BITE, timeout=SECONDS)
            if last is not None:
                await db.execute(_DELETE_MATCHED, self._id, after, last, timeout=SECONDS)
        return last


async def _verdict_of(lists: CostLists, invoice: Any, line: Any, match: Match | None) -> Sequence[Any]:
    """Returns a row of `_JUDGE`."""
    if match is None:
        return line["line"], LineVerdict.billedNotSent.value, None, None, None
    message = match.message
    expected = await _expected(lists, invoice, message)
    if not message["is_sent"]:
        verdict = LineVerdict.billedNotSent
    elif match.again:
        verdict = LineVerdict.billedTwice
    elif line["parts"] not in (None, message["parts"]):
        verdict = LineVerdict.otherParts
    elif expected is not None and line["price"] not in (None, expected):
        verdict = LineVerdict.otherPrice
    else:
        verdict = LineVerdict.matched
    if verdict in (LineVerdict.billedNotSent, LineVerdict.billedTwice):  # it is not to be paid
        return line["line"], verdict.value, message["id"], None, None
    return line["line"], verdict.value, message["id"], message["parts"], expected


async def _expected(lists: CostLists, invoice: Any, message: Any) -> Decimal | None:
    """Returns what a message costs by the costs of the route; None if they don't say it in the invoice's currency."""
    at, phone = message["made_at"], message["to"]
    if invoice["currency"] is None or lists.currency(invoice["route"], at) != invoice["currency"]:
        return None
    if not phone.startswith("+"):  # of an erased recipient the prefix of the price is left
        phone = f"+{message['price_prefix'] or ''}"
    cost = cost_of(await lists.book(invoice["route"], at), invoice["channel"], phone)
    return None if cost is None else cost * message["parts"]
