"""Finds the call of a request of a Resend client, and answers it in Resend's form."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from core.errors import AppError
from core.logs import redact
from doors.resend import contacts, emails, errors, webhooks
from doors.resend.context import ResendContext
from doors.resend.errors import Refused, invalid
from runtime.database_errors import translate

log = structlog.get_logger("postern.resend")

PREFIX: Final = "/doors/resend"
BODY_BYTES: Final = 15 * 1024 * 1024
"""The largest body: 10 MiB of attachments in base64, and the texts."""

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")
_INTERNAL: Final = "Something went wrong in the server. Give the request's id to the operator: {id}."
_ELSEWHERE: Final[Mapping[str, str]] = {
    "api-keys": "make API tokens with POST /api-tokens",
    "audiences": "contacts are one list here, with segments (POST /segments)",
    "broadcasts": "send to many people with a project (POST /sending-project)",
    "domains": "add domains with POST /domains",
    "segments": "segments have a form of their own here (POST /segments)",
    "suppressions": "block addresses with POST /block/{address}",
    "templates": "templates are made with POST /templates, and sent with POST /messages",
    "topics": "topics have a form of their own here (POST /topics)",
}
"""Parts of Resend's API that are not served here, with the call of ours that does it."""


class _Call(NamedTuple):
    """One call of the API. A part of the path in braces is an argument."""

    method: str
    path: str
    work: Callable[..., Awaitable[Any]]
    takes_body: bool = False

    def arguments(self, parts: Sequence[str]) -> list[str] | None:
        """Returns the arguments of a path, or None if the path is another one."""
        own = self.path.split("/")
        if len(own) != len(parts):
            return None
        pairs = [*zip(own, parts, strict=True)]
        if any(name != part for name, part in pairs if not name.startswith("{")):
            return None
        return [part for name, part in pairs if name.startswith("{")]


_CALLS: Final[Sequence[_Call]] = (
    _Call("POST", "emails", emails.send, takes_body=True),
    _Call("GET", "emails", emails.page),
    _Call("POST", "emails/batch", emails.send_batch, takes_body=True),
    _Call("GET", "emails/{id}", emails.get),
    _Call("PATCH", "emails/{id}", emails.update, takes_body=True),
    _Call("POST", "emails/{id}/cancel", emails.cancel),
    _Call("GET", "contacts", contacts.page),
    _Call("GET", "contacts/{id}", contacts.get),
    _Call("POST", "webhooks", webhooks.create, takes_body=True),
    _Call("GET", "webhooks", webhooks.page),
    _Call("GET", "webhooks/{id}", webhooks.get),
    _Call("PATCH", "webhooks/{id}", webhooks.update, takes_body=True),
    _Call("DELETE", "webhooks/{id}", webhooks.delete),
    _Call("POST", "webhooks/{id}/signing-secret/rotate", webhooks.rotate),
)


async def _answer(request: Request) -> Response:
    ctx = ResendContext(request.app.state.services, request)
    try:
        await ctx.require_key()
        call, arguments = _call_of(request)
        if call.takes_body:
            arguments = [*arguments, _json(await request.body())]
        return Response(orjson.dumps(await call.work(ctx, *arguments)), media_type="application/json")
    except Refused as refused:
        return errors.answer(refused)
    except AppError as error:
        return errors.answer(errors.of(error), error.headers)
    except HTTPException as error:  # the body is too large
        return errors.answer(Refused(error.status_code, "validation_error", error.detail), error.headers)
    except ClientDisconnect:
        raise
    except Exception as error:
        if (translated := translate(error)) is not None:
            return errors.answer(errors.of(translated), translated.headers)
        log.exception("unexpected failure", error=redact(str(error)))
        return errors.answer(Refused(500, "application_error", _INTERNAL.format(id=ctx.request_id)))


def _call_of(request: Request) -> tuple[_Call, list[Any]]:
    """Returns the call of a request, with the arguments of its path. Raises Refused."""
    path = request.scope["path"].removeprefix(PREFIX).strip("/")
    parts = path.split("/")
    methods = []
    for call in _CALLS:
        if (arguments := call.arguments(parts)) is not None:
            if call.method == request.method:
                return call, [*arguments]
            methods.append(call.method)
    if methods:
        raise Refused(405, "method_not_allowed", f"/{path[:200]} takes {', '.join(methods)} here.")
    if (other := _ELSEWHERE.get(parts[0])) is not None:
        raise Refused(404, "not_found", f"/{parts[0]} is not served for Resend's clients: {other}.")
    raise Refused(
        404, "not_found", f"/{path[:200]} is not served for Resend's clients. docs/resend.md lists what is."
    )


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise invalid("The body must be JSON.") from error


def refusal(status: int, message: str) -> dict[str, Any]:
    """Returns the body of an error that comes from outside the door, such as a body that is too large."""
    name = errors.BY_STATUS[status][1] if status in errors.BY_STATUS else "application_error"
    return errors.body(status, name, message)


ROUTES: Final[tuple[BaseRoute, ...]] = (Route(f"{PREFIX}/{{path:path}}", _answer, methods=[*_METHODS]),)
