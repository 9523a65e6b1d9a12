"""Detects the encoding of text files and reads their lines, in bounded memory."""

import codecs
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from charset_normalizer import from_bytes

from engine.file_parsers.common import NUL, ROW, TOO_LONG, UNDECODABLE, Fault, Unreadable

_PIECE = 1024 * 1024
_WINDOW = 64 * 1024
_WINDOWS = 4  # pieces of a file from which its encoding is detected
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The order decides between equal candidates: entirely Cyrillic words are Cyrillic, rather than accented letters.
_LEGACY = [
    "cp1251", "cp1252", "cp1250", "cp866", "koi8_r", "cp1254", "cp1253", "cp1255", "cp1256", "cp1257", "iso8859_2",
    "gb18030", "shift_jis", "big5", "euc_kr",
]  # fmt: skip
# The region of the list's phones decides first.
_BY_REGION = {
    region: name
    for name, regions in {
        "cp1251": "RU UA BY KZ KG UZ TJ BG RS MK MN",
        "cp1252": "US GB DE AT CH FR BE NL ES PT IT BR MX AR CL CO PE SE NO DK FI IS IE CA AU NZ ZA",
        "cp1250": "PL CZ SK HU RO HR SI BA AL",
        "cp1254": "TR",
        "cp1253": "GR CY",
        "cp1255": "IL",
        "cp1256": "SA AE EG IQ JO KW LB OM QA SY YE IR PK",
        "cp1257": "LT LV EE",
        "gb18030": "CN SG",
        "big5": "TW HK MO",
        "shift_jis": "JP",
        "euc_kr": "KR",
    }.items()
    for region in regions.split()
}
_CLOSE = 0.05  # a difference in charset-normalizer's scores that is insignificant in a short text
ENCODINGS = frozenset(
    codecs.lookup(name).name
    for name in (
        *_LEGACY, "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "ascii", "latin-1", "cp1258",
        "cp437", "cp850", "cp852", "cp855", "cp874", "iso8859_5", "iso8859_7", "iso8859_9", "iso8859_15", "koi8_u",
        "mac_roman", "mac_cyrillic", "gbk", "gb2312", "euc_jp", "cp932", "cp949",
    )
)  # fmt: skip


def codec(name: str) -> str | None:
    """Returns the canonical name of an encoding, or None if lists are not written in it."""
    try:
        canonical = codecs.lookup(name.strip()).name
    except (LookupError, ValueError):
        return None
    return canonical if canonical in ENCODINGS else None


def detect(path: Path, region: str) -> str:
    """Returns the encoding of a text file. Raises Unreadable for binary files."""
    sample = _windows(path)
    for bom, name in _BOMS:
        if sample.startswith(bom):
            return name
    if sample.count(0) * 20 > len(sample):
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) > 3 * min(even, odd) and 0 in (even, odd):
            return "utf-16-be" if even > odd else "utf-16-le"
        raise Unreadable("The file is binary. Send CSV, TXT, JSON, XLSX, XLS or ODS.")
    controls = sum(sample.count(byte) for byte in range(1, 32) if byte not in (9, 10, 11, 12, 13, 26, 27))
    if controls * 50 > len(sample):
        raise Unreadable("The file is binary. Send CSV, TXT, JSON, XLSX, XLS or ODS.")
    text = sample.decode("utf-8", "surrogateescape")
    wrong = sum("\udc80" <= char <= "\udcff" for char in text) if not text.isascii() else 0
    right = sum(char > "\x7f" for char in text) - wrong
    # A few wrong lines don't change the encoding: each of them is reported.
    return "utf-8" if right >= 2 * wrong else _legacy(sample, region)


def _legacy(sample: bytes, region: str) -> str:
    """Detects a legacy encoding from the lines that are not ASCII."""
    lines = b"\n".join(line for line in sample.split(b"\n") if not line.isascii())
    matches = from_bytes(
        lines, cp_isolation=_LEGACY, threshold=0.4, preemptive_behaviour=False, enable_fallback=False
    )
    best = matches.best()
    if best is None:
        return _BY_REGION.get(region, "cp1252")
    close = {
        name
        for candidate in matches
        if candidate.chaos <= best.chaos + _CLOSE and candidate.coherence >= best.coherence - _CLOSE
        for name in (candidate.encoding, *candidate.could_be_from_charset)
    }
    order = (_BY_REGION.get(region, ""), *_LEGACY)
    return next((name for name in order if name in close), best.encoding)


def _windows(path: Path) -> bytes:
    """Returns the beginning of the file, and the first pieces of it that are not ASCII."""
    with path.open("rb") as file:
        windows = [file.read(_WINDOW)]
        while len(windows) < _WINDOWS and (piece := file.read(_PIECE)):
            if not piece.isascii():
                offset = next(at for at in range(0, len(piece), 1024) if not piece[at : at + 1024].isascii())
                begin = piece.rfind(b"\n", 0, offset) + 1
                windows.append(piece[begin : begin + _WINDOW])
    return b"".join(windows)


class Lines:
    """The lines of a text file, each with a line feed at its end, whatever its original ending.

    An unreadable line is returned empty, and `faults` has its number, so that the reader can go on.
    """

    def __init__(self, path: Path, encoding: str) -> None:
        self._path, self._encoding = path, encoding
        # With UTF-8 an undecodable byte is told apart from a real U+FFFD; other encodings have no such way.
        self._utf8 = encoding in ("utf-8", "utf-8-sig")
        self.faults: dict[int, Fault] = {}
        self._recent: deque[tuple[int, list[str]]] = deque(
            maxlen=4
        )  # a row spans at most 64 KiB, a list of lines usually about 1 MiB

    def lists(self) -> Iterator[list[str]]:
        """Yields the lines in lists of the size in which they are read."""
        number, carry = 1, ""
        errors = "surrogateescape" if self._utf8 else "replace"
        with self._path.open(encoding=self._encoding, errors=errors, newline=None) as stream:
            while piece := stream.read(_PIECE):
                lines = (carry + piece).split("\n")
                carry = lines.pop()[: ROW + 1]  # an endless line is cut here
                if lines:
                    yield self._list(number, lines, piece)
                    number += len(lines)
        if carry:
            yield self._list(number, [carry], carry)
            number += 1
        # a quote that is open at the end of the file is treated as open across a line end
        yield self._list(number, [""], "")

    def _list(self, number: int, lines: list[str], piece: str) -> list[str]:
        if "\0" in piece or not self._sound(piece) or max(map(len, lines)) > ROW or len(lines) == 1:
            for index, line in enumerate(lines):
                fault = self._fault(line)
                if fault is not None:
                    self.faults[number + index] = fault
                    lines[index] = ""
        ended = [line + "\n" for line in lines]
        self._recent.append((number, ended))
        return ended

    def _sound(self, text: str) -> bool:
        if text.isascii():
            return True
        if not self._utf8 and "\ufffd" in text:
            return False
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        return True

    def _fault(self, line: str) -> Fault | None:
        if len(line) > ROW:
            return TOO_LONG
        if not self._sound(line):
            return Fault(UNDECODABLE.code, UNDECODABLE.message.format(self._encoding.removesuffix("-sig")))
        return NUL if "\0" in line else None

    def recent(self, first: int) -> Iterator[str]:
        """Yields the lines from that number on, among those read last."""
        for number, lines in self._recent:
            if number + len(lines) > first:
                for index in range(max(0, first - number), len(lines)):
                    yield lines[index]
