"""Runs a plan: level by level, each field for all rows of its level at once.

Values are completed as in the specification (GraphQL, October 2021, §6.4.3): an error has a path, and a null that is
not allowed at its place moves up to the first place where null is allowed.
"""

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from graphql import GraphQLError
from graphql.error import located_error

from core.tasks import end
from db.query import Row
from runtime.context import Context
from schema.plans.plan import Field, Selection
from schema.plans.values import _iterable, attribute, called, coerced, leaf_value, listed

Path = tuple[str | int, ...]
At = Callable[[int], Path]


@dataclass(slots=True)
class Answer:
    """The result of a query. `objects`: how many `data` has."""

    data: dict[str, Any] | None
    errors: list[GraphQLError]
    objects: int


@dataclass(slots=True)
class Info:
    """The request as a field's function sees it: the part of Strawberry's Info that our functions use."""

    context: Context
    columns: frozenset[str] | None
    variable_values: dict[str, Any]


class Failed:
    """Stands for a null that is not allowed here: its error moves up."""

    __slots__ = ("error",)

    def __init__(self, error: GraphQLError) -> None:
        self.error = error


@dataclass(slots=True)
class Run:
    """The run of a plan for one request."""

    context: Context
    variables: Any
    errors: list[GraphQLError] = dataclasses.field(default_factory=list)
    objects: int = 0
    failed: bool = False  # whether there is a Failed; until then nothing looks for one

    async def answer(self, root: Selection) -> Answer:
        (data,) = await self.fill(root, [None], lambda _: ())
        self.objects -= 1  # the root is not an object of the response
        if isinstance(data, Failed):
            self.errors.append(data.error)
            data = None
        return Answer(data, self.errors, self.objects)

    async def fill(self, selection: Selection, rows: list[Any], at: At) -> list[Any]:
        """Returns an object for each row, or Failed."""
        if not rows:
            return []
        self.objects += len(rows)
        made = self._leaves(selection, rows, at)
        slow = [field for field in selection.fields if field.slow]
        waited: dict[str, list[Any]] = {}
        if len(slow) > 1:
            answers = await _together([self._field(field, rows, at) for field in slow])
            waited = {field.key: values for field, values in zip(slow, answers, strict=True)}
        for field in selection.fields:
            key = field.key
            values = waited[key] if key in waited else await self._field(field, rows, at)
            if not self.failed:
                for row, value in zip(made, values, strict=True):
                    row[key] = value
                continue
            for row_index, value in enumerate(values):
                if isinstance(made[row_index], Failed):
                    continue
                if isinstance(value, Failed):
                    made[row_index] = value
                else:
                    made[row_index][key] = value
        return made

    def _fail(self, error: GraphQLError) -> Failed:
        self.failed = True
        return Failed(error)

    def _leaves(self, selection: Selection, rows: list[Any], at: At) -> list[Any]:
        write = selection.of_rows if set(map(type, rows)) == {Row} else selection.of_objects
        assert write is not None
        try:
            return list(write(rows))
        except Exception:  # noqa: S110  one of the values is wrong: the next line finds out which
            pass
        return [self._carefully(selection, row, row_index, at) for row_index, row in enumerate(rows)]

    def _carefully(self, selection: Selection, row: Any, row_index: int, at: At) -> Any:
        made: dict[str, Any] = dict.fromkeys(selection.keys)
        for leaf in selection.leaves:
            try:
                made[leaf.key] = leaf_value(leaf, row)
            except Exception as error:
                located = located_error(error, leaf.nodes, [*at(row_index), leaf.key])
                if not leaf.nullable:
                    return self._fail(located)
                self.errors.append(located)
        return made

    async def _field(self, field: Field, rows: list[Any], at: At) -> list[Any]:
        values = await self._values(field, rows)

        def where(row_index: int) -> Path:
            return (*at(row_index), field.key)

        if field.selection is None:
            return [
                self._leaf_value(field, value, where, row_index) for row_index, value in enumerate(values)
            ]
        return await self._objects(field, field.selection, values, where)

    async def _values(self, field: Field, rows: list[Any]) -> list[Any]:
        """Returns a value for each row; an exception in place of a value that could not be read."""
        if field.call is None:
            return [attribute(row, field.attribute) for row in rows]
        info = Info(self.context, field.columns, self.variables.coerced)
        try:
            arguments = field.arguments(self.variables, info) if field.arguments is not None else {}
            if field.batch is not None:
                return list(await field.batch(rows, info, **arguments))
        except Exception as error:
            return [error for _ in rows]
        if field.takes_info:
            arguments = {**arguments, "info": info}
        call: Any = field.call
        if not field.waits:
            return [called(call, row, arguments, takes_self=field.takes_self) for row in rows]
        calls = [call(row, **arguments) if field.takes_self else call(**arguments) for row in rows]
        if len(calls) == 1:
            try:
                return [await calls[0]]
            except Exception as error:
                return [error]
        values: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
        for value in values:
            if isinstance(value, BaseException) and not isinstance(value, Exception):
                raise value  # a cancellation of one call cancels all
        return values

    def _null(self, field: Field, error: Exception, where: Path, *, nullable: bool) -> Any:
        located = located_error(error, field.nodes, list(where))
        if not nullable:
            return self._fail(located)
        self.errors.append(located)
        return None

    def _missing(self, field: Field) -> TypeError:
        return TypeError(
            f"Cannot return null for non-nullable field {field.parent}.{field.nodes[0].name.value}."
        )

    def _leaf_value(self, field: Field, value: Any, where: At, row_index: int) -> Any:
        shape = field.shape
        try:
            if isinstance(value, Exception):
                raise value
            if value is None:
                if not shape.nullable:
                    raise self._missing(field)
                return None
            if not shape.is_list:
                return coerced(field.graphql.type, field.coerce, value)
            items = []
            for index, item in enumerate(_iterable(field, value)):
                done = self._leaf_item(field, item, (*where(row_index), index))
                if isinstance(done, Failed):
                    raise done.error
                items.append(done)
            return items
        except Exception as error:
            return self._null(field, error, where(row_index), nullable=shape.nullable)

    def _leaf_item(self, field: Field, item: Any, where: Path) -> Any:
        try:
            if isinstance(item, Exception):
                raise item
            if item is None:
                if not field.shape.item_nullable:
                    raise self._missing(field)
                return None
            return coerced(field.graphql.type, field.coerce, item)
        except Exception as error:
            return self._null(field, error, where, nullable=bool(field.shape.item_nullable))

    async def _objects(self, field: Field, selection: Selection, values: list[Any], where: At) -> list[Any]:
        shape = field.shape
        kinds = set(map(type, values))
        if not (_missing(kinds) or shape.is_list):
            return self._all_settled(await self.fill(selection, values, where), nullable=shape.nullable)
        if shape.is_list and kinds == {list}:
            return await self._lists(field, selection, values, where)
        lists: list[Any] = []
        for row_index, value in enumerate(values):
            try:
                if isinstance(value, Exception):
                    raise value
                if value is None:
                    if not shape.nullable:
                        raise self._missing(field)
                    lists.append(None)
                else:
                    lists.append(listed(field, value) if shape.is_list else value)
            except Exception as error:
                lists.append(_Done(self._null(field, error, where(row_index), nullable=shape.nullable)))
        if shape.is_list:
            return await self._lists(field, selection, lists, where)
        row_indexes = [p for p, value in enumerate(lists) if value is not None and type(value) is not _Done]
        made = await self.fill(selection, [lists[p] for p in row_indexes], lambda n: where(row_indexes[n]))
        filled = iter(made)
        return [
            value.value
            if type(value) is _Done
            else None
            if value is None
            else self._settled(next(filled), nullable=shape.nullable)
            for value in lists
        ]

    async def _lists(self, field: Field, selection: Selection, lists: list[Any], where: At) -> list[Any]:
        if set(map(type, lists)) != {list}:
            return await self._lists_with_nulls(field, selection, lists, where)
        rows = lists[0] if len(lists) == 1 else [*chain.from_iterable(lists)]
        if _missing(set(map(type, rows))):
            return await self._lists_with_nulls(field, selection, lists, where)

        def within(number: int) -> Path:
            for row_index, value in enumerate(lists):
                if number < len(value):
                    return (*where(row_index), number)
                number -= len(value)
            raise AssertionError("unreachable")

        made = self._all_settled(
            await self.fill(selection, rows, within), nullable=bool(field.shape.item_nullable)
        )
        if len(lists) == 1:
            return [self._list(field, made)]
        ends = [*accumulate(map(len, lists))]
        return [
            self._list(field, made[end - len(value) : end]) for value, end in zip(lists, ends, strict=True)
        ]

    def _list(self, field: Field, items: list[Any]) -> Any:
        """Returns the list, or what stands in its place if an item failed that may not be null."""
        if self.failed:
            for item in items:
                if isinstance(item, Failed):
                    return self._settled(item, nullable=field.shape.nullable)
        return items

    async def _lists_with_nulls(
        self, field: Field, selection: Selection, lists: list[Any], where: At
    ) -> list[Any]:
        """Completes lists that are null or failed, or that have such items."""
        present = [
            (row_index, index, item)
            for row_index, value in enumerate(lists)
            if value is not None and type(value) is not _Done
            for index, item in enumerate(value)
            if item is not None and not isinstance(item, Exception)
        ]
        made = await self.fill(
            selection,
            [item for _, _, item in present],
            lambda number: (*where(present[number][0]), present[number][1]),
        )
        filled = iter(made)
        nullable = bool(field.shape.item_nullable)
        answers: list[Any] = []
        for row_index, value in enumerate(lists):
            if value is None or type(value) is _Done:
                answers.append(None if value is None else value.value)
                continue
            items: list[Any] = []
            for index, item in enumerate(value):
                if item is not None and not isinstance(item, Exception):
                    items.append(self._settled(next(filled), nullable=nullable))
                elif item is None and nullable:
                    items.append(None)
                else:
                    error = self._missing(field) if item is None else item
                    items.append(self._null(field, error, (*where(row_index), index), nullable=nullable))
            answers.append(self._list(field, items))
        return answers

    def _all_settled(self, made: list[Any], *, nullable: bool) -> list[Any]:
        return [self._settled(item, nullable=nullable) for item in made] if self.failed else made

    def _settled(self, made: Any, *, nullable: bool) -> Any:
        """Returns an object, or null if it failed and null is allowed here."""
        if nullable and isinstance(made, Failed):
            self.errors.append(made.error)
            return None
        return made


def _missing(kinds: set[type]) -> bool:
    """Returns whether one of these classes stands for a gap: null, or an exception."""
    return any(map(_is_gap, kinds))


@lru_cache(1024)
def _is_gap(kind: type) -> bool:
    return kind is type(None) or issubclass(kind, Exception)


async def _together(fields: list[Coroutine[Any, Any, list[Any]]]) -> list[list[Any]]:
    """Runs all; if one ends with another error than a field's, the rest is cancelled. The first needs no task."""
    first, *others = fields
    tasks = [asyncio.ensure_future(other) for other in others]
    try:
        return [await first, *[await task for task in tasks]]
    except BaseException:
        await end(tasks)
        raise


class _Done:
    """A place whose value is completed already."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value
