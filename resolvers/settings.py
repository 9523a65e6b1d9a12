"""Settings (contract §2). Each key is a row, so that writers of different keys do not overwrite each other."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import ARRAY, Text, any_, cast, func, select, text
from sqlalchemy import delete as sql_delete

from core.errors import BadRequest, NotFound
from db import models
from db.query import Query, of, p
from resolvers import accounts
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.settings import MAX_KEYS, MAX_TOTAL, Changes, Scope, Setting

_HOLDER = (models.Setting.scope == p("scope"), models.Setting.holder_id == p("holder_id"))
_BY_KEY = of(models.Setting, *_HOLDER, models.Setting.key == p("key"))
_ALL = Query(
    models.Setting,
    select(models.Setting.key, models.Setting.value).where(*_HOLDER).order_by(models.Setting.key),
)


_UPSERT = text(
    "INSERT INTO settings (scope, holder_id, key, value)"
    " SELECT :scope, :holder_id, key, CAST(value AS jsonb)"
    " FROM unnest(CAST(:keys AS text[]), CAST(:values AS text[])) AS given (key, value)"
    " ON CONFLICT (scope, holder_id, key) DO UPDATE SET value = excluded.value, updated_at = now()"
)


@operation(Permission.settings_read, "read")
async def list(op: Op, scope: Scope = Scope.user, account_id: UUID | None = None) -> dict[str, Any]:
    """Returns all settings of the scope as one object. Raises NotFound (account), BadRequest."""
    holder = await _holder(op, scope, account_id)
    return {row.key: row.value for row in await _ALL.all(op.db, **holder)}


@operation(Permission.settings_read, "read")
async def of_users(op: Op, users: Sequence[UUID]) -> Sequence[dict[str, Any] | None]:
    """Returns all settings for the caller, and None for every other user."""
    if op.viewer.id not in users:
        return [None for _ in users]
    rows = await _ALL.all(op.db, scope=Scope.user.value, holder_id=op.viewer.id)
    own = {row.key: row.value for row in rows}
    return [own if id == op.viewer.id else None for id in users]


@operation(Permission.settings_read, "read")
async def get(op: Op, key: str, scope: Scope = Scope.user, account_id: UUID | None = None) -> models.Setting:
    """Returns one setting. Raises NotFound (setting, account), BadRequest."""
    holder = await _holder(op, scope, account_id)
    row = await _BY_KEY.first(op.db, key=key, **holder)
    if row is None:
        raise NotFound(
            f"There is no setting {key[:128]!r} in this scope. Set it with PUT /settings/{{key}}.",
            code="setting_not_found",
        )
    return row


@operation(Permission.settings_write)
async def update(
    op: Op, changes: Changes, scope: Scope = Scope.user, account_id: UUID | None = None
) -> dict[str, Any]:
    """Sets the given keys and leaves the others unchanged; null deletes a key.

    Whole values are set. Returns all settings of the scope. Raises NotFound (account), BadRequest if the scope would
    exceed its limits.
    """
    holder = await _holder(op, scope, account_id)
    await _lock_scope(op, holder)
    gone = [key for key, value in changes.items() if value is None]
    if gone:
        await op.session.execute(
            sql_delete(models.Setting)
            .filter_by(**holder)
            .where(models.Setting.key == any_(cast(gone, ARRAY(Text))))
        )
    await _put(op, holder, {key: value for key, value in changes.items() if value is not None})
    rows = await op.session.execute(
        select(models.Setting.key, models.Setting.value).filter_by(**holder).order_by(models.Setting.key)
    )
    return {row.key: row.value for row in rows}


@operation(Permission.settings_write)
async def put(
    op: Op, key: str, value: Any, scope: Scope = Scope.user, account_id: UUID | None = None
) -> Setting:
    """Sets one key; null is stored as a value. Raises NotFound (account), BadRequest if the scope would exceed its
    limits.
    """
    holder = await _holder(op, scope, account_id)
    await _lock_scope(op, holder)
    await _put(op, holder, {key: value})
    return Setting(key=key, value=value)


@operation(Permission.settings_write)
async def delete(op: Op, key: str, scope: Scope = Scope.user, account_id: UUID | None = None) -> None:
    """Deletes one key. Repeating it is not an error. Raises NotFound (account), BadRequest."""
    holder = await _holder(op, scope, account_id)
    await op.session.execute(sql_delete(models.Setting).filter_by(**holder, key=key))


async def _holder(op: Op, scope: Scope, account_id: UUID | None) -> dict[str, Any]:
    """Returns the first columns of a setting's row, which name its holder.

    Raises NotFound for an account that is not the caller's, BadRequest for an account id outside the scope `account`.
    """
    if scope is Scope.account:
        return {"scope": scope.value, "holder_id": (await accounts.paying(op, account_id)).id}
    if account_id is not None:
        raise BadRequest(
            "accountId is allowed only with scope=account. Leave it out, or send scope=account.",
            code="bad_scope",
        )
    return {"scope": scope.value, "holder_id": op.viewer.id}


async def _lock_scope(op: Op, holder: dict[str, Any]) -> None:
    """Lets writers of one scope wait for each other until the commit: limits are exact, and no two deadlock."""
    name = f"settings:{holder['scope']}:{holder['holder_id']}"
    await op.session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


async def _put(op: Op, holder: dict[str, Any], values: dict[str, Any]) -> None:
    """Writes the values. Raises BadRequest if the scope exceeds its limits with them."""
    if not values:
        return
    # One SQL text for any number of keys, because every connection keeps each text as a prepared statement.
    await op.session.execute(
        _UPSERT, {**holder, "keys": [*values], "values": [orjson.dumps(v).decode() for v in values.values()]}
    )
    size = func.coalesce(func.sum(func.octet_length(cast(models.Setting.value, Text))), 0)
    keys, total = (
        await op.session.execute(select(func.count(models.Setting.key), size).filter_by(**holder))
    ).one()
    if keys > MAX_KEYS or total > MAX_TOTAL:
        raise BadRequest(
            f"A scope may have at most {MAX_KEYS} settings and {MAX_TOTAL // 2**20} MiB. Remove some first.",
            code="too_many_settings",
            details={"keys": keys, "bytes": total},
        )
