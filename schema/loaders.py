"""Batch loaders, one set a request: a page of a hundred rows costs one statement a relation."""

from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from typing import Any, TypeVar, cast
from uuid import UUID

from sqlalchemy import any_, select
from strawberry.dataloader import DataLoader

from db import models
from db.query import Query, columns, p
from postern.context import Context

T = TypeVar("T")

_UNSHOWN: dict[type[Any], tuple[str, ...]] = {
    models.MessengerAccount: ("session_encrypted", "credentials_encrypted", "proxy_encrypted", "cursor"),
}
"""Columns that are shown to nobody, and large: a session may have megabytes."""


@cache
def _many(model: Any, column: str) -> Query[Any]:
    by = getattr(model, column)
    shown = columns(model, *_UNSHOWN.get(model, ()))
    return Query(model, select(*shown).where(by == any_(p("keys", like=by))).order_by(model.id))


def _loader(ctx: Context, name: str, load: Callable[[list[UUID]], Coroutine[Any, Any, Sequence[Any]]]) -> Any:
    if name not in ctx.loaders:
        ctx.loaders[name] = DataLoader(load_fn=load, max_batch_size=1000)
    return ctx.loaders[name]


def by_id(ctx: Context, model: type[T]) -> "DataLoader[UUID, T | None]":
    """Rows by id; None where there is none. Whoever calls it has checked that the caller may see them."""

    async def load(keys: list[UUID]) -> list[Any]:
        rows = await _many(cast(Any, model), "id").all(ctx.services.db, keys=keys)
        found = {row.id: row for row in rows}
        return [found.get(key) for key in keys]

    return cast("DataLoader[UUID, T | None]", _loader(ctx, f"{model.__name__}.id", load))


def by(ctx: Context, model: type[T], column: str) -> "DataLoader[UUID, list[T]]":
    """All rows whose `column` is the key, oldest first."""

    async def load(keys: list[UUID]) -> list[list[Any]]:
        rows = await _many(cast(Any, model), column).all(ctx.services.db, keys=keys)
        groups: dict[UUID, list[Any]] = {key: [] for key in keys}
        for row in rows:
            groups[getattr(row, column)].append(row)
        return [groups[key] for key in keys]

    return cast("DataLoader[UUID, list[T]]", _loader(ctx, f"{model.__name__}.{column}", load))
