"""OpenAPI 3.1: what FastAPI knows, and what it can't: credentials, which routes are the specification's."""

import re
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from postern.allowlist import UNCHECKED_PATHS
from rest import vendor_errors
from rest.errors import errors

_ABOUT = """A messaging gateway that companies run themselves: SMS, email and push behind one API.

Every operation stands here and, with the same shape, in GraphQL at `/graphql`. Routes tagged `extensions`
are Postern's own; all others follow the service interface specification. Errors: see `docs/errors.md`.

Routes tagged `messenger …`, `chats`, `webhooks`, `presence` and `configuration` speak the wire of a public vendor API:
each stands at `/api/…` too, takes its token in the body as well, and answers errors with HTTP 200 to callers that send
neither a Bearer header nor `X-Postern-Errors: http`."""


_ENVELOPE = "#/components/schemas/ErrorEnvelope"
_VENDOR = "#/components/schemas/VendorError"


def install(app: FastAPI) -> None:
    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = build(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def build(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title,
        version=app.version,
        routes=app.routes,
        description=_ABOUT,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    document["servers"] = [{"url": "/"}]
    schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
    schemes["bearer"] = {
        "type": "http",
        "scheme": "bearer",
        "description": "An access token (POST /auth/login) or an API token (`pst_…`).",
    }
    for path, item in document["paths"].items():
        for method, operation in item.items():
            _complete(method, path, operation)
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"].get("schemas", {}).pop(name, None)
    return document


def _complete(method: str, path: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    # FastAPI documents 422 for every route with parameters; ours answer 400 (contract §0).
    if "HTTPValidationError" in str(answers.get("422", "")):
        del answers["422"]
    if path in vendor_errors.PATHS:
        answers = vendor_errors.described(answers, _VENDOR)
    if "requestBody" in operation:
        answers.setdefault("413", _error(413))
    if path not in UNCHECKED_PATHS:
        answers.setdefault("403", _error(403))
    answers.setdefault("500", _error(500))
    operation["responses"] = dict(sorted(answers.items()))
    if "extensions" in operation.get("tags", []):
        operation["x-postern-extension"] = True
    operation["operationId"] = _operation_id(method, path)
    operation["summary"] = operation["description"].partition(".")[0].strip()


def _error(status: int) -> dict[str, Any]:
    said = errors(status)[status]
    content = {**said.pop("content")["application/json"], "schema": {"$ref": _ENVELOPE}}
    del said["model"]
    return {**said, "content": {"application/json": content}}


def _operation_id(method: str, path: str) -> str:
    words = [part.strip("{}") for part in re.split(r"[-_/]", path) if part]
    return method + "".join(word[:1].upper() + word[1:] for word in words or ["root"])
