"""Renders errors in the specification's envelope (§7): `{statusCode, message, error, timestamp, path, code}`."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import Scope

from core.errors import AppError, Unavailable
from core.http import html
from core.http.html import tag
from core.json_text import dumps, instant
from core.validation import readable_message
from rest.frame import vendor_errors
from rest.frame.error_page_texts import ErrorWords, error_words, text_of
from shapes.shape import Shape, Timestamp

log = structlog.get_logger("postern.rest")

# The codes of errors that the framework raises.
_CODES = {404: "route_not_found", 405: "method_not_allowed", 413: "too_large", 400: "bad_request"}
_HINTS = {
    404: "There is no such route; /docs lists them all.",
    405: "This path doesn't take that method; /docs lists what it takes.",
}


_MEANINGS = {
    403: "The caller lacks the permission, or the IP allowlist does not contain the client's address",
    422: "The Idempotency-Key was already used for a different request",
    500: "An internal error; the message contains the request id to give to the operator",
}
_TEXT = {"schema": {"type": "string"}}
_HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": _TEXT},
    405: {"Allow": _TEXT},
    429: {
        "Retry-After": {"schema": {"type": "integer"}, "description": "seconds to wait before the next try"}
    },
}


class ErrorEnvelope(Shape):
    """The body of every failed request."""

    status_code: Annotated[int, Field(description="HTTP status code")]
    message: Annotated[
        str | list[str],
        Field(
            description="what went wrong: one sentence, or after a failed validation a list with one sentence for "
            "each rule"
        ),
    ]
    error: Annotated[str, Field(description="HTTP reason phrase")]
    timestamp: Annotated[Timestamp, Field(description="time of the error")]
    path: Annotated[str, Field(description="path of the request")]
    code: Annotated[str, Field(description="stable error code for programs; docs/errors.md lists all codes")]
    details: Annotated[
        dict[str, Any] | None, Field(description="further data about the error; its keys depend on the code")
    ] = None


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Returns the OpenAPI entries for these statuses, each with an example."""
    return {
        status: {
            "model": ErrorEnvelope,
            "description": _MEANINGS.get(status, HTTPStatus(status).phrase),
            "content": {"application/json": {"example": _example(status)}},
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status in statuses
    }


def refused(status: int, message: str, code: str) -> dict[int | str, dict[str, Any]]:
    """Returns the OpenAPI entry of a status that means something else for a route than for most."""
    (described,) = errors(status).values()
    example = {**_example(status), "message": f"{message}.", "code": code}
    content = {"application/json": {"example": example}}
    return {status: {**described, "description": message, "content": content}}


def envelope(
    status: int,
    message: str | Sequence[str],
    code: str,
    path: str,
    details: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the body of an error (specification §7)."""
    body: dict[str, Any] = {
        "statusCode": status,
        "message": message,
        "error": HTTPStatus(status).phrase,
        "timestamp": instant(datetime.now(UTC), "milliseconds"),
        "path": path,
        "code": code,
    }
    if details:
        body["details"] = details
    return body


def refusal(scope: Scope, status: int, message: str, code: str) -> dict[str, Any]:
    """Returns the body of an error outside every operation, in the format of the area that the path belongs to."""
    if vendor_errors.speaks(scope["path"]):
        return vendor_errors.body(scope, message, code)
    return envelope(status, message, code, scope["path"])


def install(app: FastAPI) -> None:
    """Registers the handlers of all errors."""
    app.add_exception_handler(AppError, _app_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(ClientDisconnect, _left)
    app.add_exception_handler(Exception, _unexpected)


def sentences(problems: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns one sentence for each problem that pydantic found. The input is left out: it may be secret or huge."""
    return [_sentence(problem) for problem in problems[:50]]


_LOCATIONS = ("body", "query", "path", "header")


def _sentence(problem: Mapping[str, Any]) -> str:
    loc = list(problem["loc"])
    # The name of an unknown field comes from the caller and may be a megabyte long.
    where = [str(part)[:200] for part in (loc[1:] if loc[:1] and loc[0] in _LOCATIONS else loc)]
    if problem["type"] == "json_invalid":
        return "the body is not valid JSON"
    if problem["type"] == "missing" and not where:
        return "a JSON body is required (send Content-Type: application/json)"
    if problem["type"] == "extra_forbidden":
        return f"{'.'.join(where)} is not a known field"
    if problem["type"] == "model_attributes_type":
        return "the body must be a JSON object (send Content-Type: application/json)"
    message = readable_message(str(problem["type"]), str(problem["msg"]))
    return f"{'.'.join(where)}: {message[:1].lower()}{message[1:]}" if where else message


def _answer(status: int, body: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    return Response(dumps(body), status, dict(headers or {}), "application/json")


async def _app_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, AppError)
    if isinstance(error, Unavailable):
        log.warning("unavailable", code=error.code, cause=error.__cause__)
    message = getattr(error, "rules", error.message)
    details = None if "rules" in error.details else error.details
    if _shows_pages(request):
        words = error_words(request.headers.get("accept-language"))
        return _page(request, words, text_of(words, error), error.status, error.headers)
    body = envelope(error.status, message, error.code, request.url.path, details)
    return _answer(error.status, body, error.headers)


def _shows_pages(request: Request) -> bool:
    """Returns whether a browser has asked a route that answers with a page for people."""
    described = getattr(request.scope.get("route"), "responses", {})
    # A route that leads on has a page for its errors alone.
    answers = (described.get(status, {}) for status in (200, 404))
    has_page = any("text/html" in answer.get("content", {}) for answer in answers)
    return has_page and "text/html" in request.headers.get("accept", "")


def absent(request: Request) -> Response:
    """Returns the answer on a domain of an owner's for a path that is none of the pages there."""
    message = "There is nothing at this address. Use the address of the service itself."
    if "text/html" in request.headers.get("accept", ""):
        words = error_words(request.headers.get("accept-language"))
        return _page(request, words, words.link, 404)
    return _answer(404, refusal(request.scope, 404, message, "not_found"))


def _page(
    request: Request,
    words: ErrorWords,
    text: str,
    status: int,
    headers: Mapping[str, str] | None = None,
    *more: html.Child,
) -> Response:
    """Returns the page of an error, in the language of the person's browser, and in the dress of the owner whose page
    was asked for, as soon as that is known (`Context.dress_errors`).
    """
    dress = request.scope["postern"].get("dress")
    alert = tag("p", text, role="alert")
    body = html.page(words.title, tag("h1", words.title), alert, *more, language=words.language, dress=dress)
    return Response(body, status, {**html.public_headers(dress), **(headers or {})}, "text/html")


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if _shows_pages(request):
        words = error_words(request.headers.get("accept-language"))
        return _page(request, words, words.invalid, 400)
    body = envelope(400, sentences(error.errors()), "validation_failed", request.url.path)
    return _answer(400, body)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    code = _CODES.get(status, HTTPStatus(status).phrase.lower().replace(" ", "_"))
    body = refusal(request.scope, status, _HINTS.get(status, str(error.detail)), code)
    headers = dict(error.headers or {})
    if status == 405:
        headers["Allow"] = ", ".join(_allowed(request))
    return _answer(status, body, headers)


def _allowed(request: Request) -> list[str]:
    """Returns every method of the path (RFC 9110 §10.2.1). Starlette names only the methods of one route."""
    taken: set[str] = set()
    for route in request.app.router.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            taken.update(getattr(route, "methods", None) or ())
    return [method for method in ("GET", "POST", "PUT", "PATCH", "DELETE") if method in taken]


async def _left(_: Request, __: Exception) -> Response:
    """The client disconnected during its request. The response is not read; 499 (nginx's status) is for the log."""
    return Response(status_code=499)


async def _unexpected(request: Request, _: Exception) -> Response:
    """Answers 500 for a bug. The outermost middleware logs it; the caller gets only the request id."""
    request_id = request.scope["postern"]["request_id"]
    if _shows_pages(request):
        words = error_words(request.headers.get("accept-language"))
        return _page(request, words, words.unavailable, 500, None, tag("p", tag("small", request_id)))
    hint = f"Something went wrong on our side. Tell the operator this request id: {request_id}"
    return _answer(500, refusal(request.scope, 500, hint, "internal_error"))


def _example(status: int) -> dict[str, Any]:
    message, code = {
        400: (["body: string should have at least 1 character"], "validation_failed"),
        401: ("This login has ended. Log in again.", "session_ended"),
        402: (
            "The balance is too low. Ask an administrator to credit the account.",
            "insufficient_balance",
        ),
        403: ("This request needs the permission users:list. Use a token that has it.", "forbidden"),
        404: ("There is no message with this id among yours. Check the id.", "message_not_found"),
        409: ("This email is already registered. Log in, or use another one.", "email_taken"),
        410: (
            "Events behind this cursor are deleted. Go on with the cursor in `details.oldest`.",
            "cursor_expired",
        ),
        413: ("The body is larger than 2097152 bytes.", "too_large"),
        422: (
            "This Idempotency-Key was used for a different request. Use a new key for a new request.",
            "idempotency_key_reused",
        ),
        429: ("Too many messages. Try again in 3 s.", "rate_limited"),
        500: (
            "Something went wrong on our side. Tell the operator this request id: 2c1743a391305fbf367df8e4f069f9f9",
            "internal_error",
        ),
        502: ("The legacy system can't be reached.", "legacy_unavailable"),
        503: ("The database can't be reached. Try again in a moment.", "database_unavailable"),
        504: ("The legacy system didn't answer in time.", "legacy_timeout"),
    }[status]
    example = envelope(status, message, code, "/messages")
    return {**example, "timestamp": "2026-11-20T12:00:00.000Z"}
