"""The protocol between a driver and its child process: frames over two pipes.

A frame is two lengths (32 bits each, big-endian), that many bytes of JSON (an object with `k`, its kind) and that many
bytes of data. Anything else, or a larger frame, is refused before it is read: the other side is broken.

    to the child                                       from it
    start {folder, phone, proxy,         the first     hello {version}           the library is loaded
           deadline}
    call  {id, do, args} + data                        answer {id, value} + data, or {id, error}
    ack   {n}         those events are stored          event {n, e}              `e` has its kind in `t`
    ping  {id}                                         pong  {id}
    bye               disconnect, hand over, end       bye   {}                  disconnected, and every event is stored
                                                       missing {reason}          the library can't be loaded

`deadline` is the child's end of a pipe that is described in deadlines.py.
"""

import asyncio
import os
import struct
from typing import Any, Final

import orjson

MAX_HEAD: Final = 4 * 2**20  # bytes of JSON
MAX_DATA: Final = 64 * 2**20  # bytes
MAX_MEDIUM: Final = 50 * 2**20  # bytes of an image or a file
WINDOW: Final = 256  # events sent but not yet stored; beyond that they wait in the child's journal

_LENGTHS = struct.Struct(">II")

Frame = tuple[dict[str, Any], bytes]


class Broken(Exception):
    """The input is no frame of this protocol. The message names no content."""


def packed(head: dict[str, Any], data: bytes = b"") -> tuple[bytes, bytes, bytes]:
    """Returns the three parts of a frame. Raises Broken when it is too large."""
    text = orjson.dumps(head)
    _check(len(text), len(data))
    return _LENGTHS.pack(len(text), len(data)), text, data


async def read(stream: asyncio.StreamReader) -> Frame | None:
    """Returns the next frame, or None at the end. Raises Broken."""
    try:
        lengths = await stream.readexactly(_LENGTHS.size)
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise Broken("The frame ends in its lengths.") from None
        return None
    head, data = _LENGTHS.unpack(lengths)
    _check(head, data)
    try:
        return _opened(await stream.readexactly(head)), await stream.readexactly(data)
    except asyncio.IncompleteReadError:
        raise Broken("The frame is shorter than it says.") from None


def read_from(fd: int) -> Frame | None:
    """Reads a frame from a blocking file descriptor; None at the end. Raises Broken."""
    lengths = _exactly(fd, _LENGTHS.size)
    if lengths is None:
        return None
    head, data = _LENGTHS.unpack(lengths)
    _check(head, data)
    text, rest = _exactly(fd, head), _exactly(fd, data)
    return None if text is None or rest is None else (_opened(text), rest)


def write_to(fd: int, head: dict[str, Any], data: bytes = b"") -> None:
    """Writes a frame. Raises Broken, and OSError when the reader is gone."""
    for part in packed(head, data):
        view = memoryview(part)
        while view:
            view = view[os.write(fd, view[: 2**20]) :]


def _check(head: int, data: int) -> None:
    if head > MAX_HEAD or data > MAX_DATA:
        raise Broken(f"A frame of {head} and {data} bytes is larger than {MAX_HEAD} and {MAX_DATA}.")


def _opened(text: bytes) -> dict[str, Any]:
    try:
        head = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Broken("A frame holds no JSON.") from None
    if not isinstance(head, dict) or not isinstance(head.get("k"), str):
        raise Broken("A frame has no kind.")
    return head


def _exactly(fd: int, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = os.read(fd, min(size - len(parts), 2**20))
        if not part:
            return None
        parts += part
    return bytes(parts)
