"""Reads multipart/form-data with one file as a stream: only a piece of the file is in memory at any time."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from core.errors import BadRequest

T = TypeVar("T")
_FIELDS = 32
_FIELD_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file that is being received. `name` and `mime` come from the caller and can't be trusted."""

    field: str
    name: str
    mime: str | None
    chunks: AsyncIterator[bytes]


@dataclass(slots=True)
class Form(Generic[T]):
    """A form that was read completely."""

    file: T | None = None  # the result of `store` for the file
    fields: dict[str, str] = field(default_factory=dict)


class Reader:
    """Reads a form: `file` up to the beginning of its file, `receive` to the end.

    A form has at most `most_fields` fields, of at most `field_bytes` each.
    """

    def __init__(
        self,
        content_type: str,
        body: AsyncIterator[bytes],
        *,
        most_fields: int = _FIELDS,
        field_bytes: int = _FIELD_BYTES,
    ) -> None:
        self.fields: dict[str, str] = {}
        self.count = 0  # of the fields so far, counting repeated names
        self._content_type, self._body = content_type, body
        self._most_fields, self._field_bytes = most_fields, field_bytes
        self._parts: _Parts | None = None
        self._file: Incoming | None = None
        self._received = False

    async def file(self) -> Incoming | None:
        """Returns the file as soon as it begins, with the fields before it read; None if there is none.

        Raises BadRequest.
        """
        if self._parts is None:
            self._parts = _Parts(_boundary(self._content_type), self._body)
            self._file = await self._next_file(self._parts)
        return self._file

    async def receive(self, store: Callable[[Incoming], Awaitable[T]]) -> Form[T]:
        """Passes the file to `store`, and returns when the whole form was read.

        `store` has to bound the size of the file. Raises BadRequest, also if the file was received before.
        """
        file = await self.file()
        if file is None:
            raise _bad("the form has no file; send it in a part named file")
        if self._received:
            raise _bad("this file was received already; send it again for another use")
        self._received = True
        stored = await store(file)
        async for _ in file.chunks:
            pass  # octets that `store` has not read
        assert self._parts is not None
        if await self._next_file(self._parts) is not None:
            raise _bad("the form has more than one file; send one at a time")
        return Form(stored, self.fields)

    async def _next_file(self, parts: "_Parts") -> Incoming | None:
        while (head := await parts.next_part()) is not None:
            name, file_name, mime = (head.get(key) for key in (b"name", b"filename", b"content-type"))
            if file_name is not None:
                return Incoming(
                    _text(name or b""), _text(file_name), _text(mime) if mime else None, parts.data()
                )
            self.count += 1
            if self.count > self._most_fields:
                raise _bad(f"the form has more than {self._most_fields} fields")
            self.fields[_text(name or b"")] = await _field(parts, self._field_bytes)
        return None


async def receive(
    content_type: str, body: AsyncIterator[bytes], store: Callable[[Incoming], Awaitable[T]]
) -> Form[T]:
    """Reads a whole form with one file: see `Reader.receive`."""
    return await Reader(content_type, body).receive(store)


def _boundary(content_type: str) -> bytes:
    kind, options = parse_options_header(content_type)
    boundary: bytes = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 1 <= len(boundary) <= 70:
        raise BadRequest(
            "Send the file as multipart/form-data, in a part named file.", code="multipart_expected"
        )
    return boundary


class _Parts:
    """Turns the callbacks of python-multipart into methods that return the next part or piece."""

    def __init__(self, boundary: bytes, body: AsyncIterator[bytes]) -> None:
        self._body = body
        self._events: deque[tuple[str, Any]] = deque()
        self._head: dict[bytes, bytes] = {}
        self._name, self._value = b"", b""
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._part_begins,
                "on_header_begin": self._header_begins,
                "on_header_field": self._header_field,
                "on_header_value": self._header_value,
                "on_header_end": self._header_ends,
                "on_headers_finished": lambda: self._events.append(("part", self._head)),
                "on_part_data": lambda data, start, end: self._events.append(("data", data[start:end])),
                "on_part_end": lambda: self._events.append(("part end", None)),
                "on_end": lambda: self._events.append(("end", None)),
            },
        )

    def _part_begins(self) -> None:
        self._head = {}

    def _header_begins(self) -> None:
        self._name, self._value = b"", b""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_ends(self) -> None:
        name = self._name.lower()
        if name == b"content-disposition":
            _, options = parse_options_header(self._value)
            self._head.update({key: options[key] for key in (b"name", b"filename") if key in options})
        elif name == b"content-type":
            self._head[b"content-type"] = self._value

    async def _next(self) -> tuple[str, Any]:
        """Returns the next event. Raises BadRequest if the form ends before its last boundary."""
        while not self._events:
            chunk = await anext(self._body, None)
            if chunk is None:
                raise _bad("the form breaks off")
            try:
                self._parser.write(chunk)
            except MultipartParseError as error:
                raise _bad("the form can't be read") from error
        return self._events.popleft()

    async def next_part(self) -> dict[bytes, bytes] | None:
        kind, value = await self._next()
        if kind == "part":
            return value  # type: ignore[no-any-return]
        async for _ in self._body:  # bytes after the last boundary are ignored
            pass
        return None

    async def data(self) -> AsyncIterator[bytes]:
        while True:
            kind, value = await self._next()
            if kind != "data":
                return
            yield value


async def _field(parts: _Parts, most: int) -> str:
    value = bytearray()
    async for chunk in parts.data():
        value += chunk
        if len(value) > most:
            raise _bad(f"a field is larger than {most} bytes")
    return _text(value)


def _text(value: bytes | bytearray) -> str:
    return value.decode("utf-8", "replace")


def _bad(what: str) -> BadRequest:
    return BadRequest(f"{what[:1].upper()}{what[1:]}.", code="bad_multipart")
