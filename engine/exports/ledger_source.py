"""Reads the ledger for an export: the movements of the balances of its owner's accounts, oldest first in each."""

from collections.abc import Sequence
from typing import Any, Final, cast
from uuid import UUID

from db.session import Database
from engine.exports.port import PAGE, Asked, Column, Pages, Source, after, all_of, before
from runtime.permissions import Permission

_COLUMNS: Final = (
    Column("uuid", "Id", "0193a5e0-7b1c-7000-8000-000000000008"),
    Column("createdAt", "At", "2026-11-20T12:00:00Z"),
    Column("accountUuid", "Account", "0193a5e0-7b1c-7000-8000-000000000009"),
    Column("accountName", "Name of the account", "Marketing"),
    Column("kind", "Kind", "charge"),
    Column("amount", "Amount", "-0.01"),
    Column("currency", "Currency", "EUR"),
    Column("reference", "Message, or batch of a project", "0193a5e0-7b1c-7000-8000-00000000000a"),
    Column("sendingProjectUuid", "Project", "0193a5e0-7b1c-7000-8000-000000000000"),
    Column("sendingProjectName", "Name of the project", "Spring sale"),
    Column("entryCount", "Entries of a day that are added up in it", "1200"),
    Column("note", "Note", "Invoice 12"),
)
_ACCOUNTS: Final = """
SELECT id FROM accounts WHERE ($1::uuid IS NULL OR owner_id = $1) AND ($2::uuid IS NULL OR id = $2) ORDER BY id
"""
_FILTERS: Final = """
  ($4::text IS NULL OR e.kind = $4) AND ($5::uuid IS NULL OR e.project_id = $5)
  AND ($6::timestamptz IS NULL OR e.created_at >= $6) AND ($7::timestamptz IS NULL OR e.created_at < $7)
"""
_NEWEST: Final = "SELECT id FROM ledger_entries WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT 1"
# Each statement reads one page of the index, whatever the filters leave of it.
_PAGE: Final = f"""
WITH looked AS (
  SELECT e.id FROM ledger_entries AS e WHERE e.account_id = $1 AND e.id > $2 AND e.id <= $3 ORDER BY e.id LIMIT $8
), bound AS (SELECT id FROM looked ORDER BY id DESC LIMIT 1)
SELECT bound.id AS bound, e.id AS "uuid", e.created_at AS "createdAt", e.account_id AS "accountUuid",
  a.name AS "accountName", e.kind, e.amount, a.currency, e.reference, e.project_id AS "sendingProjectUuid",
  p.name AS "sendingProjectName", e.entry_count AS "entryCount", e.note
FROM bound LEFT JOIN LATERAL (
  SELECT e.* FROM ledger_entries AS e
  WHERE e.account_id = $1 AND e.id > $2 AND e.id <= bound.id AND {_FILTERS} ORDER BY e.id LIMIT $8
) AS e ON true
LEFT JOIN accounts AS a ON a.id = e.account_id LEFT JOIN sending_projects AS p ON p.id = e.project_id
ORDER BY e.id
"""  # noqa: S608  our own words
_TOTAL: Final = f"""
SELECT count(*) FROM ledger_entries AS e WHERE e.account_id = $1 AND e.id > $2 AND e.id <= $3
  AND {_FILTERS}
"""  # noqa: S608  our own words


async def _accounts(db: Database, asked: Asked) -> Sequence[UUID]:
    rows = await db.fetch(_ACCOUNTS, asked.owner, asked.filters.get("accountUuid"))
    return [row["id"] for row in rows]


def _parameters(asked: Asked) -> Sequence[Any]:
    """Returns the parameters of `_FILTERS`."""
    filters = (asked.filters.get("kind"), asked.filters.get("sendingProjectUuid"))
    return (*filters, asked.moment("dateFrom"), asked.moment("dateTo"))


async def _pages(db: Database, asked: Asked) -> Pages:
    """Yields entries by account, oldest first."""
    parameters = _parameters(asked)
    end = after(asked.moment("dateTo"))
    for account in await _accounts(db, asked):
        last, newest = before(asked.moment("dateFrom")), await db.fetchval(_NEWEST, account, end)
        while newest is not None and (
            rows := await db.fetch(_PAGE, account, last, newest, *parameters, PAGE)
        ):
            last = rows[0]["bound"]
            yield [row for row in rows if row["uuid"] is not None]


async def _total(db: Database, asked: Asked) -> int:
    since, until = before(asked.moment("dateFrom")), after(asked.moment("dateTo"))
    accounts = await _accounts(db, asked)
    counts = [await db.fetchval(_TOTAL, id, since, until, *_parameters(asked)) for id in accounts]
    return cast(int, sum(counts))


LEDGER: Final = Source(_COLUMNS, _pages, _total, all_of(_COLUMNS), Permission.accounts_read)
