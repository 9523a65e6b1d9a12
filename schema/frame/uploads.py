"""Files in GraphQL, after the GraphQL multipart request specification.

github.com/jaydenseric/graphql-multipart-request-spec: a form whose field `operations` is the request, whose field
`map` says which null of the variables each file stands for, and after them the files. Here there is one file. It is
read only when a mutation takes it, so only a piece of it is in memory at any time, and no bytes are read for a
document that is refused.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import orjson
from fastapi import Request
from graphql import GraphQLError
from starlette.requests import ClientDisconnect
from strawberry.types.scalar import scalar

from core.errors import BadRequest, TooLarge
from core.http.bodies import TooBig
from core.http.multipart import Form, Incoming, Reader
from schema.frame.graphql import SCALARS

T = TypeVar("T")
FORM = "multipart/form-data"
OPERATIONS_BYTES = 128 * 1024  # a document may have up to 64 KiB
MAP_BYTES = 4 * 1024
_PATH = 256  # characters of one path in the map

PREFLIGHT = ("graphql-require-preflight", "apollo-require-preflight", "x-apollo-operation-name")
"""A page of another site can send a form without a CORS preflight, but not with one of these headers."""


class _Form(Reader):
    """A form whose HTTP errors are raised as AppErrors while an operation reads it."""

    def __init__(self, request: Request) -> None:
        kind = request.headers.get("content-type", "")
        super().__init__(kind, request.stream(), most_fields=2, field_bytes=OPERATIONS_BYTES)
        self._answer: dict[str, str] = request.scope["postern"]["headers"]

    async def receive(self, store: Callable[[Incoming], Awaitable[T]]) -> Form[T]:
        try:
            return await super().receive(store)
        except ClientDisconnect as error:
            raise _bad("the form breaks off") from error
        except (TooLarge, TooBig) as error:
            self._answer["connection"] = "close"  # because the rest of the form is not read
            if isinstance(error, TooBig):
                raise TooLarge(str(error.detail)) from error
            raise


class Upload:
    """The value of an Upload variable: the form, read up to its file."""

    def __init__(self, form: Reader) -> None:
        self.form = form


def _parse(value: Any) -> Upload:
    if not isinstance(value, Upload):
        raise GraphQLError("an Upload is null in the variables, and the file comes in a multipart form")
    return value


def _serialize(value: Any) -> None:
    raise GraphQLError("an Upload is never shown")


SCALARS[Upload] = scalar(
    name="Upload",
    description="A file in a multipart form: null in `operations`, and named in `map`.",
    specified_by_url="https://github.com/jaydenseric/graphql-multipart-request-spec",
    parse_value=_parse,
    serialize=_serialize,
)


async def asked(request: Request) -> Any:
    """Returns `operations` with the file put in; the caller checks whether that is a valid request.

    Raises BadRequest, ClientDisconnect.
    """
    if not any(request.headers.get(name, "").strip() for name in PREFLIGHT):
        raise BadRequest(
            f"A multipart request needs the header {PREFLIGHT[0]}: 1 (or {', '.join(PREFLIGHT[1:])}),"
            " which protects against requests from other sites.",
            code="preflight_required",
        )
    form = _Form(request)
    file = await form.file()
    operations, file_map = _fields(form)
    if len(file_map) > 1:
        raise _bad("map names more than one file; send one at a time")
    if not file_map and file is None:
        return operations
    if file is None:
        raise _bad(f"the form ends before the file that map names {_quoted(next(iter(file_map)))}")
    _put(operations, file_map, file, Upload(form))
    return operations


def _fields(form: Reader) -> tuple[Any, dict[str, Any]]:
    if form.count != len(form.fields) or not form.fields.keys() <= {"operations", "map"}:
        raise _bad("a form has the fields operations and map, each once, and then the file")
    for name in ("operations", "map"):
        if name not in form.fields:
            raise _bad(f"the form has no field {name} before its file")
    if len(form.fields["map"]) > MAP_BYTES:
        raise _bad(f"map is larger than {MAP_BYTES} bytes")
    operations, file_map = (_json(name, form.fields[name]) for name in ("operations", "map"))
    if isinstance(operations, list):
        raise _bad("operations must be one JSON object; batches are not taken")
    if not isinstance(operations, dict):
        raise _bad("operations must be a JSON object")
    if not isinstance(file_map, dict):
        raise _bad('map must be a JSON object like {"0": ["variables.file"]}')
    return operations, file_map


def _json(name: str, text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _bad(f"{name} is not valid JSON") from error


def _put(operations: dict[str, Any], file_map: dict[str, Any], file: Incoming, value: Upload) -> None:
    if file.field not in file_map:
        raise _bad(f"map does not name the file {_quoted(file.field)}")
    paths = file_map[file.field]
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        raise _bad('map must have a list of paths for each file, like {"0": ["variables.file"]}')
    for path in paths:
        holder, key = _locate(operations, path)
        holder[key] = value


def _locate(operations: dict[str, Any], path: str) -> tuple[Any, Any]:
    """Returns the object or list that contains the null, and its key or index."""
    first, *steps = path[:_PATH].split(".")
    if len(path) > _PATH or first != "variables" or not steps:
        raise _bad(f"{_quoted(path)} in map is not a path like variables.file")
    holder: Any = None
    key: Any = None
    value: Any = operations.get("variables")
    for step in steps:
        holder, key = value, step
        if isinstance(holder, list) and step.isascii() and step.isdigit() and int(step[:9]) < len(holder):
            key = int(step[:9])
        elif not isinstance(holder, dict) or step not in holder:
            raise _bad(f"operations has nothing at {_quoted(path)}, which map names; put null there")
        value = holder[key]
    if value is not None:
        raise _bad(f"operations must have null at {_quoted(path)}, which map names once")
    return holder, key


def _quoted(text: str) -> str:
    return repr(text[:64])


def _bad(what: str) -> BadRequest:
    return BadRequest(f"{what[:1].upper()}{what[1:]}.", code="bad_multipart")
