"""Configuration of messenger accounts (contract §4, area C): named JSON documents; the service itself reads `default`.

setConfig replaces the document of that name. A top-level key with null is left out, and an empty document is removed.
After the commit the live account is woken and reads `default` again (`engine.messengers.accounts`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import any_, select

from core.errors import Conflict, NotFound, ValidationFailed
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from engine.messengers import call_client
from resolvers.messenger_accounts.account_rows import MINE, Key, mine
from resolvers.messenger_relations import of_seen
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.configuration import DEFAULT, MAX_DOCUMENTS, Config, checked
from shapes.messenger_accounts import MessengerSource

MOST = 500  # documents in one answer
MOST_BYTES = 8 * 1024 * 1024  # total size of one answer; the first document is always included

# Pages follow the order of creation, which does not change when a document changes. The sum covers this page only.
_LIST = f"""
SELECT id, account_id, source, login, name, config, updated_at, total FROM (
  SELECT page.*, sum(octet_length(page.config::text)) OVER (ORDER BY page.id) - octet_length(page.config::text)
    AS before,
    count(*) OVER () AS total
  FROM (
    SELECT c.id, c.account_id, a.source, a.login, c.name, c.config, c.updated_at
    FROM messenger_configs c JOIN messenger_accounts a ON a.id = c.account_id
    WHERE a.owner_id = $1 AND a.deleted_at IS NULL AND ($2::text IS NULL OR a.source = $2)
      AND ($3::uuid IS NULL OR c.id > $3)
    ORDER BY c.id LIMIT {MOST + 1}
  ) page
) summed WHERE before < {MOST_BYTES} ORDER BY id LIMIT {MOST}
"""  # noqa: S608  our own numbers
_GET = "SELECT config, updated_at FROM messenger_configs WHERE account_id = $1 AND name = $2"
# The lock on the account's row keeps two concurrent requests from both adding the last allowed document.
_LOCK = "SELECT 1 FROM messenger_accounts WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE"
_SET = """
INSERT INTO messenger_configs (id, account_id, name, config, updated_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (account_id, name) DO UPDATE SET config = excluded.config, updated_at = excluded.updated_at
RETURNING updated_at
"""
_COUNT = "SELECT count(*) FROM messenger_configs WHERE account_id = $1"
_REMOVE = "DELETE FROM messenger_configs WHERE account_id = $1 AND name = $2"


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents of one answer. `next` is the id after which more follow, or None."""

    configs: list[Any]
    next: UUID | None


@operation(Permission.messengers_read, "read")
async def list(op: Op, source: MessengerSource | None = None, after: UUID | None = None) -> Documents:
    """Returns the documents that `page` returns, after the id `after`."""
    rows = await op.db.fetch(_LIST, op.viewer.id, source.value if source else None, after)
    more = bool(rows) and rows[0].total > len(rows)
    return Documents(rows, rows[-1].id if more else None)


_CONFIG, _ACCOUNT = models.MessengerConfig, models.MessengerAccount


def _of_account(column: Any) -> Any:
    return select(column).where(_ACCOUNT.id == _CONFIG.account_id).scalar_subquery()


_SOURCE = _of_account(_ACCOUNT.source)
_LISTS = Listing(
    _CONFIG,
    descending=False,
    filters={
        ("source", "eq"): p("source_eq_") == _SOURCE,
        ("source", "in_"): any_(p("source_in__", like=_ACCOUNT.source)) == _SOURCE,
        ("source", "not_in"): ~(any_(p("source_not_in_", like=_ACCOUNT.source)) == _SOURCE),
    },
    extra=(_SOURCE.label("source"), _of_account(_ACCOUNT.login).label("login")),
)
_ONES_OWN = select(1).where(_ACCOUNT.id == _CONFIG.account_id, _ACCOUNT.deleted_at.is_(None), MINE).exists()


@operation(Permission.messengers_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.MessengerConfig]:
    """Lists the documents of all your messenger accounts, in the order in which they were first set."""
    return await _LISTS.page(op.db, page_args, where, _ONES_OWN, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def of_accounts(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.MessengerConfig]]:
    """Returns one page of documents for each account, in the order of creation."""
    scope = of_seen(_CONFIG.account_id, op.viewer.admin)
    return await _LISTS.pages(
        op.db, _CONFIG.account_id, accounts, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def get(op: Op, key: Key, name: str = DEFAULT) -> Config:
    """Returns one document of a messenger account; `default` always exists.

    `default` is empty at first. Raises NotFound (account, document).
    """
    account = await mine(op, key)
    row = await op.db.fetchrow(_GET, account.id, name)
    if row is None and name != DEFAULT:
        raise NotFound(
            f"This account has no configuration document {name[:64]!r}. Create it with setConfig;"
            " getConfigList lists the existing ones.",
            code="config_not_found",
        )
    config, at = (row.config, row.updated_at) if row is not None else ({}, account.created_at)
    return _config(account, name, config, at)


@operation(Permission.messengers_write, "outside")
async def set(op: Op, key: Key, name: str, config: dict[str, Any]) -> Config:
    """Replaces one document of a messenger account; `{}` deletes it. docs/messengers.md lists the keys of `default`.

    Returns the document as stored. Raises NotFound, ValidationFailed (for a key of `default`), Conflict (too many
    documents).
    """
    account = await mine(op, key)
    try:
        document = checked(name, config)
    except ValueError as error:
        raise ValidationFailed([str(error)]) from None
    async with op.db.transaction() as db:
        if await db.fetchval(_LOCK, account.id) is None:
            raise NotFound(
                "The account was deleted during this request. Use another account.", code="account_not_found"
            )
        if document:
            at = await db.fetchval(_SET, uuid7(), account.id, name, document)
            if await db.fetchval(_COUNT, account.id) > MAX_DOCUMENTS:
                raise Conflict(
                    f"An account may have at most {MAX_DOCUMENTS} configuration documents. Remove one by calling"
                    " setConfig with an empty config.",
                    code="too_many_configs",
                )
        else:
            await db.execute(_REMOVE, account.id, name)
            at = op.services.db.now()
    if name == DEFAULT:
        await call_client.wake(op.services, account.id)
    return _config(account, name, document, at)


def _config(account: Any, name: str, config: dict[str, Any], at: datetime) -> Config:
    return Config(
        account_id=account.id,
        source=account.source,
        login=account.login,
        name=name,
        config=config,
        updated_at=at,
    )
