"""Turns rows into plain data, which `core.json_text.dumps_row` writes as JSON. The shape gives the columns and their
names.

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
from shapes.shape import BesideRow, Shape

Converter = Callable[[Any], Any]


@cache
def converter_of(shape: Any) -> Converter | None:
    """Returns the function that turns a resolver's result into plain data for `dumps_row`; None if `shape` is neither a
    shape nor a page.
    """
    if not (isinstance(shape, type) and issubclass(shape, Shape)):
        return None
    origin = shape.__pydantic_generic_metadata__["origin"]
    if origin is Page:
        (item,) = shape.__pydantic_generic_metadata__["args"]
        to_plain = _shape_converter(item)
        return lambda rows: _plain_page(rows, to_plain)
    return _shape_converter(shape)


def _plain_page(rows: Rows[Any], to_plain: Converter) -> dict[str, Any]:
    meta = rows.meta
    return {
        "items": [to_plain(row) for row in rows.items],
        "meta": {
            "page": meta.page,
            "limit": meta.limit,
            "total": meta.total,
            "totalPages": meta.total_pages,
        },
    }


def _shape_converter(shape: type[Shape]) -> Converter:
    fields = {name: field for name, field in shape.model_fields.items() if not field.exclude}
    alias_of = {name: field.serialization_alias or field.alias or name for name, field in fields.items()}
    beside = [
        (alias_of[name], name)
        for name, field in fields.items()
        if any(isinstance(item, BesideRow) for item in field.metadata)
    ]
    names = tuple(name for name in fields if (alias_of[name], name) not in beside)
    aliases = tuple(alias_of[name] for name in names)
    nested = [
        (alias_of[name], to_plain)
        for name, to_plain in zip(fields, map(_nested_converter, fields.values()), strict=True)
        if to_plain
    ]
    in_order = dict.fromkeys(alias_of.values())
    from_row, from_object = _getters(names)

    def flat(value: Any) -> dict[str, Any]:
        get = from_row if isinstance(value, Row) else from_object
        return dict(zip(aliases, get(value), strict=True))

    def flat_with_others(value: Any) -> dict[str, Any]:
        data = {**in_order, **flat(value)}
        for alias, name in beside:
            data[alias] = None if isinstance(value, Row) else getattr(value, name, None)
        return data

    first = flat_with_others if beside else flat
    if not nested:
        return first

    def with_nested(value: Any) -> dict[str, Any]:
        data = first(value)
        for alias, to_plain in nested:
            if data[alias] is not None:
                data[alias] = to_plain(data[alias])
        return data

    return with_nested


def _getters(names: Sequence[str]) -> tuple[Callable[[Any], Iterable[Any]], Callable[[Any], Iterable[Any]]]:
    if len(names) == 1:
        (name,) = names
        return lambda row: (row[name],), lambda thing: (getattr(thing, name),)
    return itemgetter(*names), attrgetter(*names)


def _nested_converter(field: Any) -> Converter | None:
    """Returns the converter of a field that contains a shape (`X` or `X | None`) or a list of shapes."""
    for kind in map(_without_annotated, (field.annotation, *get_args(field.annotation))):
        is_list = get_origin(kind) is list
        shape = _without_annotated(get_args(kind)[0]) if is_list else kind
        if isinstance(shape, type) and issubclass(shape, Shape):
            to_plain = _accepting_json(shape, _shape_converter(shape))
            return _list_converter(to_plain) if is_list else to_plain
    return None


def _list_converter(to_plain: Converter) -> Converter:
    return lambda values: [to_plain(value) for value in values]


def _without_annotated(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _accepting_json(shape: type[Shape], to_plain: Converter) -> Converter:
    """Returns a converter that also accepts a dict: in a JSON column a shape is stored under its aliases, without
    defaults.
    """
    fields = shape.model_fields
    if any(_nested_converter(field) for field in fields.values()):
        return lambda value: (
            shape.model_validate(value).model_dump(mode="json", by_alias=True)
            if isinstance(value, dict)
            else to_plain(value)
        )
    defaults = {
        field.serialization_alias or field.alias or name: field.get_default(call_default_factory=True)
        for name, field in fields.items()
        if not field.is_required()
    }
    return lambda value: {**defaults, **value} if isinstance(value, dict) else to_plain(value)
