"""Errors of area C (contract §4), in the vendor's shape, under the vendor's paths.

A method that was reached returns HTTP 200, as in the vendor's API, or the true status to callers that send a Bearer
header and no token in the body, or `X-Postern-Errors: http`, or follow a signed link. An error outside every method
(404, 405, 413, a bug) keeps its status for all callers.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from starlette.requests import HTTPConnection
from starlette.types import Scope

from shapes.shape import Shape


class VendorFault(Shape):
    """Describes the error."""

    message: Annotated[str, Field(description="the sentence of the vendor API, where it defines one")]
    code: Annotated[str, Field(description="stable error code for programs; docs/errors.md lists all codes")]
    details: Annotated[
        dict[str, Any] | None, Field(description="further data about the error; its keys depend on the code")
    ] = None


class VendorError(Shape):
    """The body of a failed call of a messenger route."""

    status: Annotated[Literal["error"], Field(description="always `error`; successful responses say `ok`")]
    uuid: Annotated[str, Field(description="uuid of this request, for support")]
    error: VendorFault


STATUSES = (400, 401, 403, 404, 409, 413, 422, 429, 500, 503, 504)
"""The statuses that a method may return to callers that get true statuses."""

_EXAMPLES = {
    400: ("source: input should be 'telegram' or 'whatsapp'", "validation_failed"),
    401: ("The API token is invalid, expired or revoked. Create a new one.", "invalid_token"),
    403: (
        (
            "This request needs the permission messengers:write. Use a token that has it, or ask an"
            " administrator."
        ),
        "forbidden",
    ),
    404: (
        (
            "There is no messenger account with this source and login among yours. Check both, or create"
            " it with addAccount."
        ),
        "account_not_found",
    ),
    409: ("QR received", "qr_received"),
    413: ("The body is larger than 2097152 bytes.", "too_large"),
    422: ("This phone number has no account at the messenger. Check the number.", "no_such_recipient"),
    429: ("Too many codes for this account. Try again in 60 s.", "rate_limited"),
    500: (
        "Something went wrong on our side. Tell the operator this request id: 2c1743a391305fbf367df8e4f069f9f9",
        "internal_error",
    ),
    503: (
        "The messenger can't be reached; nothing was done. Try again in a moment.",
        "messenger_unavailable",
    ),
    504: (
        "The messenger did not answer, so the result of this request is unknown. Check the chat before you try again.",
        "uncertain",
    ),
}
_PHRASES = {
    403: "The caller lacks the permission, or the IP allowlist does not contain the client's address",
    409: "The account's state does not allow this call; for setState, the error names the next login step",
    422: "The messenger rejects this permanently",
    500: "An internal error; the message contains the request id to give to the operator",
}
BASE = "/api"
PATHS: set[str] = set()
"""The paths of the vendor's methods, without the base; each route adds its own."""


def speaks(path: str) -> bool:
    """Returns whether callers of this path expect the vendor's shape."""
    return path.removesuffix("/") in PATHS or path == BASE or path.startswith(f"{BASE}/")


def plain(request: HTTPConnection) -> bool:
    """Returns whether this caller gets HTTP 200 for errors, as the vendor's own clients do.

    A signed link is an extension, so its errors have true statuses.
    """
    if request.headers.get("x-postern-errors", "").lower() == "http" or "signature" in request.query_params:
        return False
    return bool(request.scope["postern"].get("vendor_token")) or not bearer(request)


def bearer(request: HTTPConnection) -> bool:
    """Returns whether the header has a Bearer token. Proxies and old clients send other schemes, such as `Basic …`."""
    return request.headers.get("authorization", "").lower().startswith("bearer ")


def uuid_of(scope: Scope) -> str:
    """Returns the request id, as a UUID if it is one. The log line has the same id."""
    request_id = str(scope["postern"]["request_id"])
    try:
        return str(UUID(request_id))
    except ValueError:
        return request_id


def described(answers: dict[str, Any], ref: str) -> dict[str, Any]:
    """Returns a method's responses for OpenAPI: all statuses have the error's shape, also 200 for vendor clients."""
    success = answers["200"]
    if (content := success["content"].get("application/json")) is not None:
        content["schema"] = {"anyOf": [content["schema"], {"$ref": ref}]}
    else:
        success["content"]["application/json"] = {"schema": {"$ref": ref}}
    success["description"] += "; or an error, for clients of the vendor API"
    return {"200": success, **{str(status): _described(status, ref) for status in STATUSES}}


def _described(status: int, ref: str) -> dict[str, Any]:
    message, code = _EXAMPLES[status]
    uuid = "2c1743a3-9130-5fbf-367d-f8e4f069f9f9"
    example = {"status": "error", "uuid": uuid, "error": {"message": message, "code": code}}
    content = {"schema": {"$ref": ref}, "example": example}
    return {
        "description": _PHRASES.get(status, HTTPStatus(status).phrase),
        "content": {"application/json": content},
    }


def body(scope: Scope, message: str, code: str, details: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns the body of an error."""
    error: dict[str, Any] = {"message": message, "code": code}
    if details:
        error["details"] = details
    return {"status": "error", "uuid": uuid_of(scope), "error": error}
