"""Reads the cells of a list's rows by their columns, and the parts of cells that are JSON objects.

listmonk exports what it knows of a person as one column `attributes` with a JSON object. Each of its keys is a column
of its own here, called `attributes.city`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from engine.file_parsers.common import Record

_MOST_INNER = 100  # inner columns that are suggested
_DEEPEST = 3  # objects inside each other whose keys are columns
_LONGEST_KEY = 64


class CellReader:
    """Returns the values of a row by the names of columns. It remembers the last object of each column."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._indexes = {column: index for index, column in enumerate(columns)}
        self._parsed: dict[str, tuple[str, dict[str, Any] | None]] = {}

    def __call__(self, record: Record, column: str | None) -> Any:
        """Returns the value in a column; None if the row has none."""
        if column is None:
            return None
        if isinstance(record, dict):
            if column in record or "." not in column:
                return record.get(column)
        else:
            index = self._indexes.get(column)
            if index is not None:
                return record[index] if index < len(record) else None
        if (outer := outer_of(column, record if isinstance(record, dict) else self._indexes)) is None:
            return None
        value: Any = self._object(outer, self(record, outer))
        for key in column[len(outer) + 1 :].split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return _plain(value)

    def _object(self, column: str, value: Any) -> dict[str, Any] | None:
        if not isinstance(value, str):
            return value if isinstance(value, dict) else None
        text, inner = self._parsed.get(column, ("", None))
        if text != value:
            inner = parsed(value)
            self._parsed[column] = value, inner
        return inner


def outer_of(column: str, columns: Any) -> str | None:
    """Returns the column whose objects have this inner column; None if there is none in `columns`."""
    end = column.find(".")
    while end > 0:
        if column[:end] in columns:
            return column[:end]
        end = column.find(".", end + 1)
    return None


def parsed(text: str) -> dict[str, Any] | None:
    """Returns the JSON object that a cell is, or None."""
    plain = text.strip()
    if not plain.startswith("{") or not plain.endswith("}"):
        return None
    try:
        value = orjson.loads(plain)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def inner_columns(columns: Sequence[str], sample: Sequence[Any]) -> dict[str, list[str]]:
    """Returns those columns whose filled cells in the first rows are all JSON objects, each with its inner columns in
    the order in which they come.

    A Web Push subscription is an address, and has none.
    """
    cells = CellReader(columns)
    inner: dict[str, list[str]] = {}
    for column in columns:
        values = [value for record in sample if (value := cells(record, column)) not in (None, "")]
        objects = [value if isinstance(value, dict) else parsed(str(value)) for value in values]
        if not objects or any(each is None or "endpoint" in each for each in objects):
            continue
        names = dict.fromkeys(name for each in objects for name in _names(each or {}, column, 1))
        inner[column] = list(names)[:_MOST_INNER]
    return inner


def _names(value: dict[str, Any], path: str, depth: int) -> Iterator[str]:
    for key, inner in value.items():
        if not key or "." in key or len(key) > _LONGEST_KEY:
            continue
        if isinstance(inner, dict) and depth < _DEEPEST:
            yield from _names(inner, f"{path}.{key}", depth + 1)
        else:
            yield f"{path}.{key}"


def _plain(value: Any) -> Any:
    """Returns an inner value as a field can have it: an object as its JSON, and a list's numbers as texts. One with too
    many levels stays as it is, and its row can't be stored.
    """
    try:
        if isinstance(value, dict):
            return orjson.dumps(value).decode()
        if isinstance(value, list):
            filled = [each for each in value if each is not None]
            return [each if isinstance(each, str) else orjson.dumps(each).decode() for each in filled]
    except orjson.JSONEncodeError:
        return value
    return value
