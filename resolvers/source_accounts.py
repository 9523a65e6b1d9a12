"""Source accounts: contract §3. A user's source, login and token are one row, however often they are sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import LargeBinary, inspect, or_

from db import models
from db.ids import uuid7
from db.keyset import Conditions, Cut, Keyset, Slice
from db.query import Listing, p
from engine.messengers.senders import link_sender
from engine.secret_keys import token_hashes
from postern.errors import Conflict, NotFound
from postern.operation import Op, operation
from postern.permissions import Permission
from schema.types.page import Rows
from schema.types.source_accounts import NewSourceAccount, SenderStatus

MOST = 10_000
_LONG = 16  # characters of a token that may show its last four

# What the statements answer: everything but the secrets, which no door shows and no idempotency key keeps.
_SECRETS = tuple(
    one.key
    for one in inspect(models.SourceAccount).column_attrs
    if isinstance(one.columns[0].type, LargeBinary)
)
_SHOWN = ", ".join(
    f'NULL::bytea AS "{one.key}"' if one.key in _SECRETS else f'"{one.key}"'
    for one in inspect(models.SourceAccount).column_attrs
)
# DO UPDATE, though nothing changes: it waits for whoever is making the row, and answers the row to everybody.
_ADD = f"""
INSERT INTO source_accounts (id, owner_id, source, login, name, token_hash, token_encrypted, token_hint)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (owner_id, source, login, token_hash) DO UPDATE SET login = excluded.login
RETURNING {_SHOWN}
"""  # noqa: S608  our own column names
# During a rotation two processes whose newest keys differ must not make one account twice: the lock makes them wait
# for each other, and the update, a statement of its own, sees what the other has committed.
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
WHERE id = $1 RETURNING {_SHOWN}
"""  # noqa: S608  our own column names
_BY_ID = f"SELECT {_SHOWN} FROM source_accounts WHERE id = $1"  # noqa: S608  our own column names
_LOCK_USER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_LIVING = "SELECT count(*) FROM source_accounts WHERE owner_id = $1 AND status <> 'deleted'"


@dataclass(frozen=True, slots=True)
class Added:
    """`made`: it was not there before."""

    account: models.SourceAccount
    made: bool


@cache
def _listing(everyone: bool, source: bool, login: bool) -> Listing[models.SourceAccount]:
    row = models.SourceAccount
    conditions = (
        (True, row.status != SenderStatus.deleted.value),
        (not everyone, row.owner_id == p("owner_id")),
        (source, row.source == p("source")),
        (login, row.login == p("login")),
    )
    return Listing(row, *(condition for wanted, condition in conditions if wanted))


@operation(Permission.senders_read, "read")
async def list(
    op: Op, page: int = 1, limit: int = 20, source: str | None = None, login: str | None = None
) -> Rows[models.SourceAccount]:
    """The caller's, newest first."""
    listing = _listing(op.viewer.admin, source is not None, login is not None)
    given = {"owner_id": op.viewer.id, "source": (source or "").lower(), "login": login}
    return await listing.page(op.db, page, limit, **given)


_ROW = models.SourceAccount
_LISTS = Keyset(
    _ROW,
    orders={"name": _ROW.name},
    always=(_ROW.status != SenderStatus.deleted.value,),
    special={
        ("text", "contains"): or_(
            *(one.ilike(p("text_contains_"), escape="\\") for one in (_ROW.login, _ROW.name))
        )
    },
    without=_SECRETS,
)
_MINE = _ROW.owner_id == p("owner_id")


@operation(Permission.senders_read, "read")
async def slice(op: Op, cut: Cut, where: Conditions) -> Slice[models.SourceAccount]:
    """A part of the caller's; of all, for administrators."""
    return await _LISTS.slice(op.db, cut, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def related(
    op: Op,
    by: Literal["owner_id", "messenger_account_uuid"],
    parents: Sequence[UUID],
    cut: Cut,
    where: Conditions,
) -> Sequence[Slice[models.SourceAccount]]:
    """A part of each owner's, or of those behind which each messenger account stands."""
    column = getattr(_ROW, by)
    return await _LISTS.slices(op.db, column, parents, cut, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def named(
    op: Op, ids: Sequence[UUID | None], wanted: frozenset[str] | None = None
) -> Sequence[models.SourceAccount | None]:
    """By id; None for those that are deleted, and those that the caller doesn't see."""
    return await _LISTS.named(op.db, ids, wanted, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def get(op: Op, id: UUID) -> models.SourceAccount:
    """Raises NotFound."""
    (row,) = await _LISTS.named(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.senders_write, "sql", idempotent=models.SourceAccount)
async def create(op: Op, input: NewSourceAccount) -> models.SourceAccount:
    """Raises Conflict when it exists, or when there are too many."""
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
    """The one that exists stays as it is. Raises Conflict when there are too many."""
    return await _add(op, input)


@operation(Permission.senders_write)
async def delete(op: Op, id: UUID) -> None:
    """Hides it and forgets its token; messages that were sent through it still name it. Raises NotFound."""
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
    # The vault's context names the row, so that what is sealed here opens nowhere else.
    sealed = op.services.vault.seal(input.token, _place(id))
    hashes = token_hashes(op.services, input.token)
    if len(hashes) > 1:  # the account may be known by the hash under an older key
        await db.execute(_LOCK_LOGIN, op.viewer.id, input.source, input.login)
        await db.execute(_REHASH, op.viewer.id, input.source, input.login, hashes[0], hashes[1:])
    row: Any = await db.fetchrow(
        _ADD, id, op.viewer.id, input.source, input.login, name, hashes[0], sealed, _hint(input.token)
    )
    made = bool(row.id == id)
    if row.status == SenderStatus.deleted:  # the row is ours until we commit, so only one caller revives it
        sealed = op.services.vault.seal(input.token, _place(row.id))
        row = await db.fetchrow(_REVIVE, row.id, SenderStatus.connected.value, name, sealed)
        made = True
    if made:
        # The user's row is the lock: two that add their last account at once don't both get it.
        await db.execute(_LOCK_USER, op.viewer.id)
        if await db.fetchval(_LIVING, op.viewer.id) > MOST:
            raise Conflict(
                f"You have {MOST} source accounts, the most that a user may have. Delete one first.",
                code="too_many_source_accounts",
            )
        await link_sender(db, op.viewer.id, input.source, input.login)
        row = await db.fetchrow(_BY_ID, row.id)
    return Added(row, made)


def _hint(token: str) -> str:
    return f"…{token[-4:]}" if len(token) >= _LONG else "…"


def _place(id: UUID) -> str:
    return f"source_accounts.token:{id}"
