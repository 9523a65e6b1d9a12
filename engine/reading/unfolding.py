"""Counts the text of a spreadsheet before it is opened: a text that many cells share counts in each of them.

An XLSX of 156 kB can say a text of 60,000 characters once and name it in 30,000 cells. The library that opens
spreadsheets copies the text for each cell.
"""

import zipfile
import zlib
from array import array
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from engine.reading.common import TooComplex

UNFOLDED = 512 * 1024 * 1024
"""The most bytes of text (UTF-8) that a spreadsheet may have in all its cells together."""

_SHARED = "xl/sharedStrings.xml"
_SHEETS = "xl/worksheets/"
_PIECE = 1024 * 1024
_DIGITS = 12  # more than the number of a shared text has
_BRACKETS = 4  # the least number of `<` in a cell that names a shared text: <c><v>0</v></c>


def unfolded_size(archive: zipfile.ZipFile) -> int:
    """Returns how many bytes of text the largest sheet of an XLSX has, at most. Raises TooComplex if that is too much.

    What is not well-formed XML is not counted: the limits of the process hold for it, and rows are counted as they are
    read.
    """
    parts = {part.filename: part for part in archive.infolist()}
    lengths, largest = array("L"), 0
    try:
        if _SHARED in parts:
            lengths = _lengths(archive)
        longest = max(lengths, default=0)
        for name, part in parts.items():
            if not name.startswith(_SHEETS) or not name.endswith(".xml"):
                continue
            # Most sheets are far below the limit even if each cell had the longest text: counting those exactly would
            # cost several seconds for a million rows.
            most = part.file_size + _most_cells(archive, name) * longest
            largest = max(largest, most if most <= UNFOLDED else _count(archive, name, lengths))
    except (expat.ExpatError, zlib.error, OSError, EOFError, RuntimeError, zipfile.BadZipFile):
        pass  # damaged: the library says so, or reads what it can
    return largest


def too_much_text() -> TooComplex:
    """Returns the error for a spreadsheet with too much text."""
    return TooComplex(
        f"The spreadsheet has more than {UNFOLDED // 1024**2} MiB of text in its cells, where a text that many cells share"
        " counts in each of them. Remove the columns with long texts, or split the list."
    )


def size_of(text: str) -> int:
    """Returns the bytes of a text in UTF-8; a lone surrogate counts as three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _lengths(archive: zipfile.ZipFile) -> "array[int]":
    """Returns the length of each shared text."""
    lengths, length = array("L"), 0

    def start(name: str, _: Any) -> None:
        nonlocal length
        if _local(name) == "si":
            lengths.append(length)
            length = 0

    def characters(text: str) -> None:
        nonlocal length
        length += size_of(text)

    parser = _parser()
    parser.StartElementHandler, parser.CharacterDataHandler = start, characters
    with archive.open(_SHARED) as file:
        parser.ParseFile(file)
    lengths.append(length)
    return lengths[1:]  # the first one counts what stands before the first text


def _most_cells(archive: zipfile.ZipFile, name: str) -> int:
    """Returns how many cells the sheet has that name a shared text, at most."""
    return sum(piece.count(b"<") for piece in _pieces(archive, name)) // _BRACKETS


def _pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as file:
        while piece := file.read(_PIECE):
            yield piece


def _count(archive: zipfile.ZipFile, name: str, lengths: "array[int]") -> int:
    """Returns the exact number of bytes of a sheet's text. Raises TooComplex when it is too much."""
    unfolded, shares, index = 0, False, None

    def start(name: str, attributes: Any) -> None:
        nonlocal shares, index
        local = _local(name)
        if local == "c":
            shares = attributes.get("t") == "s"
        index = "" if local == "v" and shares else None

    def characters(text: str) -> None:
        nonlocal unfolded, index
        unfolded += size_of(text)
        if index is not None:
            index += text

    def end(_: str) -> None:
        nonlocal unfolded, index
        if index is not None:
            unfolded += _at(lengths, index)
            index = None
        if unfolded > UNFOLDED:
            raise too_much_text()

    parser = _parser()
    parser.StartElementHandler, parser.CharacterDataHandler, parser.EndElementHandler = start, characters, end
    for piece in _pieces(archive, name):
        parser.Parse(piece)
    parser.Parse(b"", True)
    return unfolded


def _at(lengths: "array[int]", index: str) -> int:
    """Returns the length of the shared text with this number, 0 if there is none."""
    index = index.strip()
    number = int(index) if index.isdecimal() and len(index) < _DIGITS else len(lengths)
    return lengths[number] if number < len(lengths) else 0


def _parser() -> Any:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    return parser


def _local(name: str) -> str:
    return name.rpartition(":")[2]
