"""Reads one message of MCP's Streamable HTTP: JSON-RPC 2.0, with the revision of the protocol that it is in.

Since 2026-07-28 each request carries its revision in `_meta`, and the headers `Mcp-Method` and `Mcp-Name` repeat what
the body says, so that a proxy can decide by them: a request whose headers say something else is refused. Clients of
earlier revisions begin with `initialize`; this server gives them no session id, so each of their requests is complete,
too.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from cachetools import LRUCache
from mcp_types import CLIENT_CAPABILITIES_META_KEY as CAPABILITIES_META_KEY
from mcp_types import (
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    ErrorData,
    JSONRPCError,
)
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    RequestId,
)
from mcp_types.methods import validate_client_request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.datastructures import Headers

REVISION_HEADER: Final = "mcp-protocol-version"
METHOD_HEADER: Final = "mcp-method"
NAME_HEADER: Final = "mcp-name"
_OWN: Final = frozenset({REVISION_HEADER, METHOD_HEADER, NAME_HEADER})
_NAMES: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_BASE64 = re.compile(r"=\?base64\?(.*)\?=")
_STATUSES: Final = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_PROTOCOL_VERSION: 400,
    METHOD_NOT_FOUND: 404,
    INTERNAL_ERROR: 500,
}
_LONGEST_CLIENT: Final = 100
_OF_CALLS: Final = frozenset({"name", "arguments", "_meta"})
_LONGEST_SEEN: Final = 1_000
_SEEN: Final[LRUCache[bytes, None]] = LRUCache(500)
"""Calls that were valid: to validate each takes a tenth of the time of a small read."""


class Refused(Exception):
    """A message that is answered by an error of JSON-RPC."""

    def __init__(
        self,
        code: int,
        message: str,
        data: Any = None,
        *,
        id: RequestId | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.data, self.id = code, message, data, id
        self.status = status or _STATUSES.get(code, 400)

    def body(self) -> dict[str, Any]:
        """Returns the error as JSON-RPC writes it; without a readable id that is null."""
        error = ErrorData(code=self.code, message=self.message, data=self.data)
        answer = JSONRPCError(jsonrpc="2.0", id=self.id, error=error).model_dump(exclude_none=True)
        return {**answer, "id": self.id}


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or a notification, which has no id."""

    id: RequestId | None
    method: str
    params: Mapping[str, Any]
    revision: str
    client: str | None
    """Name of the client, as it says itself; only requests of 2026-07-28 say it each time."""

    @property
    def modern(self) -> bool:
        """Returns whether the revision has no handshake."""
        return self.revision in MODERN_PROTOCOL_VERSIONS


def read(body: bytes, headers: Headers) -> Message:
    """Returns the message of a request's body. Raises Refused."""
    try:
        decoded = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Refused(PARSE_ERROR, f"The body is no JSON: {error}.") from error
    method = decoded.get("method") if isinstance(decoded, dict) else None
    if not isinstance(method, str) or not method or decoded.get("jsonrpc") != "2.0":
        raise Refused(
            INVALID_REQUEST,
            "The body must be one JSON-RPC 2.0 request or notification. Batches and responses are not taken.",
        )
    id = decoded.get("id")
    if "id" in decoded and (isinstance(id, bool) or not isinstance(id, int | str)):
        raise Refused(INVALID_REQUEST, "The id of a request must be a text or an integer.")
    params = decoded.get("params")
    if params is not None and not isinstance(params, dict):
        raise Refused(INVALID_PARAMS, "params must be an object.", id=id)
    own = _own_headers(headers, id)
    meta = (params or {}).get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    asked = own.get(REVISION_HEADER)
    modern = PROTOCOL_VERSION_META_KEY in meta or asked not in (None, *HANDSHAKE_PROTOCOL_VERSIONS)
    if not modern:
        return Message(id, method, params or {}, asked or HANDSHAKE_PROTOCOL_VERSIONS[-1], None)
    revision = _served(asked, None) if id is None else _modern_revision(decoded, params or {}, meta, own)
    info = meta.get(CLIENT_INFO_META_KEY)
    name = info.get("name") if isinstance(info, dict) else None
    client = name[:_LONGEST_CLIENT] if isinstance(name, str) else None
    return Message(id, method, params or {}, revision, client)


def _modern_revision(
    body: Mapping[str, Any], params: Mapping[str, Any], meta: Mapping[str, Any], headers: Mapping[str, str]
) -> str:
    """Returns the revision of a request of 2026-07-28, after its headers have been compared with its body."""
    id = body["id"]
    for key in (PROTOCOL_VERSION_META_KEY, CAPABILITIES_META_KEY):
        if key not in meta:
            raise Refused(INVALID_PARAMS, f"params._meta lacks {key}, which each request needs.", id=id)
    compared: list[tuple[str, str | None, Any]] = [
        (REVISION_HEADER, headers.get(REVISION_HEADER), meta[PROTOCOL_VERSION_META_KEY]),
        (METHOD_HEADER, headers.get(METHOD_HEADER), body["method"]),
    ]
    subject = params.get(names(body["method"]))
    if subject is not None:
        compared.append((NAME_HEADER, _decoded(headers.get(NAME_HEADER)), subject))
    for header, sent, expected in compared:
        if sent is None or sent != expected:
            raise Refused(HEADER_MISMATCH, f"The header {header} must equal what the body says.", id=id)
    return _served(meta[PROTOCOL_VERSION_META_KEY], id)


def names(method: str) -> str:
    """Returns the parameter that the header `Mcp-Name` repeats; "" for a method without one."""
    return _NAMES.get(method, "")


def _served(revision: Any, id: RequestId | None) -> str:
    if revision not in MODERN_PROTOCOL_VERSIONS:
        raise Refused(
            UNSUPPORTED_PROTOCOL_VERSION,
            "This server does not speak that revision of MCP. Use one of `supported`.",
            {"supported": [*MODERN_PROTOCOL_VERSIONS], "requested": str(revision)[:_LONGEST_CLIENT]},
            id=id,
        )
    return str(revision)


def _own_headers(headers: Headers, id: RequestId | None) -> dict[str, str]:
    """Returns the headers that repeat the body. Raises Refused for one that stands twice: two readers could take
    different ones.
    """
    own: dict[str, str] = {}
    for raw, value in headers.raw:
        if raw.startswith(b"mcp-"):
            name = raw.decode("latin-1")
            if name in own and name in _OWN:
                raise Refused(HEADER_MISMATCH, f"The header {name} must not be sent twice.", id=id)
            own[name] = value.decode("latin-1").strip(" \t")
    return own


def _decoded(value: str | None) -> str | None:
    """Returns the value of a header that may be written as `=?base64?…?=`; None for one that can't be read."""
    match = None if value is None else _BASE64.fullmatch(value)
    if match is None:
        return value
    try:
        plain = base64.b64decode(match[1], validate=True)
        canonical = base64.b64encode(plain).decode() == match[1]
        return plain.decode() if canonical else None
    except (binascii.Error, UnicodeDecodeError):
        return None


def require_valid(message: Message) -> None:
    """Raises Refused for a method that the revision does not have, or parameters of another form."""
    call = _plain_call(message)
    if call is not None and call in _SEEN:
        return
    try:
        validate_client_request(message.method, message.revision, message.params or None)
    except KeyError:
        raise not_served(message) from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][1:] if isinstance(part, str))
        raise Refused(INVALID_PARAMS, f"{field or 'params'}: {first['msg']}.", id=message.id) from error
    if call is not None:
        _SEEN[call] = None


def _plain_call(message: Message) -> bytes | None:
    """Returns what decides whether a call of a tool is valid, beside types that are checked here: its revision, and
    `_meta`, which is the same in all requests of a client. None for any other request.
    """
    params = message.params
    if (
        message.method != "tools/call"
        or not params.keys() <= _OF_CALLS
        or not isinstance(params.get("name"), str)
        or not isinstance(params.get("arguments"), dict)
    ):
        return None
    try:
        decides = orjson.dumps([message.revision, params.get("_meta")])
    except orjson.JSONEncodeError:  # it is nested too deeply
        return None
    return decides if len(decides) <= _LONGEST_SEEN else None


def not_served(message: Message) -> Refused:
    """Returns the error for a method that this server does not have."""
    return Refused(
        METHOD_NOT_FOUND,
        f"{message.method[:_LONGEST_CLIENT]}: this server has tools alone. Use tools/list and tools/call.",
        id=message.id,
        status=404 if message.modern else 200,
    )


def agreed(revision: Any) -> str:
    """Returns the revision for a client that says hello: its own, if this server has it, else the newest with a
    handshake.
    """
    return str(revision) if revision in HANDSHAKE_PROTOCOL_VERSIONS else HANDSHAKE_PROTOCOL_VERSIONS[-1]
