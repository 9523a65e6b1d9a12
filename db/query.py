"""Reads: SQLAlchemy writes the SQL once, asyncpg runs it as a prepared statement.

An ORM read of 100 rows costs about five times what asyncpg needs for it (`make bench`), and most requests
are reads. A `Query` is built once for each combination of filters, and its builder caches it. Its rows have
the attributes of the model, so both doors read them like a model.
"""

from collections.abc import Coroutine, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

import asyncpg
from sqlalchemy import Select, inspect, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import asyncpg as dialect
from sqlalchemy.sql.expression import bindparam

T = TypeVar("T")
_DIALECT = dialect.dialect()  # type: ignore[no-untyped-call]


class Row(asyncpg.Record):  # type: ignore[misc]
    """A row whose columns are attributes."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Reads(Protocol):
    """Runs reads. The database and a connection in a transaction implement it."""

    async def fetch(self, sql: str, *arguments: Any) -> list[Any]: ...
    async def fetchrow(self, sql: str, *arguments: Any) -> Any: ...
    async def fetchval(self, sql: str, *arguments: Any) -> Any: ...


def columns(model: type[Any], *without: str) -> list[Any]:
    """Returns the model's columns, labelled with their attributes' names, so that a row reads like the model."""
    mapper = inspect(model)
    return [
        getattr(model, attribute.key).label(attribute.key)
        for attribute in mapper.column_attrs
        if attribute.key not in without
    ]


def returning(model: type[Any], table: str) -> str:
    """Returns the columns of `table` for a hand-written RETURNING or SELECT, under the model's attribute names."""
    return ", ".join(
        f'{table}."{attribute.columns[0].name}" AS "{attribute.key}"'
        for attribute in inspect(model).column_attrs
    )


def p(name: str, like: Any = None) -> Any:
    """Returns a named parameter, whose value is given when the query runs; its type comes from the column beside it.

    With `like` it is an array of that column's type, for `column == any_(p("ids", like=column))`.
    """
    return bindparam(name) if like is None else bindparam(name, type_=ARRAY(like.type))


class Query(Generic[T]):
    """A compiled SELECT. `T` is the model that its rows read like."""

    def __init__(self, model: type[T], statement: Select[*tuple[Any, ...]], *, planned: bool = False) -> None:
        """`planned`: PostgreSQL plans it each time for the values, and not once for all values."""
        self.model = model
        self.planned = planned
        compiled = statement.compile(dialect=_DIALECT)
        self.sql = compiled.string
        self._names: Sequence[str] = compiled.positiontup or ()
        self._fixed = {
            name: value for name, value in compiled.params.items() if value is not None
        }  # literals that SQLAlchemy turned into parameters

    def arguments(self, values: dict[str, Any]) -> list[Any]:
        """Returns the values of the parameters, in the order of the SQL."""
        fixed = self._fixed
        return [values[name] if name in values else fixed[name] for name in self._names]

    def all(self, db: Reads, **values: Any) -> Coroutine[Any, Any, list[T]]:
        """Returns all rows."""
        arguments = self.arguments(values)
        return fetch_planned(db, self.sql, arguments) if self.planned else db.fetch(self.sql, *arguments)

    def first(self, db: Reads, **values: Any) -> Coroutine[Any, Any, T | None]:
        """Returns the first row, or None."""
        return db.fetchrow(self.sql, *self.arguments(values))

    async def value(self, db: Reads, **values: Any) -> Any:
        """Returns the first column of the first row."""
        if self.planned:
            return (await fetch_planned(db, self.sql, self.arguments(values)))[0][0]
        return await db.fetchval(self.sql, *self.arguments(values))


async def fetch_planned(
    db: Any, sql: str, arguments: Sequence[Any], seconds: float | None = None
) -> list[Any]:
    """Runs a read whose best plan depends on its values.

    After a few times PostgreSQL would run a prepared statement by a plan for average values, which may walk over all
    rows of an owner for the last few. One that is prepared anew is planned for its values; this costs a round trip.
    Raises TimeoutError after `seconds`; the statement is canceled then.
    """
    if not hasattr(db, "reading"):
        return cast(list[Any], await (await db.prepare(sql)).fetch(*arguments, timeout=seconds))
    async with db.reading() as connection:
        return cast(list[Any], await (await connection.prepare(sql)).fetch(*arguments, timeout=seconds))


async def execute_planned(db: Any, sql: str, *arguments: Any) -> int:
    """Runs a change of a table that is empty at one time and full at another. Returns how many rows it changed.

    PostgreSQL may keep the plan of a prepared statement from when the table was empty, by which 5,000 of 20,000 rows
    took longer than a statement may. One that is prepared anew is planned for the table's size.
    """
    async with db.reading() as connection:
        statement = await connection.prepare(sql)
        await statement.fetch(*arguments)
        return int(statement.get_statusmsg().rpartition(" ")[2])


def of(model: type[T], *where: Any, without: Sequence[str] = ()) -> Query[T]:
    """Returns a Query for all columns of `model`, with these conditions."""
    return Query(model, select(*columns(model, *without)).where(*where))
