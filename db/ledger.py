"""The ledger: every statement that moves a balance. Each writes the ledger entry and the balance together.

`reference` is what an entry is about: a message, a batch of a project, or for a credit its own id. Batches are deleted
when they are settled, so an entry of a project names the project too.
"""

from collections.abc import Iterable
from decimal import Decimal
from uuid import UUID

import asyncpg
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import PaymentRequired
from core.ids import uuid7
from db import models
from shapes.accounts import EntryKind

CHARGE = """
WITH charge AS MATERIALIZED (
  SELECT $1::uuid AS id WHERE postern_move_balance($1, -$2::numeric)
), entry AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id)
  SELECT $3, id, 'charge', -$2::numeric, $4, $5 FROM charge
)
SELECT count(*) FROM charge
"""
"""Charges an account, if it has as much, for messages of a project. Returns 1 or 0.

$1: account, $2: amount, $3: id of the entry, $4: reference, $5: project.
"""

REFUND = """
WITH entry AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id)
  VALUES ($3, $1, 'refund', $2, $4, $5)
)
SELECT postern_move_balance($1, $2)
"""
"""Refunds $2 to the account $1 for messages of a project. $3: id of the entry, $4: reference, $5: project."""

# The accounts are locked in the order of their ids: two transactions then wait, and never for each other.
REFUND_MANY = """
WITH refund AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id, attempt)
  SELECT r.entry, r.account_id, 'refund', r.amount, r.reference, r.project_id, 1
  FROM unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::uuid[], $5::uuid[])
    AS r (entry, account_id, amount, reference, project_id)
  ON CONFLICT (kind, reference, attempt) DO NOTHING
  RETURNING account_id, amount
), sums AS MATERIALIZED (
  SELECT account_id, sum(amount) AS amount FROM refund GROUP BY account_id ORDER BY account_id
)
SELECT postern_move_balance(account_id, amount) FROM sums
"""
"""Refunds amounts ($3) to accounts ($2), once a reference ($4). $1: ids of the entries, $5: projects, or NULL."""

# With several entries of one account the rest of its balance is found anew for each.
TAKE_BACK = """
WITH taken AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::uuid[], $5::int[], $6::uuid[])
    AS t (entry, account_id, amount, reference, attempt, project_id) ORDER BY account_id, entry
)
SELECT postern_take_back(account_id, entry, amount, reference, attempt, project_id) FROM taken
"""
"""Takes amounts ($3) back from accounts ($2) that were refunded too early; an account owes what its balance lacks. $1:
ids of the entries, $4: references, $5: attempts, which with the reference are unique, $6: projects, or NULL.
"""

LOCK = """
WITH sorted AS MATERIALIZED (SELECT id FROM unnest($1::uuid[]) AS a (id) ORDER BY id)
SELECT b.balance FROM sorted CROSS JOIN LATERAL postern_lock_balance(id, true) AS b
"""
"""Locks accounts in the order of their ids, for a transaction that moves the balance of each more than once."""

_RETAKEN = 2  # the attempt of a direct message's second charge: it is refunded once at most

DECISIONS = """
  SELECT d."position", d.decision, d.answer, d.repeats
  FROM postern_admit_messages({waits}, {accounts}, {amounts}, {refused}, {users}, {operations}, {keys}, {locks},
    {fingerprints}, {tokens}, {limits}, {currencies}) AS d
"""
"""Decides about charges, in order, and takes those that it admits from the balances: see postern_admit_messages."""

CHARGED_ENTRIES = """
entry AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference)
  SELECT entry_id, payer_id, 'charge', -price, id FROM admitted WHERE price > 0 ORDER BY "position"
)"""
"""Writes the entries of what `DECISIONS` has charged: the rows `admitted` (id, entry_id, payer_id, price, position) of
the same statement.
"""


async def refund_many(db: asyncpg.Connection, rows: list[tuple[UUID, Decimal, UUID, UUID | None]]) -> None:
    """Refunds to each account its amount, once a reference: rows of (account, amount, reference, project).

    Runs in the caller's transaction.
    """
    if rows:
        accounts, amounts, references, projects = map(list, zip(*rows, strict=True))
        await db.execute(REFUND_MANY, [uuid7() for _ in rows], accounts, amounts, references, projects)


async def take_back_many(db: asyncpg.Connection, rows: list[tuple[UUID, Decimal, UUID, UUID | None]]) -> None:
    """Charges again what was refunded for a reference: rows of (account, amount, reference, project). What the balance
    lacks is owed, and taken from the next credit.

    Runs in the caller's transaction, which does it once for each reference.
    """
    if rows:
        accounts, amounts, references, projects = map(list, zip(*rows, strict=True))
        attempts = [1 if project else _RETAKEN for project in projects]
        ids = [uuid7() for _ in rows]
        await db.execute(TAKE_BACK, ids, accounts, amounts, references, attempts, projects)


async def lock(db: asyncpg.Connection, accounts: Iterable[UUID]) -> None:
    """Locks accounts in one order, in the caller's transaction."""
    await db.execute(LOCK, sorted(set(accounts)))


async def move(
    session: AsyncSession,
    account_id: UUID,
    kind: EntryKind,
    amount: Decimal,
    *,
    reference: UUID,
    attempt: int = 1,
    note: str | None = None,
    created_by: UUID | None = None,
) -> bool:
    """Writes one ledger entry and changes the balance with it. Returns False if this entry already exists.

    `amount` is positive for every kind. Raises PaymentRequired if a charge exceeds the balance; the CHECK constraint
    on the balance is the last guard. A credit pays first what the account owes.
    """
    signed = -amount if kind is EntryKind.charge else amount
    entry = await session.scalar(
        insert(models.LedgerEntry)
        .values(
            id=uuid7(),
            account_id=account_id,
            kind=kind.value,
            amount=signed,
            reference=reference,
            attempt=attempt,
            note=note,
            created_by=created_by,
        )
        .on_conflict_do_nothing(index_elements=["kind", "reference", "attempt"])
        .returning(models.LedgerEntry.id)
    )
    if entry is None:
        return False
    if not await session.scalar(select(func.postern_move_balance(account_id, signed))):
        raise PaymentRequired("The balance is too low. Ask an administrator to credit the account.")
    if kind is EntryKind.credit:
        await session.execute(select(func.postern_collect_debts(account_id)))
    return True
