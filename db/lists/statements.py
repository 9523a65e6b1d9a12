"""The SQL of lists, each statement compiled once.

A page by cursor begins after the values of the row before it (*keyset*), so every page costs as much as the first, and
new rows shift nothing. One SELECT reads a page of one list, or, by LATERAL joins, a page for each of many parents: a
page of a hundred projects with five messages each takes two statements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Select,
    and_,
    any_,
    cast,
    column,
    false,
    func,
    literal_column,
    select,
    text,
    true,
    tuple_,
    union_all,
)

from db.lists.definition import Definition, Ranges
from db.lists.page import MOST_COUNTED
from db.query import Query, p

Names = frozenset[tuple[str, str]]
"""The filters of a statement, without their values."""


@lru_cache(maxsize=2048)
def columns_to_read(
    definition: Definition[Any], requested: frozenset[str] | None, order: str
) -> frozenset[str]:
    """Returns the attributes to read: the requested ones and those of the cursor; all if one is not a column."""
    own = definition.own_columns()
    extra = {label.key for label in definition.extra}
    if requested is None or not requested <= own | extra:
        return own | extra
    return requested | {key.key for key in definition.keys(order)} | {"id"} & own


@lru_cache(maxsize=1024)
def numbered(
    definition: Definition[Any],
    names: Names,
    scope: tuple[Any, ...],
    ranges: Ranges | None = None,
    *,
    from_the_end: bool = False,
) -> Query[Any]:
    """Returns the query of a page by number, in the list's own order or, from the end, in the reverse order."""
    labels = definition.labels(columns_to_read(definition, None, ""))
    ordered = _Ordered([definition.identity], definition.descending != from_the_end)
    reach = cast(p("limit_"), BigInteger) + cast(p("offset_"), BigInteger)
    rows = _first(definition, labels, definition.where_clauses(names, scope), ordered, ranges, reach)
    return Query(
        definition.model,
        rows.limit(p("limit_")).offset(p("offset_")),
        planned=definition.needs_planning(names),
    )


@lru_cache(maxsize=1024)
def total(
    definition: Definition[Any], names: Names, scope: tuple[Any, ...], ranges: Ranges | None = None
) -> Query[Any]:
    """Returns the query that counts all rows."""
    conditions = definition.where_clauses(names, scope)
    rows = select(func.count()).select_from(definition.model).where(*conditions)
    if ranges is not None:
        each = [rows.where(*definition.in_range(each_range)).scalar_subquery() for each_range in ranges]
        rows = select(reduce(add, each, literal_column("0")))
    return Query(definition.model, rows, planned=definition.needs_planning(names))


class PageForm(NamedTuple):
    """The form of a page by cursor, without any value. A tuple, since statements are found by it at each call."""

    definition: Definition[Any]
    column_names: frozenset[str]
    names: Names
    order: str
    descending: bool
    backwards: bool
    after: bool
    before: bool

    def conditions(self, scope: tuple[Any, ...]) -> list[Any]:
        """Returns the conditions of the rows between the cursors."""
        return [
            *self.definition.where_clauses(self.names, scope),
            *_between_cursors(self.keys, self.descending, self.after, self.before),
        ]

    @property
    def keys(self) -> list[Any]:
        return self.definition.keys(self.order)

    @property
    def down(self) -> bool:
        """Returns whether the statement reads the rows in descending order."""
        return self.descending != self.backwards


@lru_cache(maxsize=2048)
def page(
    form: PageForm,
    scope: tuple[Any, ...],
    by: Any,
    ranges: Ranges | None = None,
) -> Query[Any]:
    """Returns the query of a page by cursor; with `by`, of such a page for each parent in that column."""
    definition, column_names = form.definition, form.column_names
    keys, down, conditions = form.keys, form.down, form.conditions(scope)
    ordered, labels = _Ordered(keys, down), definition.labels(column_names)
    planned = definition.needs_planning(form.names)
    if by is None:
        rows = _first(definition, labels, conditions, ordered, ranges, p("limit_"))
        return Query(definition.model, rows.limit(p("limit_")), planned=planned)
    parents = _parents(by)
    conditions.append(_belongs_to(by, parents))
    rows = _first(definition, labels, conditions, ordered, ranges, p("limit_"), parents)
    each = rows.limit(p("limit_")).lateral("each")
    return Query(
        definition.model,
        select(parents.c.place_.label("place_"), *(each.c[label] for label in sorted(column_names)))
        .select_from(parents.join(each, onclause=true()))
        .order_by(parents.c.place_, *ordered.of(each)),
        planned=planned,
    )


@dataclass(frozen=True, slots=True)
class _Ordered:
    """The columns of an order, and its direction."""

    keys: Sequence[Any]
    down: bool

    def of(self, source: Any = None) -> list[Any]:
        """Returns the expressions to sort the table by, or a source that has its columns."""
        return _ordered([key if source is None else source.c[key.key] for key in self.keys], self.down)


def _first(
    definition: Definition[Any],
    labels: Sequence[Any],
    conditions: Sequence[Any],
    ordered: _Ordered,
    ranges: Ranges | None,
    reach: Any,
    parents: Any = None,
) -> Select[Any]:
    """Returns the rows in their order. With `ranges`, each range is read up to `reach` rows and no further."""
    rows = select(*labels).where(*conditions).order_by(*ordered.of())
    if ranges is None:
        return rows
    each = []
    for each_range in ranges:
        selected = rows.where(*definition.in_range(each_range))
        if definition.is_few(each_range):
            selected = _sorted_last(selected, ordered, parents)
        selected = selected.limit(reach)
        alone = (selected if parents is None else selected.correlate(parents)).subquery()
        each.append(select(*alone.c))
    if not each:
        return rows.where(false())
    together = union_all(*each).subquery("ranges")
    return select(*together.c).order_by(*ordered.of(together))


def _sorted_last(rows: Select[Any], ordered: _Ordered, parents: Any) -> Select[Any]:
    """Returns the rows in their order, sorted after all have been read: OFFSET keeps PostgreSQL from walking along an
    index in that order until it has met enough of them.
    """
    unordered = rows.order_by(None).offset(literal_column("0"))
    gathered = (unordered if parents is None else unordered.correlate(parents)).subquery()
    return select(*gathered.c).order_by(*ordered.of(gathered))


@lru_cache(maxsize=512)
def merged(
    form: PageForm,
    scope: tuple[Any, ...],
    by: Any,
    parents: Select[Any],
) -> Query[Any]:
    """Returns the query of a page by cursor of the rows of all `parents`, a SELECT of the values of `by`.

    A page of n rows is from the n parents whose first row comes first. So only these parents are read up to n rows
    each, and of the others one row. Only the rows of the page are read with all their columns.
    """
    definition, column_names = form.definition, form.column_names
    keys, down, conditions = form.keys, form.down, form.conditions(scope)

    def first_rows(of: Any, limit: Any) -> Any:
        rows = select(*keys).where(by == of.c[0], *conditions)
        return rows.order_by(*_ordered(keys, down)).limit(limit).lateral()

    def first_of(source: Any, rows: Any, *selected: Any) -> Any:
        ordered = _ordered([rows.c[key.key] for key in keys], down)
        joined = select(*selected).select_from(source.join(rows, onclause=true()))
        return joined.order_by(*ordered).limit(p("limit_")).subquery()

    everyone = parents.subquery("parents")
    nearest = first_of(everyone, first_rows(everyone, literal_column("1")), everyone.c[0])
    candidates = first_rows(nearest, p("limit_"))
    identity = definition.identity
    page = first_of(nearest, candidates, candidates.c[identity.key], nearest.c[0].label("parent_"))
    # The key of a list may have no index but that which begins with the parent and the list's own conditions.
    same_row = and_(identity == page.c[0], by == page.c.parent_, *definition.always)
    return Query(
        definition.model,
        select(*definition.labels(column_names))
        .join_from(definition.model, page, onclause=same_row)
        .order_by(*_ordered(keys, down)),
    )


@lru_cache(maxsize=1024)
def by_ids(definition: Definition[Any], column_names: frozenset[str], scope: tuple[Any, ...]) -> Query[Any]:
    """Returns the query of rows by their ids."""
    has_id = definition.model.id == any_(p("keys_", like=definition.model.id))
    rows = select(*definition.labels(column_names | {"id"}))
    return Query(definition.model, rows.where(has_id, *definition.where_clauses(frozenset(), scope)))


@lru_cache(maxsize=512)
def bounded_count(
    definition: Definition[Any], names: Names, scope: tuple[Any, ...], by: Any, ranges: Ranges | None = None
) -> Query[Any]:
    """Returns the query that counts rows up to a bound; with `by`, the rows of each parent in that column."""
    rows = select(definition.identity.label("id_")).where(*definition.where_clauses(names, scope))
    planned = definition.needs_planning(names)
    if by is None:
        bounded = _in_ranges(definition, rows, ranges).limit(MOST_COUNTED).subquery()
        return Query(
            definition.model, select(func.count().label("count_")).select_from(bounded), planned=planned
        )
    parents = _parents(by)
    # Without `correlate` the subquery would select from parents of its own, and count the rows of all of them.
    matching = _in_ranges(definition, rows.where(_belongs_to(by, parents)).correlate(parents), ranges)
    each = matching.limit(p("most_")).subquery("each")
    counted = select(func.count().label("count_")).select_from(each).lateral("counted")
    return Query(
        definition.model,
        select(parents.c.parent_.label("parent_"), counted.c.count_).select_from(
            parents.join(counted, onclause=true())
        ),
        planned=planned,
    )


def _in_ranges(definition: Definition[Any], rows: Select[Any], ranges: Ranges | None) -> Any:
    if ranges is None:
        return rows
    return (
        union_all(*(rows.where(*definition.in_range(each_range)) for each_range in ranges))
        if ranges
        else rows.where(false())
    )


def _parents(by: Any) -> Any:
    return (
        func.unnest(p("parents_", like=by))
        .table_valued(column("parent_", by.type), with_ordinality="place_")
        .render_derived(name="parents")
    )


@dataclass(frozen=True, slots=True)
class Belonging:
    """Says by a condition which rows belong to a parent, where no column names it; used in place of a column.

    `sql` is the condition, in which `parents.parent_` is the parent, and `type` the type of that.
    """

    sql: str
    type: Any


def _belongs_to(by: Any, parents: Any) -> Any:
    return text(by.sql) if isinstance(by, Belonging) else by == parents.c.parent_


@lru_cache(maxsize=64)
def belongs(by: Any, parents: Select[Any]) -> Any:
    """Returns the condition for rows whose column `by` is one of `parents`, always as the same object."""
    return by.in_(parents)


def _ordered(keys: Sequence[Any], down: bool) -> list[Any]:
    return [key.desc() if down else key.asc() for key in keys]


def _between_cursors(keys: list[Any], descending: bool, after: bool, before: bool) -> list[Any]:
    cursors = ((after, "after", descending), (before, "before", not descending))
    return [_beyond(keys, name, further) for has_cursor, name, further in cursors if has_cursor]


def _beyond(keys: list[Any], name: str, down: bool) -> Any:
    """Returns the condition for rows after the cursor's row, in the direction of reading."""
    values = [p(f"{name}{index}_") for index in range(len(keys))]
    if len(keys) == 1:
        return keys[0] < values[0] if down else keys[0] > values[0]
    left, right = tuple_(*keys), tuple_(*values)
    return left < right if down else left > right
