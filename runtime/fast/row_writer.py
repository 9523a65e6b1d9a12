"""Writes responses directly from rows: the shape gives the columns and their names, orjson writes them.

pydantic would copy every attribute of every row into a model before it writes the model, which takes most of the time
of a request for a hundred messages. The JSON is the same as pydantic's: `tests/doors/test_writing.py` compares both
for every shape.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter, itemgetter
from typing import Annotated, Any, get_args, get_origin

from db.query import Row
from shapes.page import Page, Rows
from shapes.shape import Shape

Writer = Callable[[Any], Any]


@cache
def writer_of(shape: Any) -> Writer | None:
    """Returns the function that turns a resolver's result into plain data for `dumps_row`; None if `shape` is neither a
    shape nor a page.
    """
    if not (isinstance(shape, type) and issubclass(shape, Shape)):
        return None
    origin = shape.__pydantic_generic_metadata__["origin"]
    if origin is Page:
        (item,) = shape.__pydantic_generic_metadata__["args"]
        write = _shape(item)
        return lambda rows: _page(rows, write)
    return _shape(shape)


def _page(rows: Rows[Any], write: Writer) -> dict[str, Any]:
    meta = rows.meta
    return {
        "items": [write(row) for row in rows.items],
        "meta": {
            "page": meta.page,
            "limit": meta.limit,
            "total": meta.total,
            "totalPages": meta.total_pages,
        },
    }


def _shape(shape: type[Shape]) -> Writer:
    fields = shape.model_fields
    names = tuple(fields)
    aliases = tuple(field.serialization_alias or field.alias or name for name, field in fields.items())
    nested = [
        (alias, write) for alias, write in zip(aliases, map(_nested, fields.values()), strict=True) if write
    ]
    of_row, of_object = _getters(names)

    def plain(value: Any) -> dict[str, Any]:
        get = of_row if isinstance(value, Row) else of_object
        return dict(zip(aliases, get(value), strict=True))

    if not nested:
        return plain

    def deep(value: Any) -> dict[str, Any]:
        written = plain(value)
        for alias, write in nested:
            if written[alias] is not None:
                written[alias] = write(written[alias])
        return written

    return deep


def _getters(names: Sequence[str]) -> tuple[Callable[[Any], Iterable[Any]], Callable[[Any], Iterable[Any]]]:
    if len(names) == 1:
        (name,) = names
        return lambda row: (row[name],), lambda thing: (getattr(thing, name),)
    return itemgetter(*names), attrgetter(*names)


def _nested(field: Any) -> Writer | None:
    """Returns the writer of a field that contains a shape or a list of shapes."""
    for kind in map(_bare, (field.annotation, *get_args(field.annotation))):
        if isinstance(kind, type) and issubclass(kind, Shape):
            write = _or_json(kind, _shape(kind))
            if get_origin(field.annotation) is list:
                return lambda values: [write(value) for value in values]
            return write
    return None


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _or_json(shape: type[Shape], write: Writer) -> Writer:
    """Returns a writer that also accepts a dict: in a JSON column a shape is stored under its aliases, without
    defaults.
    """
    fields = shape.model_fields
    if any(_nested(field) for field in fields.values()):
        return lambda value: (
            shape.model_validate(value).model_dump(mode="json", by_alias=True)
            if isinstance(value, dict)
            else write(value)
        )
    defaults = {
        field.serialization_alias or field.alias or name: field.get_default(call_default_factory=True)
        for name, field in fields.items()
        if not field.is_required()
    }
    return lambda value: {**defaults, **value} if isinstance(value, dict) else write(value)
