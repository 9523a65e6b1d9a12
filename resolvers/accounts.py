"""Accounts and their ledger (contract §2). A balance changes only together with a ledger entry, in one transaction."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import any_, exists, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.errors import Conflict, Forbidden, NotFound, ValidationFailed
from core.ids import uuid7
from db import ledger, models
from db.lists import Conditions, CursorPage, Listing, PageArgs, by_values
from db.lists.filters import selected
from db.query import Query, columns, of, p
from resolvers.patching import refuse_changes
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.accounts import AccountPatch, Balance, Credit, EntryKind, NewAccount, Plan
from shapes.page import Rows

MOST = Decimal(10**11)
"""The highest balance that a credit may reach: a tenth of what the column holds, so that every refund fits."""

_BY_ID = of(models.Account, models.Account.id == p("id"))
_ENTRY = of(models.LedgerEntry, models.LedgerEntry.id == p("id"))
_OLDEST = Query(
    models.Account,
    select(*columns(models.Account))
    .where(models.Account.owner_id == p("owner_id"))
    .order_by(models.Account.id)
    .limit(1),
)


def _of_messages(*scope: Any) -> Query[models.LedgerEntry]:
    """Returns the query of the ledger entries of direct messages."""
    ledger_entry = models.LedgerEntry
    return Query(
        ledger_entry,
        select(*columns(ledger_entry))
        # Both columns are needed for the index of the unique constraint.
        .where(
            or_(ledger_entry.kind == EntryKind.charge.value, ledger_entry.kind == EntryKind.refund.value),
            ledger_entry.reference == any_(p("messages", like=ledger_entry.reference)),
            *scope,
        )
        .order_by(ledger_entry.id),
    )


_OF_MESSAGES = {
    True: _of_messages(),
    False: _of_messages(
        exists().where(
            models.Account.id == models.LedgerEntry.account_id, models.Account.owner_id == p("owner_id")
        )
    ),
}
_STEPS = "SELECT id, chain_id FROM messages WHERE chain_id = ANY($1)"
_ACCOUNTS = Listing(models.Account)
_ENTRY_ROW, _OTHER = models.LedgerEntry, aliased(models.LedgerEntry)
# In this order only the index of projects has its rows. By `id` alone, an old project's newest entry would be looked
# for from the newest of all.
_NEWEST = (
    select(_OTHER.id)
    .where(
        _OTHER.project_id.is_not(None),
        tuple_(_OTHER.project_id, _OTHER.account_id) <= tuple_(_ENTRY_ROW.project_id, _ENTRY_ROW.account_id),
    )
    .order_by(_OTHER.project_id.desc(), _OTHER.account_id.desc(), _OTHER.id.desc())
    .limit(1)
    .correlate(_ENTRY_ROW)
    .scalar_subquery()
)
_LEDGER = Listing(
    models.LedgerEntry,
    ranges=by_values(kind=EntryKind),
    by_time=True,
    # A scalar subquery, so that the newest entry of the project is looked up in its index, row by row.
    filters={
        ("grouped", "eq"): or_(~p("grouped_eq_"), _ENTRY_ROW.project_id.is_(None), _ENTRY_ROW.id == _NEWEST)
    },
)
# The newest of those that a filter by time or kind leaves: the newest of all may be none of them.
_NEWEST_LEFT = (
    select(_OTHER.id)
    .where(
        _OTHER.project_id == _ENTRY_ROW.project_id,
        _OTHER.account_id == _ENTRY_ROW.account_id,
        _OTHER.created_at >= p("group_gte"),
        _OTHER.created_at > p("group_gt"),
        _OTHER.created_at <= p("group_lte"),
        _OTHER.created_at < p("group_lt"),
        _OTHER.kind == any_(p("group_kinds", like=_OTHER.kind)),
    )
    .order_by(_OTHER.id.desc())
    .limit(1)
    .correlate(_ENTRY_ROW)
    .scalar_subquery()
)
_GROUPED_LEFT = or_(_ENTRY_ROW.project_id.is_(None), _ENTRY_ROW.id == _NEWEST_LEFT)
_BOUNDS = {
    "gte": datetime(1, 1, 2, tzinfo=UTC), "gt": datetime(1, 1, 2, tzinfo=UTC),
    "lte": datetime(9999, 12, 30, tzinfo=UTC), "lt": datetime(9999, 12, 30, tzinfo=UTC),
}  # fmt: skip
_MINE = models.Account.owner_id == p("owner_id")
_OF_ACCOUNT = models.LedgerEntry.account_id == p("account_id")


@operation(Permission.accounts_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[models.Account]:
    """Returns what `page` returns, by page numbers."""
    return await _ACCOUNTS.numbered(op.db, page, limit, {}, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.accounts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Account]:
    """Lists your accounts, newest first; administrators get all accounts."""
    return await _ACCOUNTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.accounts_read, "read")
async def of_users(
    op: Op, user_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Account]]:
    """Returns one page of accounts for each owner."""
    return await _ACCOUNTS.pages(
        op.db, models.Account.owner_id, user_ids, page_args, where, *op.own(_MINE), owner_id=op.viewer.id
    )


@operation(Permission.accounts_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Account | None]:
    """Returns accounts by id. An id that the caller may not see gives None, since an account can change its owner."""
    return await _ACCOUNTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.accounts_read, "read")
async def ledgers(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.LedgerEntry]]:
    """Returns one page of ledger entries for each account. The GraphQL door has already checked that the caller sees
    the accounts.
    """
    where, scope, values = _grouped(where)
    return await _LEDGER.pages(
        op.db, models.LedgerEntry.account_id, accounts, page_args, where, *scope, **values
    )


@operation(Permission.accounts_read, "read")
async def ledger_of(
    op: Op, id: UUID, page_args: PageArgs, where: Conditions
) -> CursorPage[models.LedgerEntry]:
    """Lists the movements of an account's balance, newest first. Raises NotFound."""
    account = await visible(op, id)
    where, scope, values = _grouped(where)
    return await _LEDGER.page(op.db, page_args, where, _OF_ACCOUNT, *scope, account_id=account.id, **values)


def _grouped(where: Conditions) -> tuple[Conditions, tuple[Any, ...], dict[str, Any]]:
    """Returns the filter, and a condition with its values in place of `grouped` beside a filter by time or kind."""
    others = {name: value for name, value in where.items() if name[0] in ("created_at", "kind")}
    if not where.get(("grouped", "eq")) or not others:
        return where, (), {}
    rest = {name: value for name, value in where.items() if name[0] != "grouped"}
    kinds = selected(others, "kind", EntryKind)
    times = {f"group_{name}": others.get(("created_at", name), bound) for name, bound in _BOUNDS.items()}
    return rest, (_GROUPED_LEFT,), {**times, "group_kinds": kinds}


@operation(Permission.accounts_read, "read")
async def entries_of_messages(op: Op, messages: Sequence[UUID]) -> Sequence[Sequence[models.LedgerEntry]]:
    """Returns the charge and the refund of each direct message, oldest first, if the caller sees the account."""
    query = _OF_MESSAGES[op.viewer.admin]
    # The entries of a chain are those of its steps.
    heads = {row["id"]: row["chain_id"] for row in await op.db.fetch(_STEPS, [*messages])}
    by_message: dict[UUID, Any] = {id: [] for id in messages}
    for row in await query.all(op.db, messages=[*messages, *heads], owner_id=op.viewer.id):
        by_message[heads.get(row.reference, row.reference)].append(row)
    return [by_message[id] for id in messages]


@operation(Permission.accounts_read, "read")
async def entry(op: Op, id: UUID) -> models.LedgerEntry:
    """Returns one ledger entry: one movement of a balance. Raises NotFound."""
    ledger_entry = await _ENTRY.first(op.db, id=id)
    if ledger_entry is None:
        raise NotFound("There is no ledger entry with this id among yours. Check the id.")
    await visible(op, ledger_entry.account_id)
    return ledger_entry


@operation(Permission.accounts_read, "read")
async def get(op: Op, id: UUID) -> models.Account:
    """Returns one account. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.accounts_read, "read")
async def balance(op: Op, id: UUID) -> Balance:
    """Returns the amount left to spend. Raises NotFound."""
    account = await visible(op, id)
    return Balance(account_id=account.id, balance=account.balance, currency=account.currency)


@operation(Permission.accounts_write, idempotent=stored_model(models.Account))
async def create(op: Op, input: NewAccount) -> models.Account:
    """Opens an account with a balance of zero. Raises Conflict if the caller already has the allowed number of
    accounts.
    """
    most = op.services.settings.accounts_per_user
    # The lock on the user's row keeps two concurrent requests from both opening the last allowed account.
    await op.session.execute(
        select(models.User.id).where(models.User.id == op.viewer.id).with_for_update(key_share=True)
    )
    owned = await op.session.scalar(
        select(func.count()).select_from(models.Account).where(models.Account.owner_id == op.viewer.id)
    )
    if owned is not None and owned >= most:
        raise Conflict(
            f"A user may have at most {most} accounts. Use one of yours.", code="too_many_accounts"
        )
    if _plans_are_fixed(op) and input.plan is not Plan.free:
        raise Forbidden(
            "Only administrators set the plan of an account here. Leave `plan` out.",
            code="read_only_field",
            details={"field": "plan"},
        )
    return await _open(op.session, op.viewer.id, input.name, input.plan, input.currency)


@operation(Permission.accounts_write)
async def set_low_balance(op: Op, id: UUID, below: Decimal | None) -> models.Account:
    """Sets the balance below which an account is low: an event `account.low` says when it falls below it. null: none.
    Raises NotFound, ValidationFailed.
    """
    account = await op.session.get(models.Account, id, with_for_update=True)
    if account is None or not _sees(op, account):
        raise _unknown()
    if below is not None and not 0 < below < MOST:
        raise ValidationFailed([f"below: must be above 0 and below {MOST}"])
    account.low_balance = below
    return account


@operation(Permission.accounts_write)
async def update(op: Op, id: UUID, input: AccountPatch) -> models.Account:
    """Changes name, plan or (before the first entry) currency. Raises NotFound, Forbidden for read-only fields, and
    Conflict for the currency of an account that has ledger entries.
    """
    account = await op.session.get(models.Account, id, with_for_update=True)
    if account is None or not _sees(op, account):
        raise _unknown()
    refuse_changes(account, input, "id", "balance", "owed", "created_at")
    if not op.viewer.admin:
        refuse_changes(account, input, "owner_id", *(["plan"] if _plans_are_fixed(op) else []))
    if input.owner_id is not None and input.owner_id != account.owner_id:
        if await op.session.get(models.User, input.owner_id) is None:
            raise NotFound("There is no user with this ownerId. Check the id.", code="user_not_found")
        account.owner_id = input.owner_id
    if input.name is not None:
        account.name = input.name
    if input.plan is not None:
        account.plan = input.plan.value
    if input.currency is not None and input.currency != account.currency:
        used = await op.session.scalar(select(exists().where(models.LedgerEntry.account_id == account.id)))
        if used:
            raise Conflict(
                "The currency can't change after the first ledger entry. Open another account in the new"
                " currency.",
                code="currency_fixed",
            )
        account.currency = input.currency
    await op.session.flush()
    await op.session.refresh(account)
    return account


@operation(Permission.accounts_credit, idempotent=stored_model(models.Account))
async def credit(op: Op, input: Credit) -> models.Account:
    """Adds money to an account, for administrators. Raises NotFound, and Conflict if the balance would be too large."""
    return await put(op.session, input, created_by=op.viewer.id)


async def put(session: AsyncSession, input: Credit, *, created_by: UUID | None) -> models.Account:
    """Adds money to an account. Raises NotFound, and Conflict if the balance would be too large."""
    account = await session.get(models.Account, input.account_id, with_for_update=True)
    if account is None:
        raise _unknown()
    if account.balance + input.amount > MOST:
        raise Conflict(
            f"The balance of an account can't exceed {MOST}. Credit a smaller amount.",
            code="balance_too_large",
        )
    await ledger.move(
        session,
        account.id,
        EntryKind.credit,
        input.amount,
        reference=uuid7(),
        note=input.note,
        created_by=created_by,
    )
    await session.refresh(account)
    return account


async def visible(op: Op, id: UUID) -> models.Account:
    """Returns one of the caller's accounts; an administrator may read any account. Raises NotFound."""
    account = await _BY_ID.first(op.db, id=id)
    if account is None or not _sees(op, account):
        raise _unknown()
    return account


async def paying(op: Op, id: UUID | None) -> models.Account:
    """Returns the account with this id, or the caller's oldest account without an id. Raises NotFound."""
    if id is not None:
        return await visible(op, id)
    account = await _OLDEST.first(op.db, owner_id=op.viewer.id)
    if account is None:
        raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    return account


async def open_first(session: AsyncSession, owner_id: UUID, credit: str) -> models.Account:
    """Opens the account that every user starts with, and books the operator's signup credit."""
    account = await _open(session, owner_id, "Main", Plan.free, "USD")
    if Decimal(credit) > 0:
        await ledger.move(
            session, account.id, EntryKind.credit, Decimal(credit), reference=uuid7(), note="signup credit"
        )
        await session.refresh(account)
    return account


async def _open(
    session: AsyncSession, owner_id: UUID, name: str, plan: Plan, currency: str
) -> models.Account:
    account = models.Account(owner_id=owner_id, name=name, plan=plan.value, currency=currency)
    session.add(account)
    await session.flush()
    await session.refresh(account)
    return account


def _sees(op: Op, account: Any) -> bool:
    return op.viewer.admin or account.owner_id == op.viewer.id


def _plans_are_fixed(op: Op) -> bool:
    return op.services.settings.plans_by == "operator" and not op.viewer.admin


def _unknown() -> NotFound:
    return NotFound("There is no account with this id among yours. Check the id.", code="account_not_found")
