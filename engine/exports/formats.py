"""Writes tables as files: CSV and XLSX for spreadsheets, NDJSON for programs.

A spreadsheet executes text that begins like a formula, so such text gets an apostrophe before it (CWE-1236; OWASP, CSV
Injection). Numbers stay numbers: we generate them. Phones stay too: a plus sign and digits are no formula, and programs
that read the CSV would take the apostrophe for a part of the number. (Excel shows long ones as 7.9E+10; XLSX has cells
of the type text.)
"""

import csv
import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from xlsxwriter import Workbook  # type: ignore[import-untyped]  # it says nothing of its types

from core.json_text import dumps, dumps_row, instant
from shapes.exports import ExportFormat

SHEET_ROWS = 1_048_576
"""Rows of an XLSX sheet, including the header."""

_CELL = 32_767  # characters that a cell of XLSX holds
_DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")
_PHONE = re.compile(r"\+[0-9]{1,20}")

MIMES = {
    ExportFormat.csv: "text/csv",
    ExportFormat.xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportFormat.ndjson: "application/x-ndjson",
}

Rows = Sequence[Sequence[Any]]


class Formatter(Protocol):
    """A format that is written as it comes. Run it outside the event loop: a page takes milliseconds."""

    def head(self) -> bytes: ...
    def rows(self, rows: Rows) -> bytes: ...


def safe(text: str) -> str:
    """Returns text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_DANGEROUS) else text


def _unless_phone(text: str) -> str:
    return text if _PHONE.fullmatch(text) else safe(text)


def _text(value: Any) -> Any:
    """Returns a value as text, or a number as it is."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return value
    if isinstance(value, datetime):
        return instant(value, "seconds")
    if isinstance(value, dict | list):
        return dumps(value).decode()
    return str(value)


class Csv:
    """RFC 4180 in UTF-8, with the byte order mark that Excel needs."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def head(self) -> bytes:
        return b"\xef\xbb\xbf" + self.rows([self._columns])

    def rows(self, rows: Rows) -> bytes:
        written = io.StringIO(newline="")
        csv.writer(written).writerows([self._cell(value) for value in row] for row in rows)
        return written.getvalue().encode("utf-8", "replace")

    @staticmethod
    def _cell(value: Any) -> Any:
        plain = _text(value)
        if isinstance(plain, Decimal):
            return format(plain.normalize(), "f")  # never 1E+2
        return _unless_phone(plain) if isinstance(plain, str) else plain


class Ndjson:
    """One object per line, with the values as the API shows them; nothing is escaped for spreadsheets."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def head(self) -> bytes:
        return b""

    def rows(self, rows: Rows) -> bytes:
        return b"".join(dumps_row(dict(zip(self._columns, row, strict=True))) + b"\n" for row in rows)


class Xlsx:
    """Writes a workbook to disk row by row, with one row in memory. Every text is written as text."""

    def __init__(self, columns: Sequence[str], path: Path, *, sheet_rows: int = SHEET_ROWS) -> None:
        self._columns = columns
        self._sheet_rows = sheet_rows
        self._book = Workbook(
            str(path),
            {
                "constant_memory": True,
                "tmpdir": str(path.parent),
                "strings_to_formulas": False,
                "strings_to_numbers": False,
                "strings_to_urls": False,
                "nan_inf_to_errors": True,
            },
        )
        self._book.use_zip64()
        self._bold = self._book.add_format({"bold": True})
        self._date = self._book.add_format({"num_format": 'yyyy-mm-dd hh:mm:ss "UTC"'})
        self._sheet: Any = None
        self._row = 0
        self._next_sheet()

    def rows(self, rows: Rows) -> None:
        for row in rows:
            if self._row >= self._sheet_rows:
                self._next_sheet()
            for column, value in enumerate(row):
                self._write(column, value)
            self._row += 1

    def close(self) -> None:
        self._book.close()

    def _next_sheet(self) -> None:
        self._sheet = self._book.add_worksheet()
        self._sheet.set_column(0, len(self._columns) - 1, 20)
        self._sheet.freeze_panes(1, 0)
        for column, name in enumerate(self._columns):
            self._sheet.write_string(0, column, safe(name)[:_CELL], self._bold)
        self._row = 1

    def _write(self, column: int, value: Any) -> None:
        if isinstance(value, datetime):
            naive = value.astimezone(UTC).replace(tzinfo=None)
            self._sheet.write_datetime(self._row, column, naive, self._date)
            return
        plain = _text(value)
        if isinstance(plain, str):
            if plain:
                self._sheet.write_string(self._row, column, _unless_phone(plain)[:_CELL])
        else:
            self._sheet.write_number(self._row, column, plain)
