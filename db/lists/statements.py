"""The SQL of lists, each statement compiled once.

A page by cursor begins after the values of the row before it (*keyset*), so every page costs as much as the first, and
new rows shift nothing. One SELECT reads a page of one list, or, by LATERAL joins, a page for each of many parents: a
page of a hundred projects with five messages each takes two statements.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, any_, column, func, literal_column, select, true, tuple_

from db.lists.definition import Definition
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
    definition: Definition[Any], names: Names, scope: tuple[Any, ...], *, from_the_end: bool = False
) -> Query[Any]:
    """Returns the query of a page by number, in the list's own order or, from the end, in the reverse order."""
    labels = definition.labels(columns_to_read(definition, None, ""))
    rows = select(*labels).where(*definition.where_clauses(names, scope))
    key = definition.identity
    ordered = rows.order_by(key.desc() if definition.descending != from_the_end else key.asc())
    return Query(definition.model, ordered.limit(p("limit_")).offset(p("offset_")))


@lru_cache(maxsize=1024)
def total(definition: Definition[Any], names: Names, scope: tuple[Any, ...]) -> Query[Any]:
    """Returns the query that counts all rows."""
    rows = select(func.count()).select_from(definition.model)
    return Query(definition.model, rows.where(*definition.where_clauses(names, scope)))


@lru_cache(maxsize=2048)
def page(
    definition: Definition[Any],
    column_names: frozenset[str],
    names: Names,
    order: str,
    descending: bool,
    backwards: bool,
    after: bool,
    before: bool,
    scope: tuple[Any, ...],
    by: Any,
) -> Query[Any]:
    """Returns the query of a page by cursor; with `by`, of such a page for each parent in that column."""
    keys, down = definition.keys(order), descending != backwards
    conditions = [
        *definition.where_clauses(names, scope),
        *_between_cursors(keys, descending, after, before),
    ]
    rows = select(*definition.labels(column_names)).where(*conditions)
    rows = rows.order_by(*_ordered(keys, down)).limit(p("limit_"))
    if by is None:
        return Query(definition.model, rows)
    parents = _parents(by)
    each = rows.where(by == parents.c.parent_).lateral("each")
    labels = sorted(column_names)
    return Query(
        definition.model,
        select(parents.c.place_.label("place_"), *(each.c[label] for label in labels))
        .select_from(parents.join(each, onclause=true()))
        .order_by(parents.c.place_, *_ordered([each.c[key.key] for key in keys], down)),
    )


@lru_cache(maxsize=512)
def merged(
    definition: Definition[Any],
    column_names: frozenset[str],
    names: Names,
    order: str,
    descending: bool,
    backwards: bool,
    after: bool,
    before: bool,
    by: Any,
    parents: Select[Any],
) -> Query[Any]:
    """Returns the query of a page by cursor of the rows of all `parents`, a SELECT of the values of `by`.

    A page of n rows is from the n parents whose first row comes first. So only these parents are read up to n rows
    each, and of the others one row. Only the rows of the page are read with all their columns.
    """
    keys, down = definition.keys(order), descending != backwards
    conditions = [
        *definition.where_clauses(names, ()),
        *_between_cursors(keys, descending, after, before),
    ]

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
    page = first_of(nearest, candidates, candidates.c[identity.key])
    return Query(
        definition.model,
        select(*definition.labels(column_names))
        .join_from(definition.model, page, onclause=identity == page.c[0])
        .order_by(*_ordered(keys, down)),
    )


@lru_cache(maxsize=1024)
def by_ids(definition: Definition[Any], column_names: frozenset[str], scope: tuple[Any, ...]) -> Query[Any]:
    """Returns the query of rows by their ids."""
    has_id = definition.model.id == any_(p("keys_", like=definition.model.id))
    rows = select(*definition.labels(column_names | {"id"}))
    return Query(definition.model, rows.where(has_id, *definition.where_clauses(frozenset(), scope)))


@lru_cache(maxsize=512)
def bounded_count(definition: Definition[Any], names: Names, scope: tuple[Any, ...], by: Any) -> Query[Any]:
    """Returns the query that counts rows up to a bound; with `by`, the rows of each parent in that column."""
    rows = select(definition.identity.label("id_")).where(*definition.where_clauses(names, scope))
    if by is None:
        bounded = rows.limit(MOST_COUNTED).subquery()
        return Query(definition.model, select(func.count().label("count_")).select_from(bounded))
    parents = _parents(by)
    # Without `correlate` the subquery would select from parents of its own, and count the rows of all of them.
    each = rows.where(by == parents.c.parent_).limit(p("most_")).correlate(parents).subquery("each")
    counted = select(func.count().label("count_")).select_from(each).lateral("counted")
    return Query(
        definition.model,
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
