"""Counts the text of a spreadsheet before it is opened: a text that many cells share counts in each of them.

An XLSX of 156 kB can say a text of 60,000 characters once and name it in 30,000 cells. The library that opens
spreadsheets copies the text for each cell.
"""

import re
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any
from xml.parsers import expat

from engine.file_parsers.common import TooComplex, Unreadable

UNFOLDED = 512 * 1024 * 1024
"""The most bytes of text (UTF-8) that a spreadsheet may have in all its cells together."""

DAMAGED = "The spreadsheet is damaged. Save it again as XLSX or CSV."
SHEET = b"sheetData"
"""Each part that is a sheet has this tag. The library finds parts in any case, and by the targets of `.rels`, so a name
says nothing."""

_PIECE = 1024 * 1024
_OVERLAP = 4096  # bytes of a piece that are read again with the next one; the searched texts are shorter
_SHARED_END = re.compile(rb"[/:]si[\s>]")  # the end tag of a shared text, with any prefix
_DIGITS = 12  # more than the number of a shared text has
_BRACKETS = 4  # the least number of `<` in a cell that names a shared text: <c><v>0</v></c>


class _Shared:
    """The lengths of the shared texts."""

    def __init__(self) -> None:
        self._lengths, self.longest, self._exact = array("L"), 0, True

    def add(self, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
        """Adds a part with shared texts. If there are several, which one counts is not known, so the longest texts
        do.
        """
        try:
            lengths = _lengths(archive, part)
            if self._lengths:
                self._exact = False
            self._lengths = lengths
            self.longest = max(self.longest, max(lengths, default=0))
        except expat.ExpatError:  # the library reads many texts that are not well-formed XML
            self._exact = False
            end = 0
            for begin, end in pairwise(chain((0,), _ends(archive, part, b"si"))):
                self.longest = max(self.longest, end - begin)
            if end:  # else the part has no texts: it may be an image
                self.longest = max(self.longest, part.file_size - end)

    def at(self, index: str) -> int:
        """Returns the length of the shared text with this number, 0 if there is none."""
        if not self._exact:
            return self.longest
        index = index.strip()
        number = int(index) if index.isdecimal() and len(index) < _DIGITS else len(self._lengths)
        return self._lengths[number] if number < len(self._lengths) else 0


def unfolded_size(archive: zipfile.ZipFile) -> int:
    """Returns how many bytes of text the largest sheet of an XLSX has, at most. Raises TooComplex if that is too much,
    and Unreadable if a part is damaged.

    Parts are known by their content. The size of XML that is not well-formed is estimated, as the library reads most of
    it.
    """
    shared, sheets, largest = _Shared(), [], 0
    for part in archive.infolist():
        try:
            brackets, has_shared, has_cells = _scan(archive, part)
            if has_cells:
                sheets.append((part, brackets // _BRACKETS))
            if has_shared:
                shared.add(archive, part)
        except RuntimeError:
            continue  # encrypted, or packed in a way that the library can't read either
        except (zlib.error, OSError, EOFError, zipfile.BadZipFile) as error:
            raise Unreadable(DAMAGED) from error
    for part, cells in sheets:
        # Most sheets are far below the limit even if each cell had the longest text: counting those exactly would
        # cost several seconds for a million rows.
        most = part.file_size + cells * shared.longest
        largest = max(largest, most if most <= UNFOLDED else _count(archive, part, shared))
    return largest


def too_much_text() -> TooComplex:
    """Returns the error for a spreadsheet with too much text."""
    return TooComplex(
        f"The spreadsheet has more than {UNFOLDED // 1024**2} MiB of text in its cells, "
        "where a text that many cells share"
        " counts in each of them. Remove the columns with long texts, or split the list."
    )


def size_of(text: str) -> int:
    """Returns the bytes of a text in UTF-8; a lone surrogate counts as three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _scan(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> tuple[int, bool, bool]:
    """Returns the number of `<` in a part, whether it may have shared texts, and whether it may have cells."""
    brackets, has_shared, has_cells, last = 0, False, False, b""
    for piece in _pieces(archive, part):
        brackets += piece.count(b"<")
        both = last + piece
        has_shared = has_shared or _SHARED_END.search(both) is not None
        has_cells = has_cells or SHEET in both
        last = piece[-_OVERLAP:]
    return brackets, has_shared, has_cells


def _lengths(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> "array[int]":
    """Returns the length of each shared text. Raises ExpatError."""
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
    for piece in _pieces(archive, part):
        parser.Parse(piece)
    parser.Parse(b"", True)
    lengths.append(length)
    return lengths[1:]  # the first one counts the octets before the first text


def _ends(archive: zipfile.ZipFile, part: zipfile.ZipInfo, name: bytes) -> Iterator[int]:
    """Yields where the end tags with this name stand in a part that is not well-formed XML."""
    tag = re.compile(rb"</(?:[^<>\s:/]+:)?" + name + rb"[\s>]")
    last, offset, newest = b"", 0, -1
    for piece in _pieces(archive, part):
        begin = offset - len(last)
        for match in tag.finditer(last + piece):
            if begin + match.start() > newest:
                newest = begin + match.start()
                yield newest
        offset += len(piece)
        last = piece[-_OVERLAP:]


def _pieces(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(part) as file:
        while piece := file.read(_PIECE):
            yield piece


def _count(archive: zipfile.ZipFile, part: zipfile.ZipInfo, shared: _Shared) -> int:
    """Returns the number of bytes of a sheet's text, exact if it is well-formed. Raises TooComplex when it is too
    much.
    """
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
            unfolded += shared.at(index)
            index = None
        if unfolded > UNFOLDED:
            raise too_much_text()

    parser = _parser()
    parser.StartElementHandler, parser.CharacterDataHandler, parser.EndElementHandler = start, characters, end
    try:
        for piece in _pieces(archive, part):
            parser.Parse(piece)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        unfolded = part.file_size + sum(1 for _ in _ends(archive, part, b"v")) * shared.longest
        if unfolded > UNFOLDED:
            raise too_much_text() from error
    return unfolded


def _parser() -> Any:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    return parser


def _local(name: str) -> str:
    return name.rpartition(":")[2]
