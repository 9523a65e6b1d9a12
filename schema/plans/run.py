"""Runs a plan: level by level, each field for all rows of its level at once.

Values are completed as in the specification (GraphQL, October 2021, §6.4.3): an error has a path, and a null that is
not allowed at its place moves up to the first place where null is allowed.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from graphql import GraphQLError
from graphql.error import located_error
from graphql.pyutils import inspect

from core.tasks import end
from db.query import Row
from runtime.context import Context
from schema.frame.graphql import global_id
from schema.plans.plan import Field, Leaf, Selection

Place = tuple[str | int, ...]
At = Callable[[int], Place]


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
    wanted: frozenset[str] | None
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
    errors: list[GraphQLError] = field(default_factory=list)
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
        slow = [one for one in selection.fields if one.slow]
        waited: dict[str, list[Any]] = {}
        if len(slow) > 1:
            answers = await _together([self._field(one, rows, at) for one in slow])
            waited = {one.key: values for one, values in zip(slow, answers, strict=True)}
        for one in selection.fields:
            key = one.key
            values = waited[key] if key in waited else await self._field(one, rows, at)
            if not self.failed:
                for row, value in zip(made, values, strict=True):
                    row[key] = value
                continue
            for place, value in enumerate(values):
                if isinstance(made[place], Failed):
                    continue
                if isinstance(value, Failed):
                    made[place] = value
                else:
                    made[place][key] = value
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
        return [self._carefully(selection, row, place, at) for place, row in enumerate(rows)]

    def _carefully(self, selection: Selection, row: Any, place: int, at: At) -> Any:
        made: dict[str, Any] = dict.fromkeys(selection.keys)
        for leaf in selection.leaves:
            try:
                made[leaf.key] = _leaf(leaf, row)
            except Exception as error:
                located = located_error(error, leaf.nodes, [*at(place), leaf.key])
                if not leaf.nullable:
                    return self._fail(located)
                self.errors.append(located)
        return made

    async def _field(self, one: Field, rows: list[Any], at: At) -> list[Any]:
        values = await self._values(one, rows)

        def where(place: int) -> Place:
            return (*at(place), one.key)

        if one.selection is None:
            return [self._leaf_value(one, value, where, place) for place, value in enumerate(values)]
        return await self._objects(one, one.selection, values, where)

    async def _values(self, one: Field, rows: list[Any]) -> list[Any]:
        """Returns a value for each row; an exception in place of a value that could not be read."""
        info = Info(self.context, one.wanted, self.variables.coerced)
        if one.call is None:
            return [_attribute(row, one.attribute) for row in rows]
        try:
            given = one.arguments(self.variables, info) if one.arguments is not None else {}
            if one.batch is not None:
                return list(await one.batch(rows, info, **given))
        except Exception as error:
            return [error for _ in rows]
        if one.takes_info:
            given = {**given, "info": info}
        call: Any = one.call
        if not one.waits:
            return [_called(call, row, given, takes_self=one.takes_self) for row in rows]
        calls = [call(row, **given) if one.takes_self else call(**given) for row in rows]
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

    def _null(self, one: Field, error: Exception, where: Place, *, nullable: bool) -> Any:
        located = located_error(error, one.nodes, list(where))
        if not nullable:
            return self._fail(located)
        self.errors.append(located)
        return None

    def _missing(self, one: Field) -> TypeError:
        return TypeError(f"Cannot return null for non-nullable field {one.parent}.{one.nodes[0].name.value}.")

    def _leaf_value(self, one: Field, value: Any, where: At, place: int) -> Any:
        shape = one.shape
        try:
            if isinstance(value, Exception):
                raise value
            if value is None:
                if not shape.nullable:
                    raise self._missing(one)
                return None
            if not shape.is_list:
                return _coerced(one.graphql.type, one.coerce, value)
            items = []
            for index, item in enumerate(_iterable(one, value)):
                done = self._leaf_item(one, item, (*where(place), index))
                if isinstance(done, Failed):
                    raise done.error
                items.append(done)
            return items
        except Exception as error:
            return self._null(one, error, where(place), nullable=shape.nullable)

    def _leaf_item(self, one: Field, item: Any, where: Place) -> Any:
        try:
            if isinstance(item, Exception):
                raise item
            if item is None:
                if not one.shape.item_nullable:
                    raise self._missing(one)
                return None
            return _coerced(one.graphql.type, one.coerce, item)
        except Exception as error:
            return self._null(one, error, where, nullable=bool(one.shape.item_nullable))

    async def _objects(self, one: Field, selection: Selection, values: list[Any], where: At) -> list[Any]:
        shape = one.shape
        kinds = set(map(type, values))
        if not (_missing(kinds) or shape.is_list):
            return self._all_settled(await self.fill(selection, values, where), nullable=shape.nullable)
        if shape.is_list and kinds == {list}:
            return await self._lists(one, selection, values, where)
        lists: list[Any] = []
        for place, value in enumerate(values):
            try:
                if isinstance(value, Exception):
                    raise value
                if value is None:
                    if not shape.nullable:
                        raise self._missing(one)
                    lists.append(None)
                else:
                    lists.append(_listed(one, value) if shape.is_list else value)
            except Exception as error:
                lists.append(_Done(self._null(one, error, where(place), nullable=shape.nullable)))
        if shape.is_list:
            return await self._lists(one, selection, lists, where)
        places = [p for p, value in enumerate(lists) if value is not None and type(value) is not _Done]
        made = await self.fill(selection, [lists[p] for p in places], lambda n: where(places[n]))
        filled = iter(made)
        return [
            value.value
            if type(value) is _Done
            else None
            if value is None
            else self._settled(next(filled), nullable=shape.nullable)
            for value in lists
        ]

    async def _lists(self, one: Field, selection: Selection, lists: list[Any], where: At) -> list[Any]:
        if set(map(type, lists)) != {list}:
            return await self._lists_with_gaps(one, selection, lists, where)
        rows = lists[0] if len(lists) == 1 else [*chain.from_iterable(lists)]
        if _missing(set(map(type, rows))):
            return await self._lists_with_gaps(one, selection, lists, where)

        def within(number: int) -> Place:
            for place, value in enumerate(lists):
                if number < len(value):
                    return (*where(place), number)
                number -= len(value)
            raise AssertionError("unreachable")

        made = self._all_settled(
            await self.fill(selection, rows, within), nullable=bool(one.shape.item_nullable)
        )
        if len(lists) == 1:
            return [self._list(one, made)]
        ends = [*accumulate(map(len, lists))]
        return [self._list(one, made[end - len(value) : end]) for value, end in zip(lists, ends, strict=True)]

    def _list(self, one: Field, items: list[Any]) -> Any:
        """Returns the list, or what stands in its place if an item failed that may not be null."""
        if self.failed:
            for item in items:
                if isinstance(item, Failed):
                    return self._settled(item, nullable=one.shape.nullable)
        return items

    async def _lists_with_gaps(
        self, one: Field, selection: Selection, lists: list[Any], where: At
    ) -> list[Any]:
        """Completes lists that are null or failed, or that have such items."""
        present = [
            (place, index, item)
            for place, value in enumerate(lists)
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
        nullable = bool(one.shape.item_nullable)
        answers: list[Any] = []
        for place, value in enumerate(lists):
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
                    error = self._missing(one) if item is None else item
                    items.append(self._null(one, error, (*where(place), index), nullable=nullable))
            answers.append(self._list(one, items))
        return answers

    def _all_settled(self, made: list[Any], *, nullable: bool) -> list[Any]:
        return [self._settled(one, nullable=nullable) for one in made] if self.failed else made

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
    tasks = [asyncio.ensure_future(one) for one in others]
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


def _attribute(row: Any, name: str) -> Any:
    try:
        return getattr(row, name)
    except Exception as error:
        return error


def _called(call: Any, row: Any, given: dict[str, Any], *, takes_self: bool) -> Any:
    try:
        return call(row, **given) if takes_self else call(**given)
    except Exception as error:
        return error


def _iterable(one: Field, value: Any) -> Any:
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__") or isinstance(value, dict):
        name = f"{one.parent}.{one.nodes[0].name.value}"
        raise GraphQLError(f"Expected Iterable, but did not find one for field '{name}'.")
    return value


def _listed(one: Field, value: Any) -> list[Any]:
    return value if type(value) is list else list(_iterable(one, value))


def _coerced(kind: Any, coerce: Any, value: Any) -> Any:
    coerced = coerce(value)
    if coerced is None:
        raise TypeError(
            f"Expected `{kind}.coerce_output_value({inspect(value)})` to return non-nullable value,"
            f" returned: {inspect(coerced)}"
        )
    return coerced


def _leaf(leaf: Leaf, row: Any) -> Any:
    if leaf.constant is not None:
        return leaf.constant
    assert leaf.attribute is not None
    if leaf.prefix is not None:
        return global_id(leaf.prefix, row.id)
    value = getattr(row, leaf.attribute)
    if isinstance(value, Exception):
        raise value
    if value is None:
        if not leaf.nullable:
            name = leaf.nodes[0].name.value
            raise TypeError(f"Cannot return null for non-nullable field {leaf.parent}.{name}.")
        return None
    return _coerced(leaf.named, leaf.coerce, value)
