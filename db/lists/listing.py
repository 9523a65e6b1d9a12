"""Reads lists: pages by number, pages by cursor, and rows by id."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast
from uuid import UUID

from sqlalchemy import Select

from db.lists import statements
from db.lists.cursor import read_cursor
from db.lists.definition import Definition
from db.lists.filters import NO_CONDITIONS, Conditions, parameters
from db.lists.page import (
    MOST_COUNTED,
    MOST_COUNTED_EACH,
    Counting,
    CursorPage,
    PageArgs,
    in_bounds,
)
from db.query import Query, Reads
from shapes.page import Rows

if TYPE_CHECKING:
    from db.session import Database

T = TypeVar("T")
DEEP = 1000
"""The offset from which on the rows are counted first, as the page may be read from the other end."""


class Listing(Definition[T]):
    """The list of a feature (see the package). Its fields are those of Definition."""

    async def numbered(
        self,
        db: "Reads | Database",
        page: int,
        limit: int,
        where: Conditions = NO_CONDITIONS,
        *scope: Any,
        total: Query[Any] | int | None = None,
        **scope_values: Any,
    ) -> Rows[T]:
        """Returns a page by its number, which is empty past the end, and the number of all rows.

        `total` is that number, or a query that is cheaper than counting the rows and has the same parameters. Raises
        ValidationFailed (GraphQL's Int has no bounds).
        """
        in_bounds(page, limit)
        offset = (page - 1) * limit
        values = {**parameters(where), **scope_values}
        where, ranges = self.split(where)
        names = frozenset(where)
        if total is None:
            total = statements.total(self, names, scope, ranges)
        # Rows that are added to the end of an ascending list between the count and the reading would shift the page.
        if offset >= DEEP and self.descending:
            number = total if isinstance(total, int) else int(await total.value(db, **values))
            rows = await self._deep(db, offset, limit, number, (names, scope, ranges), values)
            return Rows(rows, page, limit, number)
        query = statements.numbered(self, names, scope, ranges)
        rows = await query.all(db, limit_=limit, offset_=offset, **values)
        if isinstance(total, int):
            return Rows(rows, page, limit, total)
        whole = page == 1 and len(rows) < limit
        return Rows(rows, page, limit, len(rows) if whole else await total.value(db, **values))

    async def _deep(
        self,
        db: "Reads | Database",
        offset: int,
        limit: int,
        total: int,
        rows_of: tuple[Any, Any, Any],
        values: dict[str, Any],
    ) -> list[T]:
        """Reads a page in the second half from the other end, since OFFSET reads all rows before it."""
        if offset >= total:
            return []
        if offset * 2 < total:
            query = statements.numbered(self, *rows_of)
            return await query.all(db, limit_=limit, offset_=offset, **values)
        query = statements.numbered(self, *rows_of, from_the_end=True)
        after = max(total - offset - limit, 0)
        rows = await query.all(db, limit_=min(limit, total - offset), offset_=after, **values)
        return rows[::-1]

    async def count(
        self,
        db: "Reads | Database",
        where: Conditions = NO_CONDITIONS,
        *scope: Any,
        **scope_values: Any,
    ) -> int:
        """Returns the number of all rows, without a bound."""
        where, ranges = self.split(where)
        query = statements.total(self, frozenset(where), scope, ranges)
        return int(await query.value(db, **parameters(where), **scope_values))

    async def page(
        self,
        db: "Reads | Database",
        page_args: PageArgs,
        where: Conditions = NO_CONDITIONS,
        *scope: Any,
        **scope_values: Any,
    ) -> CursorPage[T]:
        """Returns a page by cursor of the rows that meet `scope` (whose parameters are in `scope_values`).

        Raises ValidationFailed, and BadRequest for an invalid cursor.
        """
        query, values = self.page_query(page_args, where, scope, None)
        rows = await query.all(db, **values, **scope_values)
        return self.part(page_args, rows, self.counting(db, where, scope, None, scope_values))

    async def pages(
        self,
        db: "Reads | Database",
        by: Any,
        parents: Sequence[Any],
        page_args: PageArgs,
        where: Conditions = NO_CONDITIONS,
        *scope: Any,
        **scope_values: Any,
    ) -> list[CursorPage[T]]:
        """Returns a page by cursor for each of `parents`, in their order: of the rows whose column `by` is the parent.

        Raises as `page` does.
        """
        query, values = self.page_query(page_args, where, scope, by)
        asked = list(dict.fromkeys(parents))
        grouped: list[list[T]] = [[] for _ in asked]
        for row in await query.all(db, parents_=asked, **values, **scope_values):
            grouped[cast(Any, row)["place_"] - 1].append(row)
        groups = dict(zip(asked, grouped, strict=True))
        most = MOST_COUNTED if len(asked) == 1 else MOST_COUNTED_EACH
        counting = self.counting(db, where, scope, by, {**scope_values, "parents_": asked, "most_": most})
        return self.parts(page_args, [(parent, groups[parent]) for parent in parents], counting)

    async def merged(
        self,
        db: "Reads | Database",
        by: Any,
        parents: Select[Any],
        page_args: PageArgs,
        where: Conditions = NO_CONDITIONS,
        *scope: Any,
        **scope_values: Any,
    ) -> CursorPage[T]:
        """Returns one page by cursor of the rows of all parents together, which the SELECT `parents` gives.

        Needs an index on `by` and the order's columns. `parents` must be the same object at each call, since
        statements are found by it; `scope_values` are its parameters. Raises as `page` does.
        """
        query, values = self.page_query(page_args, where, scope, by, parents)
        rows = await query.all(db, **values, **scope_values)
        scope = (statements.belongs(by, parents), *scope)
        return self.part(page_args, rows, self.counting(db, where, scope, None, scope_values))

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
        query = statements.by_ids(self, statements.columns_to_read(self, column_names, ""), scope)
        rows = await query.all(db, keys_=asked, **scope_values)
        by_id: dict[Any, Any] = {cast(Any, row)["id"]: row for row in rows}
        return [by_id.get(id) for id in ids]

    def page_query(
        self,
        page_args: PageArgs,
        where: Conditions,
        scope: tuple[Any, ...],
        by: Any,
        parents: Select[Any] | None = None,
    ) -> tuple[Query[T], dict[str, Any]]:
        """Returns the query of a page by cursor, and the values of its parameters except those of `scope` and
        `parents`.
        """
        page_args.check()
        order = self.order_name(page_args.order)
        # The ranges of an index are in the list's own order.
        where, ranges = (where, None) if order or parents is not None else self.split(where)
        values = parameters(where)
        for name, cursor in (("after", page_args.after), ("before", page_args.before)):
            if cursor is not None:
                read = read_cursor(cursor, self.cursor_name(order), self.kinds(order))
                values |= {f"{name}{index}_": value for index, value in enumerate(read)}
        values["limit_"] = page_args.limit + 1
        form = statements.PageForm(
            self,
            statements.columns_to_read(self, page_args.columns, order),
            frozenset(where),
            order,
            self.descending if page_args.descending is None else page_args.descending,
            page_args.backwards,
            page_args.after is not None,
            page_args.before is not None,
        )
        if parents is not None:
            return statements.merged(form, scope, by, parents), values
        return statements.page(form, scope, by, ranges), values

    def part(self, page_args: PageArgs, rows: list[T], counting: Counting) -> CursorPage[T]:
        """Makes a page of rows. There is one row more than the limit if the list goes on."""
        return self.parts(page_args, [(None, rows)], counting)[0]

    def parts(
        self, page_args: PageArgs, groups: Sequence[tuple[Any, list[T]]], counting: Counting
    ) -> list[CursorPage[T]]:
        """Makes pages of the rows of many parents."""
        order = self.order_name(page_args.order)
        keys, name = tuple(column.key for column in self.keys(order)), self.cursor_name(order)
        limit, backwards = page_args.limit, page_args.backwards
        before, after = page_args.before is not None, page_args.after is not None
        pages = []
        for parent, rows in groups:
            more = len(rows) > limit
            page_rows = rows[:limit] if more else rows
            if backwards:
                pages.append(CursorPage(page_rows[::-1], before, more, keys, name, counting, parent))
            else:
                pages.append(CursorPage(page_rows, more, after, keys, name, counting, parent))
        return pages

    def counting(
        self, db: Any, where: Conditions, scope: tuple[Any, ...], by: Any, scope_values: dict[str, Any]
    ) -> Counting:
        """Returns what counts the rows when the number is asked for."""

        async def count() -> dict[Any, int]:
            left, ranges = self.split(where)
            query = statements.bounded_count(self, frozenset(left), scope, by, ranges)
            rows: list[Any] = await query.all(db, **parameters(left), **scope_values)
            return {row.parent_ if by is not None else None: row.count_ for row in rows}

        return Counting(count)
