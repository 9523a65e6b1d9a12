"""Defines the limits of all readers, and the two errors for a file that can't be read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

ROW = 64 * 1024  # characters of a row
COLUMNS = 200
ROWS = 10_000_000  # rows of one import
SAMPLE = 50  # rows from which delimiter, header and columns are detected


class Unreadable(Exception):
    """The whole import fails; the message tells its owner the reason and the remedy."""


class TooComplex(Unreadable):
    """Reading the list would take more memory or time than an import may have."""


class Fault(NamedTuple):
    """One row can't be read; the others can."""

    code: str
    message: str


TOO_LONG = Fault("row_too_long", f"The row is longer than {ROW // 1024} KiB.")
NUL = Fault("bad_text", "The row contains NUL characters, which are not allowed in text. Remove them.")
UNDECODABLE = Fault(
    "bad_encoding",
    "The row contains bytes that are not valid in the file's encoding ({}). Save the file as UTF-8.",
)

Cells = list[str]
Record = Cells | dict[str, Any] | Fault
"""A row of a table, an object of JSON, or the reason why there is none."""


@dataclass(frozen=True, slots=True)
class Options:
    """Holds the owner's specifications of the file; None means that it is to be detected."""

    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    header_row: int | None = None  # the header's line, from 1
    region: str = ""  # the region of its phones
    channel: str | None = None  # the channel of the project that the list is for


class Source(Protocol):
    """An opened list. `columns` are those of its header, or generated names."""

    columns: list[str]
    sample: list[Any]  # the first rows, as `rows` returns them
    header: bool
    header_row: int | None  # the line of the header
    encoding: str | None
    delimiter: str | None

    def rows(self) -> Iterator[tuple[int, Record]]:
        """Yields line number (of the file, the sheet, or the element, from 1) and row; blank rows are skipped.

        Raises Unreadable where the rest can't be read.
        """
