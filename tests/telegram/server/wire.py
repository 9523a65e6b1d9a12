"""MTProto's TCP transports: packets in a stream of bytes. Full (with counters and CRC) and abridged."""

import asyncio
import struct
from zlib import crc32

MOST = 2**24


class Broken(Exception):
    """The bytes are no packet."""


class Wire:
    """Reads and writes packets; the client's first byte says in which transport."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._abridged: bool | None = None
        self._taken = self._given = 0

    async def read(self) -> bytes:
        """Raises Broken, IncompleteReadError."""
        first = await self._reader.readexactly(1)
        if self._abridged is None:
            self._abridged = first == b"\xef"
            if self._abridged:
                first = await self._reader.readexactly(1)
        return await (self._read_abridged(first) if self._abridged else self._read_full(first))

    async def _read_abridged(self, first: bytes) -> bytes:
        words = first[0]
        if words == 0x7F:
            words = int.from_bytes(await self._reader.readexactly(3), "little")
        return await self._reader.readexactly(words * 4)

    async def _read_full(self, first: bytes) -> bytes:
        head = first + await self._reader.readexactly(7)
        length, number = struct.unpack("<ii", head)
        if number != self._taken or not 12 <= length <= MOST:
            raise Broken(f"packet {number} of {length} bytes, after {self._taken}")
        self._taken += 1
        rest = await self._reader.readexactly(length - 8)
        if crc32(head + rest[:-4]) != int.from_bytes(rest[-4:], "little"):
            raise Broken("wrong CRC")
        return rest[:-4]

    def write(self, data: bytes) -> None:
        if self._abridged:
            words = len(data) // 4
            head = bytes([words]) if words < 0x7F else b"\x7f" + words.to_bytes(3, "little")
            self._writer.write(head + data)
            return
        packet = struct.pack("<ii", len(data) + 12, self._given) + data
        self._given += 1
        self._writer.write(packet + struct.pack("<I", crc32(packet)))

    async def flush(self) -> None:
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()
