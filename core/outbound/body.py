"""The bounds of a response's body: its size after decompression.

aiohttp would decompress without a bound, so its decompression is off.
"""

import zlib
from collections.abc import Mapping

_ZIPPED = frozenset({"gzip", "x-gzip", "deflate"})
ACCEPTED = "gzip, deflate"


class BoundedBody:
    """Decompresses the pieces of a body, up to `most` bytes in all. `truncated` says whether something is missing."""

    __slots__ = ("_left", "_unzip", "truncated")

    def __init__(self, headers: Mapping[str, str], most: int) -> None:
        self._left = most
        self.truncated = False
        coding = headers.get("content-encoding")
        # 32: detects gzip or zlib by the first bytes. A coding that was not requested is passed on unchanged.
        zipped = coding is not None and coding.strip().lower() in _ZIPPED
        self._unzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32) if zipped else None

    def feed(self, piece: bytes) -> bytes:
        """Returns the decompressed bytes of `piece`, as far as the bound allows."""
        if self._unzip is not None:
            try:
                # One byte more than allowed shows that there is more; zlib takes 0 for "no limit".
                piece = self._unzip.decompress(self._unzip.unconsumed_tail + piece, self._left + 1)
            except zlib.error:  # the body is not as its header says; the caller still gets the status
                self.truncated = True
                return b""
        if len(piece) > self._left:
            self.truncated = True
            piece = piece[: self._left]
        self._left -= len(piece)
        return piece
