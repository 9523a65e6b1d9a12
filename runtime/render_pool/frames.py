"""The protocol between the service and a child process: a length (32 bits, big-endian) and that many bytes of JSON."""

import struct
from typing import Any, BinaryIO

import orjson

HEAD = struct.Struct(">I")
MOST = 32 * 2**20  # bytes of one frame


def write(out: BinaryIO, value: Any) -> None:
    """Writes a frame."""
    body = orjson.dumps(value)
    out.write(HEAD.pack(len(body)) + body)
    out.flush()


def read(source: BinaryIO) -> Any:
    """Reads a frame. Raises EOFError at the end, ValueError for a frame that is too long."""
    head = source.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    (size,) = HEAD.unpack(head)
    if size > MOST:
        raise ValueError("a frame is too long")
    body = source.read(size)
    if len(body) < size:
        raise EOFError
    return decode(body)


def decode(body: bytes | bytearray) -> Any:
    """Decodes a frame's body."""
    return orjson.loads(body)
