"""Door 2 for area C: the format of a public vendor API (contract §4).

Each method has the paths `/{method}` and `/api/{method}`. The token may be in the body. Success is `{"status": "ok",
"uuid", …}`, an error `{"status": "error", "uuid", "error": {"message", "code"}}`. An error has HTTP 200, as in the
vendor's API, or its true status for callers that send `X-Postern-Errors: http`, or a Bearer header and no token in the
body. If both credentials are sent, they must belong to the same user.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

import orjson
import structlog
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, compile_path
from starlette.types import Receive, Scope, Send

from core.errors import AppError, BadRequest, Conflict, RateLimited, Unavailable
from core.json_text import dumps, instant
from engine.messengers.states import INACTIVE, NEXT, SENTENCES, step
from rest.frame.errors import sentences
from rest.frame.routing import Lenient, Router
from rest.frame.vendor_errors import BASE, PATHS, VendorError, bearer, body, plain, uuid_of
from runtime.context import Context
from runtime.fast.endpoints import validate_parameter
from shapes.messenger_accounts import AccountState
from shapes.vendor import Answer

log = structlog.get_logger("postern.rest")

_UNDER_WAY = partial(Conflict, code="account_starting")
_STEPS = {
    AccountState.waitQr: partial(Conflict, code="qr_received"),
    AccountState.waitPhone: partial(Conflict, code="auth_phone_not_set"),
    AccountState.waitCode: partial(Conflict, code="challenge_required"),
    AccountState.waitPassword: partial(Conflict, code="two_factor_auth_required"),
    AccountState.showCode: partial(Conflict, code="auth_code_received"),
    AccountState.starting: _UNDER_WAY,
    AccountState.syncing: _UNDER_WAY,
    AccountState.reconnecting: _UNDER_WAY,
    AccountState.stopped: partial(Conflict, code="account_stopped"),  # meanwhile, by another call
    AccountState.failed: partial(Conflict, code="account_failed"),
    AccountState.loggedOut: partial(Conflict, code="account_logged_out"),
    AccountState.blocked: partial(Conflict, code="account_blocked"),
}
"""The errors of `setState`, by the state of an account that has not reached the wanted state."""


def vendor(tag: str, about: str = "") -> Router:
    """Returns a router for the vendor's format. Each route takes `ctx: Ctx` and, unless it is a GET, one body."""
    return Router(tag, about, route_class=VendorRoute)


def under_api(routes: Iterable[BaseRoute]) -> list[BaseRoute]:
    """Returns those of the vendor's format under /api, the vendor's own base. OpenAPI lists only the originals."""
    return [route.twin() for route in routes if isinstance(route, VendorRoute)]


class VendorRoute(Lenient):
    """A route that accepts and returns the vendor's format."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        options["openapi_extra"] = {"security": [{"bearer": []}, {}], **(options.get("openapi_extra") or {})}
        # rest/frame/openapi.py adds the other statuses; this entry makes FastAPI include the error's shape.
        options["responses"] = {500: {"model": VendorError}, **(options.get("responses") or {})}
        super().__init__(path, endpoint, **options)
        self.fast = self._respond_to
        PATHS.add(path)

    def twin(self) -> "VendorRoute":
        """Returns a copy of the route under /api, hidden from OpenAPI."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.path = twin.path_format = f"{BASE}{self.path}"
        twin.path_regex, twin.path_format, twin.param_convertors = compile_path(twin.path)
        twin.include_in_schema = False
        return twin

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Returns the handler of this format in place of FastAPI's."""
        return self._respond

    async def _respond_to(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        ctx = Context(request.scope["app"].state.services, request)
        try:
            values = await self._arguments(request, ctx)
            answer = await self.endpoint(**values)
            return answer if isinstance(answer, Response) else _ok(self.response_model, ctx, answer)
        except Exception as error:
            return _failed(request, ctx, error)

    async def _arguments(self, request: Request, ctx: Context) -> dict[str, Any]:
        values: dict[str, Any] = {part.name: ctx for part in self.dependant.dependencies if part.name}
        wrong: list[Any] = []
        query = QueryParams(request.scope["query_string"])
        for field in self.dependant.query_params:
            validate_parameter(
                field, query.get(field.alias, PydanticUndefined), ("query", field.alias), values, wrong
            )
        token = query.get("token") if self.dependant.query_params else None
        for field in self.dependant.body_params:
            content = await _body(request)
            token = content.get("token") or token
            validate_parameter(field, content, ("body",), values, wrong)
        if token:
            request.scope["postern"]["vendor_token"] = True
        if isinstance(token, str) and token:
            if bearer(request):
                ctx.second = f"Bearer {token}"
            else:
                ctx.credential = f"Bearer {token}"
        if wrong:
            raise RequestValidationError(wrong)
        return values


def check_state(state: AccountState, account: Any, *, switched_on: bool) -> None:
    """Returns if the account has reached the wanted state, else raises Conflict with the vendor's sentence."""
    if state is AccountState.working if switched_on else state in INACTIVE:
        return
    until = account.until
    details: dict[str, Any] = {
        "state": state.value,
        "step": step(state),
        "next": NEXT[state],
        "reason": account.reason,
        "reasonCode": account.reason_code,
        "until": until and instant(until),
        "attemptsLeft": account.attempts_left,
    }
    present = {key: value for key, value in details.items() if value is not None}
    if not switched_on:
        raise Conflict(
            "The account is being stopped. Call getInfo again in a moment.",
            code="account_stopping",
            details=present,
        )
    raise _STEPS[state](SENTENCES.get(state) or account.reason or NEXT[state], details=present)


async def _body(request: Request) -> dict[str, Any]:
    """Returns the parsed body. The Content-Type is ignored, because the vendor's clients do not set it reliably.

    Raises BadRequest.
    """
    try:
        content = orjson.loads(await request.body() or b"{}")
    except orjson.JSONDecodeError as error:
        raise BadRequest(
            "The body is not valid JSON. Correct it and send it again.", code="bad_json"
        ) from error
    if not isinstance(content, dict):
        raise BadRequest(
            "The body must be a JSON object with `source`, `login` and `token`.", code="bad_json"
        )
    return content


def _ok(model: Any, ctx: Context, answer: Any) -> Response:
    """Returns the success response. `answer` is a mapping or has the model's attributes; None if the model adds no
    fields.
    """
    fields: Any = {}
    if (
        answer is not None
        and isinstance(model, type)
        and issubclass(model, BaseModel)
        and model is not Answer
    ):
        shaped = model.model_validate(answer, from_attributes=True)
        fields = shaped.model_dump(mode="json", by_alias=True, exclude={"status", "uuid"})
    content = {"status": "ok", "uuid": uuid_of(ctx.connection.scope), **fields}
    return Response(orjson.dumps(content), media_type="application/json")


def _failed(request: Request, ctx: Context, error: Exception) -> Response:
    headers: Mapping[str, str] = {}
    details: Mapping[str, Any] = {}
    match error:
        case AppError():
            if isinstance(error, Unavailable):
                log.warning("unavailable", code=error.code, cause=error.__cause__)
            status, code, message = int(error.status), error.code, error.message
            headers, details = error.headers, error.details
        case RequestValidationError():
            status, code = 400, "validation_failed"
            message = "; ".join(sentences(error.errors()))
        case HTTPException():
            status, message = error.status_code, str(error.detail)
            code = {413: "too_large"}.get(status, HTTPStatus(status).phrase.lower().replace(" ", "_"))
            headers = error.headers or {}
        case _:
            raise error  # a bug: the error handlers log it and return 500
    if plain(request) and status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        status = 200
        headers = headers if isinstance(error, RateLimited) else {}
    answer = body(request.scope, message, code, details)
    return Response(dumps(answer), status, dict(headers), "application/json")
