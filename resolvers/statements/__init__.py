"""Statements of accounts for their readers; engine/statements makes them."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import orjson

from core.errors import NotFound
from core.json_text import amount_text
from engine.reconciliations import jws
from engine.statements.months import day_of, name_of
from resolvers.accounts import visible
from resolvers.auth.link_makers import bad_link, is_link_alive
from runtime import links
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.statements import MOST, AccountStatement, SignedStatement

_COLUMNS: Final = """s.account_id, s.month, s.number, s.state, s.currency, s.opening_balance, s.closing_balance,
  s.hash, s.previous_hash, s.key_id, s.made_at"""
_LIST: Final = f"""
SELECT {_COLUMNS} FROM statements AS s WHERE s.account_id = $1 AND s.made_at IS NOT NULL
ORDER BY s.month DESC LIMIT {MOST}
"""  # noqa: S608  our own words
_BY_MONTH: Final = f"""
SELECT {_COLUMNS}, s.document, s.signature, k.public_key, a.owner_id FROM statements AS s
JOIN signing_keys AS k ON k.kid = s.key_id JOIN accounts AS a ON a.id = s.account_id
WHERE s.account_id = $1 AND s.month = $2 AND s.made_at IS NOT NULL
"""  # noqa: S608  our own words
_READS: Final = frozenset({Permission.accounts_read.value})


@operation(Permission.accounts_read, "read")
async def of_account(op: Op, id: UUID) -> Sequence[AccountStatement]:
    """Lists the statements of an account, the newest first, at most 120. That of a month is made on the 3rd of the next
    one (UTC). Raises NotFound.
    """
    account = await visible(op, id)
    return [AccountStatement(**_values(row)) for row in await op.db.fetch(_LIST, account.id)]


@operation(Permission.accounts_read, "read")
async def get(op: Op, id: UUID, month: str) -> SignedStatement:
    """Returns the statement of an account and a month (UTC): opening and closing balance, and credits, charges and
    refunds by channel, category, country, route, sender and project, with messages and parts beside each amount.
    Messages that cost nothing are counted without an amount. Raises NotFound (`no_statement`).
    """
    account = await visible(op, id)
    row = await op.db.fetchrow(_BY_MONTH, account.id, day_of(month))
    if row is None:
        raise NotFound(
            f"The account has no statement of {month}. A statement is made on the 3rd of the next month (UTC); the list"
            " of statements says which there are.",
            code="no_statement",
        )
    return _signed(op, row)


@operation(Permission.public, "read")
async def printed(
    op: Op, id: UUID, month: str, expires: int, signature: str, made_by: UUID | None
) -> SignedStatement:
    """Returns a statement for its page to print, or as CSV, by the signed link `pageUrl`, which needs no other
    credential. Raises Forbidden (`bad_link`).
    """
    if not links.opens_statement(op.services, id, month, expires, signature, made_by):
        raise bad_link()
    row = await op.db.fetchrow(_BY_MONTH, id, day_of(month))
    if row is None or not await is_link_alive(op, row["owner_id"], made_by, _READS):
        raise bad_link()
    return _signed(op, row)


def _signed(op: Op, row: Any) -> SignedStatement:
    return SignedStatement(
        **_values(row),
        document=orjson.loads(row["document"]),
        signature=row["signature"],
        keys={"keys": [jws.jwk(row["public_key"])]},
        page_url=links.statement_url(
            op.services, row["account_id"], name_of(row["month"]), op.ctx.link_maker
        ),
    )


def _values(row: Any) -> dict[str, Any]:
    previous = row["previous_hash"]
    return {
        **{name: row[name] for name in ("account_id", "number", "state", "currency", "key_id", "made_at")},
        "month": name_of(row["month"]),
        "opening_balance": amount_text(row["opening_balance"]),
        "closing_balance": amount_text(row["closing_balance"]),
        "hash": row["hash"].hex(),
        "previous_hash": None if previous is None else previous.hex(),
    }
