"""The job that makes statements.

A worker adds up in one snapshot, and stores document and signature in one statement. One that is killed leaves the row
as it was, with the time at which it was begun: the next worker makes the same bytes of the same records.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import asyncpg
import orjson
import structlog

from engine.exports.port import before
from engine.faultpoints import fault_point
from engine.jobs import JobName
from engine.jobs.fair_queue import fairly
from engine.reconciliations import signing_keys
from engine.reconciliations.canonical import canonical
from engine.statements import mailing
from engine.statements.document import Balance, Late, Position, document_of
from engine.statements.months import begin_of, day_of, name_of, next_month
from engine.statements.sums import KINDS, Period, Sums, read
from runtime.leases import JobLease
from runtime.services import Services

log = structlog.get_logger("postern.statements")

_LONG: Final = 600.0  # seconds of one statement of SQL
_AGAIN: Final = timedelta(seconds=2)
_AHEAD: Final = timedelta(days=91)  # `sendAt` is at most ninety days away

# The oldest that wait: a turn of the fair queue reads all of them.
_WAITING: Final = """
SELECT a.owner_id, s.id FROM (
  SELECT id, account_id FROM statements WHERE made_at IS NULL ORDER BY month, account_id LIMIT 200
) AS s JOIN accounts AS a ON a.id = s.account_id
"""
# The time is that of the first attempt: a later one makes the same document.
_BEGIN: Final = """
UPDATE statements SET begun_at = COALESCE(begun_at, now()) WHERE id = $1 AND made_at IS NULL
RETURNING id, account_id, month, begun_at, EXISTS (
  SELECT FROM statements AS o WHERE o.account_id = statements.account_id AND o.month < statements.month
    AND o.made_at IS NULL
) AS is_early
"""
_BEFORE: Final = """
SELECT number, hash, closing_balance FROM statements WHERE account_id = $1 AND made_at IS NOT NULL
ORDER BY number DESC LIMIT 1
"""
_ACCOUNT: Final = """
SELECT a.id, a.owner_id, a.name, a.currency, a.balance, a.created_at, i.id AS installation_id
FROM accounts AS a LEFT JOIN installation AS i ON true WHERE a.id = $1
"""
_SINCE: Final = """
SELECT COALESCE(sum(amount), 0) FROM ledger_entries
WHERE account_id = $1 AND id > $2 AND created_at >= $3
"""
_BY_MONTH: Final = """
SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month, sum(amount) AS amount FROM ledger_entries
WHERE account_id = $1 AND created_at < $2 GROUP BY 1
"""
_DOCUMENTS: Final = """
SELECT document FROM statements WHERE account_id = $1 AND made_at IS NOT NULL ORDER BY number
"""
_MADE: Final = """
UPDATE statements SET number = $2, state = $3, currency = $4, opening_balance = $5, closing_balance = $6,
  document = $7, hash = $8, previous_hash = $9, signature = $10, key_id = $11, made_at = now()
WHERE id = $1 AND made_at IS NULL RETURNING id
"""
# A month of millions of entries is joined with millions of messages.
_LIMITS: Final = "SET LOCAL statement_timeout = '10min'; SET LOCAL work_mem = '64MB'"


class Interrupted(Exception):
    """This worker must stop, or another one has the work."""


@fairly(JobName.make_statement, "exports", waiting=_WAITING, share=1)
async def make_statement(services: Services, id: UUID, lease: JobLease) -> None:
    """Makes one statement, after those of the account's earlier months."""
    async with services.db.transaction() as db:
        await signing_keys.signer(db, services.vault)  # what can't be signed is not begun
        row = await db.fetchrow(_BEGIN, id)
    if row is None:
        return
    if row["is_early"]:
        lease.pause = _AGAIN
        return
    fault_point("statement.begun")
    try:
        counted = await _count(services, row, lease)
        fault_point("statement.counted")
        await _store(services, row, lease, *counted)
    except Interrupted:
        if not services.stopping.is_set():
            lease.pause = _AGAIN


async def _count(services: Services, row: Any, lease: JobLease) -> tuple[Any, Sums, Balance, Any]:
    """Adds up a month in one snapshot: returns the account, the sums, the balance and the statement before."""
    begin, end = begin_of(row["month"]), begin_of(next_month(row["month"]))
    sums = Sums()
    async with services.db.reading() as db, db.transaction(isolation="repeatable_read", readonly=True):
        await db.execute(_LIMITS)
        account: Any = await db.fetchrow(_ACCOUNT, row["account_id"])
        earlier = await db.fetchrow(_BEFORE, row["account_id"])
        async for _ in read(db, sums, Period(row["account_id"], begin, end), begin - _AHEAD):
            if services.stopping.is_set() or not lease.valid:
                raise Interrupted
        since = await db.fetchval(_SINCE, row["account_id"], before(end), end, timeout=_LONG)
        balance = await _balance(db, account, earlier, sums, account["balance"] - since, begin)
    return account, sums, balance, earlier


async def _balance(
    db: asyncpg.Connection, account: Any, earlier: Any, sums: Sums, closing: Decimal, begin: datetime
) -> Balance:
    """Returns the balance of the month. It opens with what the statement before closed with."""
    net = sum((sums.amount(kind) for kind in KINDS), Decimal())
    if earlier is None:
        is_new = account["created_at"] >= begin
        return Balance(Decimal() if is_new else closing - net, closing, ())
    begin_balance = earlier["closing_balance"]
    if begin_balance + net == closing:
        return Balance(begin_balance, closing, ())
    return Balance(begin_balance, closing, await _late(db, account["id"], begin))


async def _late(db: asyncpg.Connection, account: UUID, begin: datetime) -> Sequence[Late]:
    """Returns what the ledger has of earlier months and no statement has said."""
    rows = await db.fetch(_BY_MONTH, account, begin, timeout=_LONG)
    missing: dict[date, Decimal] = {row["month"]: row["amount"] for row in rows}
    covered = set[date]()
    for row in await db.fetch(_DOCUMENTS, account):
        document = orjson.loads(row["document"])
        month = day_of(document["month"])
        covered.add(month)
        for counted, amount in ((month, document["balance"]["net"]), *_late_in(document)):
            missing[counted] = missing.get(counted, Decimal()) - Decimal(amount)
    return [Late(month, missing[month]) for month in sorted(covered) if missing.get(month)]


def _late_in(document: Any) -> Sequence[tuple[date, str]]:
    return [(day_of(each["month"]), each["amount"]) for each in document["late"]]


async def _store(
    services: Services, row: Any, lease: JobLease, account: Any, sums: Sums, balance: Balance, earlier: Any
) -> None:
    """Stores document and signature, and has the owner mailed who wants that. Raises Interrupted if another worker has
    done it.
    """
    number, previous = (earlier["number"] + 1, earlier["hash"]) if earlier else (1, None)
    document = document_of(account, sums, balance, Position(row["month"], number, previous, row["begun_at"]))
    payload = canonical(document)
    async with services.db.transaction() as db:
        signer = await signing_keys.signer(db, services.vault)
        made = await db.fetchval(
            _MADE, row["id"], number, document["state"], account["currency"], balance.at_begin, balance.at_end,
            payload.decode(), sha256(payload).digest(), previous, signer.sign(payload), signer.kid,
        )  # fmt: skip
        if made is None or not lease.valid:
            raise Interrupted
        await mailing.ask(services, db, account, row["id"])
        fault_point("statement.made")
    month = name_of(row["month"])
    if document["differences"]:
        log.error(
            "an account does not add up",
            account=str(account["id"]),
            month=month,
            differences=document["differences"],
        )
    log.info("a statement was made", account=str(account["id"]), month=month, lines=len(document["lines"]))
