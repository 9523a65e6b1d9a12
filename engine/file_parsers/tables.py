"""Reads spreadsheets, JSON and text lines, and detects the kind of a file."""

import datetime as dt
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import orjson

from engine.file_parsers import mapping
from engine.file_parsers.common import (
    COLUMNS,
    NUL,
    ROW,
    SAMPLE,
    TOO_LONG,
    Cells,
    Fault,
    Options,
    Record,
    Source,
    TooComplex,
    Unreadable,
)
from engine.file_parsers.csv_table import CsvTable
from engine.file_parsers.text import Lines, detect
from engine.file_parsers.unfolding import DAMAGED, SHEET, UNFOLDED, size_of, too_much_text, unfolded_size

_UNPACKED = 1024 * 1024 * 1024  # bytes of all unpacked parts of a spreadsheet
_RATIO = 200  # unpacked to packed size; rows of numbers reach 15, and 40 is rare
_SMALL = 1024 * 1024  # parts below this size may have any ratio
_PARTS = 10_000
_LAST_ROW = 1_048_576  # ECMA-376, 18.3.1.73, as Excel has it
_ROW_NUMBERS = re.compile(rb"""\sr=["'][A-Z]*([0-9]+)["']""")
_CELLS = 20_000_000  # cells of the area that a sheet spans; calamine allocates all of it
_NOT_JSON = Fault("bad_json", "This row is not valid JSON.")
_NO_ROW = Fault("bad_row", 'A row must be an object like {"phone": "+14155550100"}, or an address.')


def open_source(path: Path, kind: str, options: Options) -> Source:
    """Opens a list. `kind`: file (any format), rows (our own NDJSON), text. Raises Unreadable."""
    if kind == "text":
        return TextLines(path)
    with path.open("rb") as file:
        head = file.read(4096)
    if not head.strip():
        raise Unreadable("The file is empty. Send a file that has content.")
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
        return Sheet(path, options, packed=head.startswith(b"PK"))
    plain = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")  # the check works in any encoding
    if kind == "rows" or plain[:1] in (b"[", b"{"):
        return JsonRows(path, options.region, ours=kind == "rows")
    return CsvTable(path, options)


class Sheet:
    """The first visible, non-empty sheet of XLSX, XLS or ODS."""

    encoding: str | None = None
    delimiter: str | None = None

    def __init__(self, path: Path, options: Options, *, packed: bool) -> None:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError, ZipError

        self.unpacked = _refuse_bombs(path) if packed else path.stat().st_size  # bytes
        try:
            book = CalamineWorkbook.from_path(str(path))
            self._sheet = _first_sheet(book)
        except PasswordError as error:
            raise Unreadable("The spreadsheet has a password. Save it without one.") from error
        except (CalamineError, ZipError, OSError, ValueError) as error:
            raise Unreadable(
                "The spreadsheet can't be read: it is damaged, or it is not a spreadsheet. Save it again as"
                " XLSX or CSV."
            ) from error
        if self._sheet is None:
            raise Unreadable("The spreadsheet is empty.")
        self._start = self._sheet.start[0] + 1
        first = islice(self._records(), SAMPLE)
        good = [(line, cells) for line, cells in first if isinstance(cells, list)]
        if not good:
            raise Unreadable("The spreadsheet is empty.")
        at = mapping.header_of(good, options)
        self.header = at is not None
        self.header_row = None if at is None else good[at][0]
        self.columns = mapping.unique_names([""] * len(good[0][1]) if at is None else good[at][1])
        below = 0 if at is None else at + 1
        self._skipped = frozenset(line for line, _ in good[:below])
        self.sample = [cells for _, cells in good[below:]]

    def rows(self) -> Iterator[tuple[int, Record]]:
        return (row for row in self._records() if row[0] not in self._skipped)

    def _records(self) -> Iterator[tuple[int, Record]]:
        unfolded = 0
        for line, cells in enumerate(self._sheet.iter_rows(), self._start):
            texts = [cell if type(cell) is str else _as_text(cell) for cell in cells]
            if not any(texts):
                continue
            whole = "".join(texts)
            unfolded += size_of(whole)
            if unfolded > UNFOLDED:  # of formats that can't be checked before they are opened
                raise too_much_text()
            if len(whole) > ROW:
                yield line, TOO_LONG
            elif "\0" in whole:
                yield line, NUL
            else:
                yield line, texts


def _first_sheet(book: Any) -> Any:
    from python_calamine import SheetVisibleEnum

    for metadata in book.sheets_metadata:
        if metadata.visible == SheetVisibleEnum.Visible:
            sheet = book.get_sheet_by_name(metadata.name)
            if sheet.start is not None:
                if sheet.width * sheet.height > _CELLS:
                    raise _too_far()
                if sheet.width > COLUMNS:
                    raise Unreadable(
                        f"The list has {sheet.width} columns; at most {COLUMNS} are allowed. Remove some."
                    )
                return sheet
    return None


def _too_far() -> TooComplex:
    return TooComplex(
        "The spreadsheet has cells too far apart. Delete what stands far below or beside the list, or save it as CSV."
    )


def _as_text(cell: Any) -> str:
    """Returns a cell as its sheet shows it: a phone that became a number is digits again."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    return str(cell)


def is_bomb(parts: Sequence[zipfile.ZipInfo]) -> bool:
    """Returns whether the parts of an archive declare too large contents."""
    return (
        len(parts) > _PARTS
        or sum(part.file_size for part in parts) > _UNPACKED
        or any(
            part.file_size > _SMALL and part.file_size > _RATIO * max(part.compress_size, 1) for part in parts
        )
    )


def _refuse_bombs(path: Path) -> int:
    """Refuses archives that declare too large contents, or a sheet with too much text. Returns the bytes of the others.

    One with false sizes is stopped by this process's memory limit.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, UnicodeDecodeError) as error:
        raise Unreadable(DAMAGED) from error
    names = {part.filename for part in parts}
    if not names & {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}:
        raise Unreadable("The file is an archive, not a spreadsheet. Send CSV, TXT, JSON, XLSX, XLS or ODS.")
    if is_bomb(parts):
        raise TooComplex("The spreadsheet is too large when unpacked. Save it as CSV.")
    with zipfile.ZipFile(path) as archive:
        unfolded = unfolded_size(archive)
        for part in parts:
            # Large parts are checked after they are read; a small part may span any area.
            if part.file_size <= _SMALL and _last_row(archive, part) > _LAST_ROW:
                raise _too_far()
        return sum(part.file_size for part in parts) + unfolded


def _last_row(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> int:
    """Returns the largest number of a row that a sheet names; 0 for a file that is no sheet."""
    try:
        content = archive.read(part)
    except RuntimeError:
        return 0  # encrypted, or packed in a way that the library can't read either
    numbers = _ROW_NUMBERS.findall(content) if SHEET in content else ()
    return max((int(number[:12]) for number in numbers), default=0)


class TextLines:
    """One phone or address per line, optionally with a name after `;`, `,` or a tab."""

    header = False
    header_row: int | None = None
    delimiter: str | None = None
    columns: list[str]

    def __init__(self, path: Path) -> None:
        self.encoding: str | None = "utf-8"
        self._path = path
        self.columns = ["address", "name"]
        self.sample = [record for _, record in islice(self.rows(), SAMPLE) if isinstance(record, list)]

    def rows(self) -> Iterator[tuple[int, Record]]:
        source = Lines(self._path, "utf-8")
        for line, text in enumerate(chain.from_iterable(source.lists()), 1):
            if plain := text.strip():
                yield line, _split(plain)
            elif line in source.faults:
                yield line, source.faults.pop(line)


def _split(text: str) -> Cells:
    if not text.startswith("{"):  # a Web Push subscription contains commas
        positions = [position for separator in ";,\t" if (position := text.find(separator)) >= 0]
        if positions:
            first = min(positions)
            return [text[:first].strip(), text[first + 1 :].strip(" ;,\t")]
    return [text, ""]


class JsonRows:
    """An array of objects (or `{"rows": [...]}`), or one object per line."""

    encoding: str | None = "utf-8"
    delimiter: str | None = None
    header = True
    header_row: int | None = None

    def __init__(self, path: Path, region: str, *, ours: bool) -> None:
        """`ours`: one object per line, as the service wrote them."""
        self._path = path
        self.encoding = "utf-8" if ours else detect(path, region)
        with path.open("rb") as file:
            head = file.read(4096).decode(self.encoding, "replace")
        self._array = not ours and _begins_array(head.lstrip("\ufeff \t\r\n"))
        records = [record for _, record in islice(self.rows(), 2 * SAMPLE)]
        fields = dict.fromkeys(
            key for record in records if isinstance(record, dict) for key in _flat(record) if key
        )
        if len(fields) > COLUMNS:
            raise Unreadable(
                f"The rows have {len(fields)} different fields; at most {COLUMNS} are allowed. Remove some."
            )
        self.columns = list(fields)
        self.sample = [record for record in records if isinstance(record, dict)][:SAMPLE]
        if not records:
            raise Unreadable("The list has no rows. Add rows to it.")
        if not self.sample:
            fault = next((record for record in records if isinstance(record, Fault)), _NO_ROW)
            raise Unreadable(f"No row can be read. {fault.message}")

    def later_fields(self, requested: Iterable[str]) -> list[str]:
        """Returns those of the requested fields that only rows below the first ones have: rows need not be alike.

        All rows are read if one of the fields is not found.
        """
        fields: list[str] = []
        missing = mapping.absent(requested, self.columns)
        rows = self.rows() if missing else iter(())
        for _, record in rows:
            if isinstance(record, dict) and len(absent := mapping.absent(missing, record)) < len(missing):
                fields += [key for key in record if len(mapping.absent(missing, [key])) < len(missing)]
                missing = absent
                if not missing:
                    break
        return fields

    def rows(self) -> Iterator[tuple[int, Record]]:
        elements = self._elements() if self._array else self._objects()
        for line, value in elements:
            if isinstance(value, dict):
                yield line, _flat(value)
            elif isinstance(value, str) and value.strip():
                yield line, {"address": value}
            else:
                yield line, value if isinstance(value, Fault) else _NO_ROW

    def _objects(self) -> Iterator[tuple[int, Any]]:
        assert self.encoding is not None
        source = Lines(self._path, self.encoding)
        for line, text in enumerate(chain.from_iterable(source.lists()), 1):
            if text != "\n" and (text := text.strip()):
                try:
                    yield line, orjson.loads(text)
                except orjson.JSONDecodeError:
                    yield line, _NOT_JSON
            elif line in source.faults:
                yield line, source.faults.pop(line)

    def _elements(self) -> Iterator[tuple[int, Any]]:
        """Yields the elements of the array; memory holds one of them and a piece of the file.

        Raises Unreadable where the array ends without its bracket, or an element is not valid JSON.
        """
        errors = "surrogateescape" if self.encoding in ("utf-8", "utf-8-sig") else "replace"
        with self._path.open(encoding=self.encoding, errors=errors) as stream:
            text = stream.read(4 * ROW)
            text = text[text.index("[") + 1 :]
            position, number, ended = 0, 0, False
            while True:
                if len(text) - position < 2 * ROW and not ended:
                    more = stream.read(16 * ROW)
                    ended, text, position = not more, text[position:] + more, 0
                gap = _GAP.match(text, position)
                position = gap.end() if gap else position
                if position >= len(text):
                    if ended:
                        raise Unreadable(
                            f"The JSON ends after row {number} without a closing ]. Send the complete file."
                        )
                    continue
                if text[position] == "]":
                    return
                number += 1
                try:
                    value, end = _DECODER.raw_decode(text, position)
                except (ValueError, RecursionError) as error:
                    raise Unreadable(
                        f"Row {number} is not valid JSON, or is longer than {ROW // 1024} KiB, so the rows after it"
                        " can't be read. Correct it, or send one JSON object per line."
                    ) from error
                yield number, TOO_LONG if end - position > ROW else value
                position = end


def _begins_array(head: str) -> bool:
    if head.startswith("["):
        return True
    compact = "".join(head[:200].split())
    return compact.startswith(('{"rows":[', '{"recipients":[', '{"items":['))


def _refuse(constant: str) -> float:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_GAP = re.compile(r"[ \t\r\n,]*")


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Moves the fields of `variables` up: `{"phone": …, "variables": {"city": …}}` is `{"phone": …, "city": …}`."""
    inner = row.get("variables")
    if isinstance(inner, dict):
        return {**inner, **{key: value for key, value in row.items() if key != "variables"}}
    return row


def texts_of(sample: Iterable[Any], columns: list[str]) -> list[Cells]:
    """Returns the first rows as cells, whatever their format."""
    return [
        [str(row.get(column) or "") for column in columns] if isinstance(row, dict) else list(row)
        for row in sample
    ]
