"""Keyset pagination: the pages of GraphQL's connections.

A page begins after the values of the row before it (*keyset*), so every page costs as much as the first, and new rows
shift nothing. One SELECT reads a page of one list, or, by LATERAL joins, a page for each of many parents: a page of a
hundred projects with five messages each takes two statements. SQLAlchemy writes a statement once for each combination
of columns, filters, order and direction; see `db/query.py`.
"""

import asyncio
import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast
from uuid import UUID

import orjson
from sqlalchemy import any_, column, func, inspect, select, true, tuple_

from core.errors import BadRequest, ValidationFailed
from db.query import Query, Reads, p
from shapes.page import MAX_LIMIT

if TYPE_CHECKING:
    from db.session import Database

T = TypeVar("T")
DEFAULT = 20
MOST_COUNTED = 100_000
"""Counting stops here: ten million rows are not counted for a number above a page."""
MOST_COUNTED_EACH = 10_000
"""The same for each parent, if one statement counts the lists of many parents."""


Conditions = Mapping[tuple[str, str], Any]
"""The filter of a list: a value for each column and comparison (shapes/where.py)."""
_ALL: Conditions = {}


@dataclass(frozen=True, slots=True)
class PageArgs:
    """The arguments of a page: those of Relay, the columns to read (None: all of them), and the order."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None
    order: str | None = None  # None: the list's own order
    descending: bool | None = None
    columns: frozenset[str] | None = None

    @property
    def limit(self) -> int:
        """The number of rows of the page."""
        if self.first is not None:
            return self.first
        return DEFAULT if self.last is None else self.last

    @property
    def backwards(self) -> bool:
        """Returns whether the page is read from the end of the list."""
        return self.last is not None and self.first is None

    def check(self) -> "PageArgs":
        """Returns this page if its arguments are valid. Raises ValidationFailed."""
        rules = [
            f"{name}: must be from 0 to {MAX_LIMIT}"
            for name, value in (("first", self.first), ("last", self.last))
            if value is not None and not 0 <= value <= MAX_LIMIT
        ]
        if self.first is not None and self.last is not None:
            rules.append("first: send `first` or `last`, not both")
        if rules:
            raise ValidationFailed(rules)
        return self


class Counting:
    """The row counts of all lists that one statement read pages of, counted when the first one is requested."""

    def __init__(self, count: Any) -> None:
        self._count = count
        self._running: Any = None

    async def of(self, parent: Any) -> int:
        """Returns the count of the list of this parent."""
        if self._running is None:
            self._running = asyncio.ensure_future(self._count())
        return int((await self._running).get(parent, 0))


@dataclass(frozen=True, slots=True)
class Edge(Generic[T]):
    """A row and its cursor."""

    cursor: str
    node: T


@dataclass(frozen=True, slots=True)
class PageInfo:
    """The position of a page in its list."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@dataclass(slots=True)
class KeysetPage(Generic[T]):
    """A page of a list."""

    nodes: list[T]
    has_next_page: bool
    has_previous_page: bool
    keys: tuple[str, ...]  # the attributes that a cursor is made of
    order: str
    counting: Counting
    parent: Any = None

    def _cursor(self, row: Any) -> str:
        return _write([self.order, *(getattr(row, key) for key in self.keys)])

    @property
    def edges(self) -> list[Edge[T]]:
        """The rows with their cursors."""
        return [Edge(self._cursor(row), row) for row in self.nodes]

    @property
    def page_info(self) -> PageInfo:
        """The position of the page in the list."""
        return PageInfo(
            self.has_next_page,
            self.has_previous_page,
            self._cursor(self.nodes[0]) if self.nodes else None,
            self._cursor(self.nodes[-1]) if self.nodes else None,
        )

    async def total_count(self) -> int:
        """Counts the rows of the whole list, up to MOST_COUNTED or MOST_COUNTED_EACH."""
        return await self.counting.of(self.parent)


@dataclass(frozen=True)
class Keyset(Generic[T]):
    """A table as a list, newest first unless `descending` is False.

    `key` is unique and gives the list's own order. `orders` are further columns to sort by: none of them may be NULL,
    and each needs an index that ends in `key`. `always` are conditions of every query.
    """

    model: type[T]
    key: Any = None
    orders: Mapping[str, Any] = field(default_factory=dict)
    descending: bool = True
    always: tuple[Any, ...] = ()
    special: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    """Conditions that don't compare a column with a value: (field, operator) → SQL with its parameters."""
    extra: tuple[Any, ...] = ()
    without: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    async def page(
        self,
        db: "Reads | Database",
        page_args: PageArgs,
        where: Conditions = _ALL,
        *scope: Any,
        **scope_values: Any,
    ) -> KeysetPage[T]:
        """Returns a page of the rows that meet `scope` (whose parameters are in `scope_values`).

        Raises ValidationFailed, and BadRequest for an invalid cursor.
        """
        statement, values = self._shape(page_args, where, scope, None)
        rows = await statement.all(db, **values, **scope_values)
        return self.part(page_args, rows, self._counting(db, where, scope, None, scope_values))

    async def pages(
        self,
        db: "Reads | Database",
        by: Any,
        parents: Sequence[Any],
        page_args: PageArgs,
        where: Conditions = _ALL,
        *scope: Any,
        **scope_values: Any,
    ) -> list[KeysetPage[T]]:
        """Returns a page for each of `parents`, in their order: of the rows whose column `by` is the parent."""
        statement, values = self._shape(page_args, where, scope, by)
        asked = list(dict.fromkeys(parents))
        grouped: list[list[T]] = [[] for _ in asked]
        for row in await statement.all(db, parents_=asked, **values, **scope_values):
            grouped[cast(Any, row)["place_"] - 1].append(row)
        groups = dict(zip(asked, grouped, strict=True))
        most = MOST_COUNTED if len(asked) == 1 else MOST_COUNTED_EACH
        counting = self._counting(db, where, scope, by, {**scope_values, "parents_": asked, "most_": most})
        return self.parts(page_args, [(parent, groups[parent]) for parent in parents], counting)

    async def by_ids(
        self,
        db: "Reads | Database",
        ids: Sequence[UUID | None],
        column_names: frozenset[str] | None,
        *scope: Any,
        **scope_values: Any,
    ) -> list[T | None]:
        """Returns rows by their ids, with these columns (None: all); None for ids that don't meet `scope`."""
        asked = [*dict.fromkeys(id for id in ids if id is not None)]
        if not asked:
            return [None for _ in ids]
        query = _by_ids_query(self, _columns_to_read(self, column_names, ""), scope)
        rows = await query.all(db, keys_=asked, **scope_values)
        by_id: dict[Any, Any] = {cast(Any, row)["id"]: row for row in rows}
        return [by_id.get(id) for id in ids]

    def _shape(
        self, page_args: PageArgs, where: Conditions, scope: tuple[Any, ...], by: Any
    ) -> tuple[Query[T], dict[str, Any]]:
        page_args.check()
        order, _ = self._order(page_args.order)
        descending = self.descending if page_args.descending is None else page_args.descending
        values: dict[str, Any] = {f"{name}_{operator}_": value for (name, operator), value in where.items()}
        for name, cursor in (("after", page_args.after), ("before", page_args.before)):
            if cursor is not None:
                read = read_cursor(cursor, order, self._kinds(order))
                values |= {f"{name}{index}_": value for index, value in enumerate(read)}
        values["limit_"] = page_args.limit + 1
        statement = _statement(
            self,
            _columns_to_read(self, page_args.columns, order),
            frozenset(where),
            order,
            descending,
            page_args.backwards,
            page_args.after is not None,
            page_args.before is not None,
            scope,
            by,
        )
        return statement, values

    def _order(self, name: str | None) -> tuple[str, Any]:
        """Returns name and column of the order; an unknown name means the list's own order."""
        if name is None or name not in self.orders:
            return "", None
        return name, self.orders[name]

    def _keys(self, order: str) -> list[Any]:
        key = self.identity
        return [self.orders[order], key] if order else [key]

    def _kinds(self, order: str) -> list[type]:
        return [column.type.python_type for column in self._keys(order)]

    @property
    def identity(self) -> Any:
        """The column that distinguishes two rows."""
        return self.key if self.key is not None else cast(Any, self.model).id

    def condition(self, name: str, operator: str) -> Any:
        """Returns the SQL condition for a filter."""
        if (name, operator) in self.special:
            return self.special[name, operator]
        of: Any = getattr(self.model, name)
        value = f"{name}_{operator}_"
        match operator:
            case "eq":
                return of == p(value)
            case "in_":
                return of == any_(p(value, like=of))
            case "not_in":
                return ~(of == any_(p(value, like=of)))
            case "gt":
                return of > p(value)
            case "gte":
                return of >= p(value)
            case "lt":
                return of < p(value)
            case "lte":
                return of <= p(value)
        raise KeyError(operator)

    def part(self, page_args: PageArgs, rows: list[T], counting: Counting) -> KeysetPage[T]:
        """Makes a page of rows. There is one row more than the limit if the list goes on."""
        return self.parts(page_args, [(None, rows)], counting)[0]

    def parts(
        self, page_args: PageArgs, groups: Sequence[tuple[Any, list[T]]], counting: Counting
    ) -> list[KeysetPage[T]]:
        """Makes pages of the rows of many parents."""
        order, _ = self._order(page_args.order)
        keys = tuple(column.key for column in self._keys(order))
        limit, backwards = page_args.limit, page_args.backwards
        before, after = page_args.before is not None, page_args.after is not None
        pages = []
        for parent, rows in groups:
            more = len(rows) > limit
            page_rows = rows[:limit] if more else rows
            if backwards:
                pages.append(KeysetPage(page_rows[::-1], before, more, keys, order, counting, parent))
            else:
                pages.append(KeysetPage(page_rows, more, after, keys, order, counting, parent))
        return pages

    def _counting(
        self, db: Any, where: Conditions, scope: tuple[Any, ...], by: Any, scope_values: dict[str, Any]
    ) -> Counting:

        async def count() -> dict[Any, int]:
            values = {f"{name}_{operator}_": value for (name, operator), value in where.items()}
            rows: list[Any] = await _count(self, frozenset(where), scope, by).all(
                db, **values, **scope_values
            )
            return {row.parent_ if by is not None else None: row.count_ for row in rows}

        return Counting(count)


@lru_cache(maxsize=2048)
def _columns_to_read(keyset: Keyset[Any], asked: frozenset[str] | None, order: str) -> frozenset[str]:
    """Returns the attributes to read: the requested ones and those of the cursor; all if one is not a column."""
    own_names = frozenset(inspect(keyset.model).column_attrs.keys()) - frozenset(keyset.without)
    extra = {label.key for label in keyset.extra}
    if asked is None or not asked <= own_names | extra:
        return own_names | extra
    return asked | {column.key for column in keyset._keys(order)} | {"id"} & own_names  # noqa: SLF001


@lru_cache(maxsize=2048)
def _statement(
    keyset: Keyset[Any],
    column_names: frozenset[str],
    conditions: frozenset[tuple[str, str]],
    order: str,
    descending: bool,
    backwards: bool,
    after: bool,
    before: bool,
    scope: tuple[Any, ...],
    by: Any,
) -> Query[Any]:
    keys = keyset._keys(order)  # noqa: SLF001
    down = descending != backwards
    rows = select(*_labels(keyset, column_names)).where(*_conditions(keyset, conditions, scope))
    for has_cursor, name, further in ((after, "after", descending), (before, "before", not descending)):
        if has_cursor:
            rows = rows.where(_beyond(keys, name, further))
    rows = rows.order_by(*(key.desc() if down else key.asc() for key in keys)).limit(p("limit_"))
    if by is None:
        return Query(keyset.model, rows)
    parents = _parents(by)
    each = rows.where(by == parents.c.parent_).lateral("each")
    ordered = [each.c[key.key].desc() if down else each.c[key.key].asc() for key in keys]
    names = sorted(column_names)
    return Query(
        keyset.model,
        select(parents.c.place_.label("place_"), *(each.c[name] for name in names))
        .select_from(parents.join(each, onclause=true()))
        .order_by(parents.c.place_, *ordered),
    )


def _labels(keyset: Keyset[Any], column_names: frozenset[str]) -> list[Any]:
    attributes = [
        attribute.key for attribute in inspect(keyset.model).column_attrs if attribute.key in column_names
    ]
    return [
        *(getattr(keyset.model, name).label(name) for name in attributes),
        *(label for label in keyset.extra if label.key in column_names),
    ]


@lru_cache(maxsize=1024)
def _by_ids_query(keyset: Keyset[Any], column_names: frozenset[str], scope: tuple[Any, ...]) -> Query[Any]:
    has_id = keyset.model.id == any_(p("keys_", like=keyset.model.id))
    rows = select(*_labels(keyset, column_names | {"id"})).where(
        has_id, *_conditions(keyset, frozenset(), scope)
    )
    return Query(keyset.model, rows)


@lru_cache(maxsize=512)
def _count(
    keyset: Keyset[Any], conditions: frozenset[tuple[str, str]], scope: tuple[Any, ...], by: Any
) -> Query[Any]:
    rows = select(keyset.identity.label("id_")).where(*_conditions(keyset, conditions, scope))
    if by is None:
        bounded = rows.limit(MOST_COUNTED).subquery()
        return Query(keyset.model, select(func.count().label("count_")).select_from(bounded))
    parents = _parents(by)
    # Without `correlate` the subquery would select from parents of its own, and count the rows of all of them.
    each = rows.where(by == parents.c.parent_).limit(p("most_")).correlate(parents).subquery("each")
    counted = select(func.count().label("count_")).select_from(each).lateral("counted")
    return Query(
        keyset.model,
        select(parents.c.parent_.label("parent_"), counted.c.count_).select_from(
            parents.join(counted, onclause=true())
        ),
    )


def _parents(by: Any) -> Any:
    return (
        func.unnest(p("parents_", like=by))
        .table_valued(column("parent_", by.type), with_ordinality="place_")
        .render_derived(name="parents")
    )


def _conditions(
    keyset: Keyset[Any], conditions: frozenset[tuple[str, str]], scope: tuple[Any, ...]
) -> list[Any]:
    return [*keyset.always, *scope, *(keyset.condition(*condition) for condition in sorted(conditions))]


def _beyond(keys: list[Any], name: str, down: bool) -> Any:
    """Returns the condition for rows after the cursor's row, in the direction of reading."""
    values = [p(f"{name}{index}_") for index in range(len(keys))]
    if len(keys) == 1:
        return keys[0] < values[0] if down else keys[0] > values[0]
    left, right = tuple_(*keys), tuple_(*values)
    return left < right if down else left > right


def _write(parts: list[Any]) -> str:
    texts = [part.isoformat() if isinstance(part, datetime) else str(part) for part in parts]
    return base64.urlsafe_b64encode(orjson.dumps(texts)).decode().rstrip("=")


def read_cursor(cursor: str, order: str, kinds: list[type]) -> list[Any]:
    """Returns the values of a cursor. Raises BadRequest if it is invalid or of another order."""
    try:
        parts = orjson.loads(base64.urlsafe_b64decode(cursor[:4096] + "=" * (-len(cursor) % 4)))
        if not isinstance(parts, list) or len(parts) != len(kinds) + 1:
            raise ValueError("not one of ours")
        if not all(isinstance(part, str) for part in parts):
            raise ValueError("not one of ours")
        if parts[0] != order:
            raise BadRequest(
                "The cursor belongs to a list in another order. Start again without a cursor.",
                code="bad_cursor",
            )
        return [_value(kind, text) for kind, text in zip(kinds, parts[1:], strict=True)]
    except (ValueError, TypeError, OverflowError, binascii.Error) as error:
        raise BadRequest(
            "The cursor is not valid. Start again without a cursor.", code="bad_cursor"
        ) from error


def _value(kind: type, text: str) -> Any:
    if kind is datetime:
        at = datetime.fromisoformat(text)
        at.astimezone(
            UTC
        )  # raises OverflowError for times outside of the calendar, which PostgreSQL would refuse
        return at
    if kind is UUID:
        return UUID(text)
    if kind is int:
        value = int(text)
        if not -(2**63) <= value < 2**63:
            raise ValueError("not one of ours")
        return value
    if issubclass(kind, Enum) or kind is str:
        if "\x00" in text:
            raise ValueError("not one of ours")
        return text
    return cast(Any, kind)(text)
