"""Reads messenger accounts: by key, as lists, and with the state to show."""

from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Text, any_, case, func, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, array

from core.errors import NotFound
from db import models
from db.lists import Listing
from db.query import Query, Reads, columns, p
from engine.messengers.states import visible_state
from runtime.operation import Op
from shapes.messenger_accounts import AccountState
from shapes.vendor import Call

Key = UUID | Call
"""A door names an account by this: GraphQL by its id, the vendor's format by source and login."""

# Columns that are large, secret or both; only the process that holds the account reads them.
SESSION_COLUMNS = ("session_encrypted", "cursor")
SEALED = ("credentials_encrypted", "proxy_encrypted")

UNDER_WAY = (AccountState.starting, AccountState.syncing, AccountState.reconnecting)
"""States that the account leaves without anybody's help."""


@cache
def _account_query(by_id: bool, everyone: bool, lock: bool) -> Query[models.MessengerAccount]:
    row = models.MessengerAccount
    matches = (row.id == p("id"),) if by_id else (row.source == p("source"), row.login == p("login"))
    owned = () if everyone else (row.owner_id == p("owner_id"),)
    statement = select(*columns(row, *SESSION_COLUMNS), *computed_columns()).where(
        *matches, *owned, row.deleted_at.is_(None)
    )
    return Query(row, statement.with_for_update(key_share=True, of=row) if lock else statement)


@cache
def computed_columns() -> tuple[Any, ...]:
    """Returns the computed columns: `held` by a process, `activated` by a session, and `webhook_urls`, oldest first."""
    row, hook = models.MessengerAccount, models.Webhook
    in_order = func.array_agg(aggregate_order_by(hook.url, hook.id))
    urls = (
        select(func.coalesce(in_order, array([], type_=Text)))
        .where(hook.account_id == row.id)
        .scalar_subquery()
    )
    return (
        IS_LEASED.label("held"),
        row.session_encrypted.is_not(None).label("activated"),
        urls.label("webhook_urls"),
    )


async def mine(op: Op, key: Key, *, db: Reads | None = None, lock: bool = False) -> models.MessengerAccount:
    """Returns the account that `key` names: the caller's own, or any account by its id for an administrator.

    The row reads like the model, without `session_encrypted` and `cursor`, and with `held`, `activated` and
    `webhook_urls`; `state_of` gives its state. `lock` locks it until the end of the transaction of `db` (default: that
    of a `sql` operation). Raises NotFound.
    """
    by_id = isinstance(key, UUID)
    parameters = {"id": key} if isinstance(key, UUID) else {"source": key.source.value, "login": key.login}
    query = _account_query(by_id, by_id and op.viewer.admin, lock)
    row = await query.first(db or (op.connection if lock else op.reads), owner_id=op.viewer.id, **parameters)
    if row is None:
        raise NotFound(
            "There is no messenger account with this source and login among yours. Check both, or create"
            " it with addAccount.",
            code="account_not_found",
        )
    return row


def state_of(account: Any, *, leased: bool | None = None) -> AccountState:
    """Returns the state to show. A live state needs a holder; a wanted account that is stopped is starting."""
    state = visible_state(
        account.state, wanted=account.wanted, leased=account.held if leased is None else leased
    )
    return AccountState.starting if state is AccountState.stopped and account.wanted else state


_ROW = models.MessengerAccount
IS_LEASED = (
    select(1)
    .where(models.MessengerLease.account_id == _ROW.id, models.MessengerLease.expires_at > func.now())
    .exists()
)
MINE = _ROW.owner_id == p("owner_id")
# The same as `state_of`, in SQL, for filters.
_STATE = case(
    (_ROW.wanted & (_ROW.state == AccountState.stopped.value), AccountState.starting.value),
    (
        or_(
            IS_LEASED,
            *(
                _ROW.state == state.value
                for state in (AccountState.failed, AccountState.loggedOut, AccountState.blocked)
            ),
        ),
        _ROW.state,
    ),
    (_ROW.wanted, AccountState.starting.value),
    else_=AccountState.stopped.value,
)
_TEXT = "text_contains_"
_NAMES = (_ROW.login, _ROW.name, _ROW.phone, _ROW.connected_phone)
LISTS = Listing(
    _ROW,
    orders={"name": _ROW.name},
    always=(_ROW.deleted_at.is_(None),),
    filters={
        ("state", "eq"): p("state_eq_") == _STATE,
        ("state", "in_"): any_(p("state_in__", like=_ROW.state)) == _STATE,
        ("state", "not_in"): ~(any_(p("state_not_in_", like=_ROW.state)) == _STATE),
        ("text", "contains"): or_(*(column.ilike(p(_TEXT), escape="\\") for column in _NAMES)),
    },
    extra=(IS_LEASED.label("held"),),
    without=(*SESSION_COLUMNS, *SEALED),
)
