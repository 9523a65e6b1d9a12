"""Turns rows of a list into rows of `import_rows`, as the text of a COPY (PostgreSQL's own format)."""

import zoneinfo
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from uuid import UUID

import orjson

from engine.file_parsers import mapping
from engine.file_parsers.addresses import KIND_OF, normaliser, reaches, unreached, why_not
from engine.file_parsers.common import ROW, ROWS, Fault, Options, Record, Source, Unreadable
from engine.file_parsers.mapping import Columns
from shapes.addresses import address_key

COLUMNS = (
    "import_id",
    "line",
    "address",
    "address_key",
    "name",
    "variables",
    "timezone",
    "error_code",
    "error_message",
)
"""The columns of `import_rows`, in the order of the COPY."""

_BATCH = 10_000  # rows written in one transaction
_BATCH_CHARACTERS = 4 * 1024 * 1024
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
"""Replaces characters that have a meaning in the text of a COPY."""
"""Holds the escape sequences by which the text of a COPY writes these characters."""
BAD_TEXT = Fault(
    "bad_text", "The row contains text that can't be stored (a NUL character or a lone surrogate). Remove it."
)
_BAD_VALUE = Fault(
    "bad_row",
    ("The row contains a value that can't be stored, such as a number of more than 64 bits. Correct it."),
)
BAD_NAME = Fault("bad_row", "The name must be text.")
NO_ZONE = "is not a time zone. Write it like Europe/Berlin."
LONG_NAME = 1000
_NULL = "\\N"


class FirstLines:
    """The first line of each address, in 20 bytes per entry: a dictionary would take 110.

    Open addressing in two arrays: 64 bits of the address, and its line.
    """

    def __init__(self) -> None:
        self._mask = (1 << 16) - 1
        self._count = 0
        self._keys, self._lines = array("Q", bytes(8 << 16)), array("I", bytes(4 << 16))

    def first(self, address: str, line: int) -> int:
        """Returns the line where this address occurred first: this one, or an earlier one."""
        # The key is a phone's digits, or 63 bits of a randomized hash. Two of ten million different emails collide once
        # in 200,000 imports.
        if address[0] == "+" and address[1:].isdigit():
            key = int(address[1:])
        else:
            key = hash(address) & 0x7FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        keys, mask = self._keys, self._mask
        slot = (key * 0x9E37_79B9_7F4A_7C15 >> 20) & mask
        while stored_key := keys[slot]:
            if stored_key == key:
                return self._lines[slot]
            slot = (slot + 1) & mask
        keys[slot], self._lines[slot] = key, line
        self._count += 1
        if self._count * 5 > mask * 3:
            self._grow()
        return line

    def _grow(self) -> None:
        old = zip(self._keys, self._lines, strict=True)
        size = (self._mask + 1) * 4
        self._mask = mask = size - 1
        keys, lines = array("Q", bytes(8 * size)), array("I", bytes(4 * size))
        for key, line in old:
            if key:
                slot = (key * 0x9E37_79B9_7F4A_7C15 >> 20) & mask
                while keys[slot]:
                    slot = (slot + 1) & mask
                keys[slot], lines[slot] = key, line
        self._keys, self._lines = keys, lines


class Batch:
    """Collected rows for the COPY, with counts per kind."""

    def __init__(self) -> None:
        self.rows: list[str] = []
        self.size = self.valid = self.invalid = self.duplicates = 0

    def data(self) -> bytes:
        return "".join(self.rows).encode()


def batches(source: Source, columns: Columns, import_id: UUID, options: Options) -> Iterator[Batch]:
    """Yields all rows of a list of recipients in batches. Raises Unreadable."""
    return written(source, _Maker(source, columns, import_id, options))


class RowWriter:
    """Writes rows into a batch. A subclass defines a row of the list."""

    def __init__(self, import_id: UUID) -> None:
        self.batch = Batch()
        self.id = str(import_id)

    def add(self, line: int, record: Record) -> None:
        """Writes a row of the list, or the reason why it is not valid."""
        raise NotImplementedError

    def bad(self, line: int, fault: Fault) -> None:
        self.refuse(line, fault.code, fault.message)
        self.batch.invalid += 1

    def refuse(self, line: int, code: str, message: str) -> None:
        escaped = message.encode("utf-8", "replace").decode().replace("\0", "").translate(ESCAPES)
        row = f"{self.id}\t{line}\t\\N\t\\N\t\\N\t\\N\t\\N\t{code}\t{escaped}\n"
        self.batch.rows.append(row)
        self.batch.size += len(row)


def written(source: Source, maker: RowWriter) -> Iterator[Batch]:
    """Yields all rows of a list in batches, as `maker` writes them. Raises Unreadable."""
    add = maker.add
    batch = maker.batch
    for number, (line, record) in enumerate(source.rows(), 1):
        add(line, record)
        if len(batch.rows) >= _BATCH or batch.size >= _BATCH_CHARACTERS:
            if number > ROWS:
                raise Unreadable(f"The list has more than {ROWS} rows. Split it into several lists.")
            yield batch
            batch = maker.batch = Batch()
    if batch.rows:
        yield batch


class _Maker(RowWriter):
    def __init__(self, source: Source, columns: Columns, import_id: UUID, options: Options) -> None:
        super().__init__(import_id)
        self._columns = columns
        self._normalise: Callable[[str], str | None] = normaliser(columns.kind, options.region)
        self._channel = options.channel
        self._seen = FirstLines()
        indexes = {column: index for index, column in enumerate(source.columns)}
        self._address = indexes.get(columns.address, 0)
        self._name = indexes.get(columns.name) if columns.name else None
        self._zone = indexes.get(columns.timezone) if columns.timezone else None
        self._variables = [
            (name, indexes[column]) for name, column in columns.variables.items() if column in indexes
        ]
        self._names = _Names(columns)

    def add(self, line: int, record: Record) -> None:
        if type(record) is list:
            raw = record[self._address].strip()
            if not raw and not any(record):
                return
            name = record[self._name].strip() if self._name is not None else ""
            zone = record[self._zone].strip() if self._zone is not None else ""
            # An empty cell is no value: the project decides whether such a recipient is skipped.
            values = {key: record[index] for key, index in self._variables if record[index]}
            self._put(line, raw, name, zone, values)
        elif isinstance(record, dict):
            self._add_object(line, record)
        elif isinstance(record, Fault):
            self.bad(line, record)

    def _add_object(self, line: int, record: dict[str, Any]) -> None:
        columns = self._columns
        raw = record.get(columns.address)
        if raw is None and columns.address != "address":
            raw = record.get("address")
        name = record.get(columns.name) if columns.name else None
        zone = record.get(columns.timezone) if columns.timezone else None
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            raw = str(int(raw)) if raw == raw // 1 else str(raw)
        elif isinstance(raw, dict):  # a Web Push subscription
            raw = orjson.dumps(raw).decode()
        if name is not None and not isinstance(name, str):
            self.bad(line, BAD_NAME)
            return
        values = {
            variable: value
            for key, value in record.items()
            if value not in (None, "") and (variable := self._names(key)) is not None
        }
        self._put(line, str(raw or "").strip(), (name or "").strip(), str(zone or "").strip(), values)

    def _put(self, line: int, raw: str, name: str, zone: str, values: dict[str, Any]) -> None:
        address = self._normalise(raw)
        if address is None:
            kind = (
                self._columns.kind
                if self._channel is None
                else KIND_OF.get(self._channel, self._columns.kind)
            )
            self.bad(line, Fault(*why_not(kind, raw)))
            return
        if self._channel is not None and not reaches(self._channel, address):
            self.bad(line, Fault(*unreached(self._channel, raw)))
            return
        if zone and not is_zone(zone):
            self.bad(line, Fault("bad_timezone", f"{zone[:64]!r} {NO_ZONE}"))
            return
        if values:
            written = as_json(values)
            if isinstance(written, Fault):
                self.bad(line, written)
                return
        else:
            written = "{}"
        if "\0" in name or not _storable(name) or not _storable(address):
            self.bad(line, BAD_TEXT)
            return
        first = self._seen.first(key := address_key(address), line)
        if first != line:
            self.refuse(line, "duplicate", f"Line {first} has the same address. Only that line is used.")
            self.batch.duplicates += 1
            return
        if not name:
            name = _NULL
        elif not name.isprintable() or "\\" in name or len(name) > LONG_NAME:
            name = name[:LONG_NAME].translate(ESCAPES)
        stored = _NULL if key == address else key.translate(ESCAPES)
        if "\\" in address:
            address = address.translate(ESCAPES)
        row = f"{self.id}\t{line}\t{address}\t{stored}\t{name}\t{written}\t{zone or _NULL}\t\\N\t\\N\n"
        batch = self.batch
        batch.rows.append(row)
        batch.size += len(row)
        batch.valid += 1


class _Names:
    """Maps a field of a JSON row to its variable name, or None if it is no variable."""

    def __init__(self, columns: Columns) -> None:
        self._others = columns.open
        self._by_column: dict[str, str | None] = {column: name for name, column in columns.variables.items()}
        for column in (columns.address, columns.name, columns.timezone):
            if column is not None:
                self._by_column.setdefault(column, None)

    def __call__(self, key: str) -> str | None:
        if key not in self._by_column:
            # A field that the first rows did not have.
            self._by_column[key[:ROW]] = (
                mapping.variable(key) if self._others and len(self._by_column) < 1000 else None
            )
        return self._by_column.get(key)


@cache
def _zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def is_zone(text: str) -> bool:
    return text in _zones()


def _storable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_json(values: dict[str, Any]) -> str | Fault:
    """Returns values as the JSON of a COPY, or the reason why they can't be stored."""
    try:
        written = orjson.dumps(values).decode()
    except orjson.JSONEncodeError as error:
        return BAD_TEXT if "surrogate" in str(error) or "UTF-8" in str(error) else _BAD_VALUE
    if "\\" in written:
        if "\\u0000" in written and _has_nul(values):
            return BAD_TEXT
        written = written.replace("\\", "\\\\")
    return written


def _has_nul(value: Any) -> bool:
    """Returns whether a value contains NUL (not its six-character escape)."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str) and "\0" in item:
            return True
        if isinstance(item, dict):
            left += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            left += item
    return False
