"""Looks for a person's addresses in stored files, piece by piece, so that a large file needs little memory."""

import asyncio
import codecs
import lzma
import re
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from uuid import UUID

from core.errors import NotFound
from engine.file_parsers.tables import is_bomb
from runtime.services import Services

_PIECE: Final = 1024 * 1024
_PACKED: Final = b"PK\x03\x04"
_MOST: Final = 1024 * 1024 * 1024  # unpacked bytes of a workbook; also of one that declares less than it has
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)


class Unsearchable(Exception):
    """The file is a workbook that can't be looked into: it is too large when unpacked, damaged or encrypted."""


class Search:
    """Finds addresses in a text that comes in pieces. A match that is open at the end of a piece is decided by the next
    one.

    A key counts if no longer address or number has it as a part: `ann@example.com` is not in `ann@example.com.au`.
    UTF-16 is found, too, as far as it is ASCII.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = sorted({key.lower() for key in keys if key})
        every = "|".join(map(re.escape, self._keys))
        self._pattern = re.compile(rf"(?<![\w.+-])(?:{every})(?![\w-]|\.\w)")
        self._overlap = max(map(len, self._keys), default=0) + 3  # a character before, and two after a key
        self.restart()

    def restart(self) -> None:
        """Begins another text."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._before, self._is_later = "", False

    def feed(self, piece: bytes, *, last: bool = False) -> bool:
        """Returns whether an address was found up to here, except for the characters that the next piece decides."""
        if not self._keys:
            return False
        text = self._decoder.decode(piece, last).replace("\0", "").lower()
        text = self._before + text
        start = int(self._is_later)  # the first character only tells that no address begins after it
        end = len(text) - (0 if last else 2)
        # The pattern is slow, and most pieces have none of the keys.
        if any(key in text for key in self._keys) and any(
            match.end() <= end for match in self._pattern.finditer(text, start)
        ):
            return True
        self._is_later |= len(text) > self._overlap
        self._before = text[-self._overlap :]
        return False


async def has_address(services: Services, file: UUID, keys: Sequence[str]) -> bool:
    """Returns whether a stored file has one of the addresses; False if it is gone.

    Raises Unsearchable, and Unavailable if the storage can't be read.
    """
    search, first = Search(keys), True
    try:
        async for piece in services.files.get(file):
            if first and piece.startswith(_PACKED):
                async with services.files.local_path(file) as path:
                    return await asyncio.to_thread(_workbook_has, path, search)
            first = False
            for start in range(0, len(piece), _PIECE):
                if await asyncio.to_thread(search.feed, piece[start : start + _PIECE]):
                    return True
    except NotFound:
        return False
    return search.feed(b"", last=True)


def _workbook_has(path: Path, search: Search) -> bool:
    """Returns whether a part of an archive has an address. Raises Unsearchable."""
    try:
        with zipfile.ZipFile(path) as book:
            if is_bomb(book.infolist()):
                raise Unsearchable
            left = _MOST
            for part in book.infolist():
                search.restart()
                with book.open(part) as content:
                    while piece := content.read(_PIECE):
                        left -= len(piece)
                        if left < 0:
                            raise Unsearchable
                        if search.feed(piece):
                            return True
                if search.feed(b"", last=True):
                    return True
    except _DAMAGED as error:
        raise Unsearchable from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise Unsearchable from error  # of bz2
    return False
