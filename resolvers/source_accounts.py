"""Source accounts (contract §3). A user's source, login and token give one row, even if they are sent repeatedly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import LargeBinary, inspect, or_

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, conditions
from db.query import p
from engine.messengers.project_links import link_source_account
from engine.secret_keys import token_hashes
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.page import Rows
from shapes.source_accounts import NewSourceAccount, SenderStatus

MOST = 10_000
_LONG = 16  # the last four characters are shown of tokens that are at least this long

# The statements return every column except secrets, which no door shows and no stored answer may contain.
_SECRETS = tuple(
    attribute.key
    for attribute in inspect(models.SourceAccount).column_attrs
    if isinstance(attribute.columns[0].type, LargeBinary)
)
_COLUMNS = ", ".join(
    f'NULL::bytea AS "{attribute.key}"' if attribute.key in _SECRETS else f'"{attribute.key}"'
    for attribute in inspect(models.SourceAccount).column_attrs
)
# DO UPDATE, although nothing changes: it waits for a concurrent insert of the row and returns the row to every caller.
_ADD = f"""
INSERT INTO source_accounts (id, owner_id, source, login, name, token_hash, token_encrypted, token_hint)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (owner_id, source, login, token_hash) DO UPDATE SET login = excluded.login
RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
# During a key rotation two processes with different newest keys must not create one account twice: the lock makes them
# wait for each other, and the update, a separate statement, sees what the other process has committed.
_LOCK_LOGIN = """
SELECT pg_advisory_xact_lock(hashtextextended('source_accounts:' || $1::uuid || ':' || $2::text || ':' || $3::text, 0))
"""
_REHASH = """
UPDATE source_accounts SET token_hash = $4
WHERE owner_id = $1 AND source = $2 AND login = $3 AND token_hash = ANY($5) AND NOT EXISTS (
  SELECT FROM source_accounts WHERE owner_id = $1 AND source = $2 AND login = $3 AND token_hash = $4
)
"""
_REVIVE = f"""
UPDATE source_accounts SET status = $2, status_at = NULL, name = $3, token_encrypted = $4,
  messenger_account_uuid = NULL, updated_at = now()
WHERE id = $1 RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_BY_ID = f"SELECT {_COLUMNS} FROM source_accounts WHERE id = $1"  # noqa: S608  our own column names
_LOCK_USER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_LIVING = "SELECT count(*) FROM source_accounts WHERE owner_id = $1 AND status <> 'deleted'"


@dataclass(frozen=True, slots=True)
class Added:
    """The source account. `made` is False if it existed before."""

    account: models.SourceAccount
    made: bool


_ROW = models.SourceAccount
_LISTS = Listing(
    _ROW,
    orders={"name": _ROW.name},
    always=(_ROW.status != SenderStatus.deleted.value,),
    filters={
        ("text", "contains"): or_(
            *(column.ilike(p("text_contains_"), escape="\\") for column in (_ROW.login, _ROW.name))
        )
    },
    without=_SECRETS,
)
_MINE = _ROW.owner_id == p("owner_id")


@operation(Permission.senders_read, "read")
async def list(
    op: Op, page: int = 1, limit: int = 20, source: str | None = None, login: str | None = None
) -> Rows[models.SourceAccount]:
    """Returns what `page` returns, by page numbers."""
    lower = None if source is None else source.lower()
    where = conditions({("source", "eq"): lower, ("login", "eq"): login})
    return await _LISTS.numbered(op.db, page, limit, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.SourceAccount]:
    """Lists your source accounts, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def related(
    op: Op,
    by: Literal["owner_id", "messenger_account_uuid"],
    parents: Sequence[UUID],
    page_args: PageArgs,
    where: Conditions,
) -> Sequence[CursorPage[models.SourceAccount]]:
    """Returns one page of source accounts for each owner or for each messenger account."""
    column = getattr(_ROW, by)
    return await _LISTS.pages(op.db, column, parents, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.SourceAccount | None]:
    """Returns source accounts by id. A deleted one, or one that the caller may not see, gives None."""
    return await _LISTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def get(op: Op, id: UUID) -> models.SourceAccount:
    """Returns one source account (a sender identity). Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.senders_write, "sql", idempotent=stored_model(models.SourceAccount))
async def create(op: Op, input: NewSourceAccount) -> models.SourceAccount:
    """Adds a source account (a sender identity) that does not exist yet. Raises Conflict if it exists, or if there are
    too many.
    """
    added = await _add(op, input)
    if not added.made:
        raise Conflict(
            "You already have this source account. POST /account/create-or-get returns it.",
            code="source_account_exists",
            details={"uuid": str(added.account.id)},
        )
    return added.account


@operation(Permission.senders_write, "sql")
async def create_or_get(op: Op, input: NewSourceAccount) -> Added:
    """Adds a source account, or returns the existing one with this source, login and token.

    The existing one stays unchanged. Raises Conflict if there are too many.
    """
    return await _add(op, input)


@operation(Permission.senders_write)
async def delete(op: Op, id: UUID) -> None:
    """Deletes a source account and its stored token.

    Its row stays, hidden: messages sent through it keep its id. Raises NotFound.
    """
    account = await op.session.get(models.SourceAccount, id, with_for_update=True)
    if account is None or not _sees(op, account):
        raise _unknown()
    account.status, account.token_encrypted = SenderStatus.deleted.value, b""


def _sees(op: Op, account: models.SourceAccount) -> bool:
    mine = op.viewer.admin or account.owner_id == op.viewer.id
    return mine and account.status != SenderStatus.deleted


def _unknown() -> NotFound:
    return NotFound(
        "There is no source account with this uuid among yours. Check the uuid.",
        code="source_account_not_found",
    )


async def _add(op: Op, input: NewSourceAccount) -> Added:
    db, id, name = op.connection, uuid7(), input.name or input.login
    # The vault's context names the row, so the token can't be opened for another row.
    sealed = op.services.vault.seal(input.token, _vault_context(id))
    hashes = token_hashes(op.services, input.token)
    if len(hashes) > 1:  # the account may be known by the hash under an older key
        await db.execute(_LOCK_LOGIN, op.viewer.id, input.source, input.login)
        await db.execute(_REHASH, op.viewer.id, input.source, input.login, hashes[0], hashes[1:])
    row: Any = await db.fetchrow(
        _ADD, id, op.viewer.id, input.source, input.login, name, hashes[0], sealed, _hint(input.token)
    )
    made = bool(row.id == id)
    if row.status == SenderStatus.deleted:  # the row is locked, so only one caller revives it
        sealed = op.services.vault.seal(input.token, _vault_context(row.id))
        row = await db.fetchrow(_REVIVE, row.id, SenderStatus.connected.value, name, sealed)
        made = True
    if made:
        # The lock on the user's row keeps two concurrent requests from both adding the last allowed account.
        await db.execute(_LOCK_USER, op.viewer.id)
        if await db.fetchval(_LIVING, op.viewer.id) > MOST:
            raise Conflict(
                f"You have {MOST} source accounts, the most that a user may have. Delete one first.",
                code="too_many_source_accounts",
            )
        await link_source_account(db, op.viewer.id, input.source, input.login)
        row = await db.fetchrow(_BY_ID, row.id)
    return Added(row, made)


def _hint(token: str) -> str:
    return f"…{token[-4:]}" if len(token) >= _LONG else "…"


def _vault_context(id: UUID) -> str:
    return f"source_accounts.token:{id}"
