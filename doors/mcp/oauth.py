"""OAuth 2.1 for agents: who grants (RFC 8414), what is protected (RFC 9728), and the endpoints that programs call. A
person consents in the console, at /console/agents/connect.

Errors have OAuth's own form here: `{"error": "invalid_grant", "error_description": "…"}`.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import orjson
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from core.errors import AppError
from core.settings import Settings
from doors.mcp.catalog import TOOLS
from resolvers import agents, auth
from runtime import links
from runtime.context import Context
from shapes.agents import AgentCode, RegisterClient
from shapes.auth import AuthTokens, Refresh

S = TypeVar("S", bound=BaseModel)
_LARGEST: Final = 16 * 1024
PROTECTED: Final = "/.well-known/oauth-protected-resource/mcp"
_SCOPES: Final = sorted({tool.operation.permission.value for tool in TOOLS})
_GRANTS: Final = ["authorization_code", "refresh_token"]
_CODES: Final = {"registration_off": "access_denied", "bad_redirect": "invalid_redirect_uri"}


def challenge(settings: Settings) -> str:
    """Returns the header by which a client without a credential learns where to get one (RFC 9728 §5.1)."""
    return f'Bearer resource_metadata="{links.base(settings)}{PROTECTED}"'


async def _protected(request: Request) -> Response:
    base = links.base(request.app.state.services.settings)
    return _json(
        {
            "resource": f"{base}/mcp",
            "authorization_servers": [base],
            "scopes_supported": _SCOPES,
            "bearer_methods_supported": ["header"],
            "resource_name": "Postern",
        }
    )


async def _server(request: Request) -> Response:
    settings = request.app.state.services.settings
    base = links.base(settings)
    registration = {"registration_endpoint": f"{base}/oauth/register"} if settings.mcp_registration else {}
    return _json(
        {
            "issuer": base,
            "authorization_endpoint": f"{base}/oauth/authorize",
            "token_endpoint": f"{base}/oauth/token",
            **registration,
            "scopes_supported": _SCOPES,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": _GRANTS,
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "client_id_metadata_document_supported": True,
        }
    )


async def _authorize(request: Request) -> Response:
    """Leads a browser to the console, where the request is checked and a person decides."""
    base = links.base(request.app.state.services.settings)
    query = request.scope["query_string"].decode("ascii", "replace")
    return RedirectResponse(f"{base}/console/agents/connect?{query}", 302)


async def _token(request: Request) -> Response:
    ctx = Context(request.app.state.services, request)

    async def granted(form: Mapping[str, str]) -> Any:
        kind = form.get("grant_type")
        if kind == "authorization_code":
            return _tokens(await agents.exchange(ctx, _valid(AgentCode, form)))
        if kind == "refresh_token":
            token = form.get("refresh_token", "")
            await agents.require_client(ctx, token, form.get("client_id", ""))
            return _tokens(await auth.refresh(ctx, Refresh(refresh_token=token)))
        raise _Refused("unsupported_grant_type", f"grant_type must be one of {', '.join(_GRANTS)}.")

    return await _answered(request, granted)


async def _register(request: Request) -> Response:
    ctx = Context(request.app.state.services, request)

    async def registered(form: Mapping[str, Any]) -> Any:
        if form.get("token_endpoint_auth_method", "none") != "none":
            raise _Refused("invalid_client_metadata", "Clients have no secret here: PKCE proves them.")
        uris = form.get("redirect_uris")
        asked = {"clientName": form.get("client_name") or "Agent", "redirectUris": uris}
        client = _valid(RegisterClient, asked, error="invalid_client_metadata")
        id = await agents.register(ctx, client)
        return {
            "client_id": id,
            "client_name": client.client_name,
            "redirect_uris": client.redirect_uris,
            "grant_types": _GRANTS,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }

    return await _answered(request, registered, json=True, status=201)


class _Refused(Exception):
    """An error in OAuth's form."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error, self.description = error, description


async def _answered(
    request: Request,
    work: Callable[[Mapping[str, Any]], Awaitable[Any]],
    *,
    json: bool = False,
    status: int = 200,
) -> Response:
    """Reads a form, or JSON, and answers with what the work returns, or with an error."""
    body = await request.body()
    try:
        if len(body) > _LARGEST:
            raise _Refused("invalid_request", f"The body has more than {_LARGEST} bytes.")
        return _json(await work(_read_json(body) if json else _read_form(body)), status)
    except _Refused as refused:
        return _error(refused.error, refused.description, 400)
    except AppError as error:
        if error.status >= 500 or error.status == 429:
            return _error("temporarily_unavailable", error.message, int(error.status), error.headers)
        code = _CODES.get(error.code, "invalid_grant")
        return _error(code, error.message, 404 if error.code == "registration_off" else 400)


def _read_form(body: bytes) -> dict[str, str]:
    """Returns the fields of a form. Raises _Refused for one that stands twice (RFC 6749 §3.2)."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=30)
    except ValueError as error:
        raise _Refused(
            "invalid_request", "The body must be a form (application/x-www-form-urlencoded)."
        ) from error
    if len({name for name, _ in pairs}) < len(pairs):
        raise _Refused("invalid_request", "A field of the form must not stand twice.")
    return dict(pairs)


def _read_json(body: bytes) -> Mapping[str, Any]:
    try:
        read = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _Refused("invalid_client_metadata", "The body must be JSON.") from error
    if not isinstance(read, dict):
        raise _Refused("invalid_client_metadata", "The body must be a JSON object.")
    return read


def _valid(shape: type[S], fields: Mapping[str, Any], error: str = "invalid_request") -> S:
    taken = {field.alias or name for name, field in shape.model_fields.items()} | shape.model_fields.keys()
    try:
        return shape.model_validate(
            {name: value for name, value in fields.items() if name in taken}, by_name=True
        )
    except ValidationError as failed:
        first = failed.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise _Refused(error, f"{field}: {first['msg']}.") from failed


def _tokens(tokens: AuthTokens) -> dict[str, Any]:
    return {
        "access_token": tokens.access_token,
        "token_type": "Bearer",
        "expires_in": tokens.expires_in,
        "refresh_token": tokens.refresh_token,
    }


def _error(error: str, description: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return _json({"error": error, "error_description": description}, status, headers)


def _json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, media_type="application/json")


ROUTES: Final[tuple[BaseRoute, ...]] = (
    Route("/.well-known/oauth-protected-resource", _protected, methods=["GET"]),
    Route(PROTECTED, _protected, methods=["GET"]),
    Route("/.well-known/oauth-authorization-server", _server, methods=["GET"]),
    Route("/oauth/authorize", _authorize, methods=["GET"]),
    Route("/oauth/token", _token, methods=["POST"]),
    Route("/oauth/register", _register, methods=["POST"]),
)
