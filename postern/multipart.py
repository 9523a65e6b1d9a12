"""multipart/form-data with one file, taken in as it comes: nothing but a piece of it is ever in memory."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from postern.errors import BadRequest

T = TypeVar("T")
_FIELDS = 32
_FIELD_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Incoming:
    """The file while it comes in. What `name` and `mime` say is the caller's word, to be made harmless."""

    field: str
    name: str
    mime: str | None
    chunks: AsyncIterator[bytes]


@dataclass(slots=True)
class Form(Generic[T]):
    file: T | None = None  # what became of the file
    fields: dict[str, str] = field(default_factory=dict)


async def receive(
    content_type: str, body: AsyncIterator[bytes], take: Callable[[Incoming], Awaitable[T]]
) -> Form[T]:
    """Gives the file to `take` when it begins, and answers when the whole form is there.

    Fields are bounded (32 of 64 KiB); how large the file may be is `take`'s to say. Raises BadRequest.
    """
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 1 <= len(boundary) <= 70:
        raise BadRequest(
            "Send the file as multipart/form-data, in a part named file.", code="multipart_expected"
        )
    parts = _Parts(boundary, body)
    form: Form[T] = Form()
    taken, count = False, 0
    while (head := await parts.next_part()) is not None:
        name, file_name = head.get(b"name", b""), head.get(b"filename")
        if file_name is None:
            count += 1
            if count > _FIELDS:
                raise _bad(f"the form has more than {_FIELDS} fields")
            form.fields[_text(name)] = await _field(parts)
            continue
        if taken:
            raise _bad("the form has more than one file; send one at a time")
        taken = True
        mime = head.get(b"content-type")
        incoming = Incoming(_text(name), _text(file_name), _text(mime) if mime else None, parts.data())
        form.file = await take(incoming)
        async for _ in incoming.chunks:
            pass  # what `take` did not want to read
    if not taken:
        raise _bad("the form has no file; send it in a part named file")
    return form


class _Parts:
    """python-multipart's callbacks, turned into something to be asked."""

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
        """Raises BadRequest where the form ends before its last boundary."""
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
        async for _ in self._body:  # what follows the last boundary means nothing
            pass
        return None

    async def data(self) -> AsyncIterator[bytes]:
        while True:
            kind, value = await self._next()
            if kind != "data":
                return
            yield value


async def _field(parts: _Parts) -> str:
    value = b""
    async for chunk in parts.data():
        value += chunk
        if len(value) > _FIELD_BYTES:
            raise _bad(f"a field is larger than {_FIELD_BYTES} bytes")
    return _text(value)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _bad(what: str) -> BadRequest:
    return BadRequest(f"{what[:1].upper()}{what[1:]}.", code="bad_multipart")
