"""OpenAPI 3.1: what FastAPI knows, and what it can't: credentials, which routes are the specification's."""

import json
import re
from collections import Counter
from http import HTTPStatus
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


_TAGS = {
    "health": "Whether the process and what it depends on are up.",
    "auth": "Logins and tokens.",
    "users": "People who may log in.",
    "accounts": "Balances that messages are paid from.",
    "messages": "Single messages by SMS, email and push.",
    "settings": "Settings of users and accounts.",
    "common": "Countries, timezones and currencies.",
    "projects": "Sending Projects: one text to many recipients.",
    "recipients": "Whom a project writes to.",
    "imports": "Files and texts with recipients.",
    "messages of projects": "What became of each message of a project.",
    "repeatable projects": "Projects that a calendar starts again and again.",
    "blocks": "Recipients who must not be written to.",
    "files": "Attachments, imports and exports.",
    "exports": "Data as files, and contacts from integrations.",
    "statistics": "Counts by project and by time.",
    "tariffs": "Prices and limits.",
    "source accounts": "Sender identities of projects.",
    "events": "Hooks that messaging engines call.",
    "ai": "Texts written by a language model.",
    "test sending": "One message now, to try a text.",
    "messenger accounts": "Telegram and WhatsApp accounts: adding, starting, stopping.",
    "messenger logins": "QR codes, codes and passwords of a messenger login.",
    "chats": "Messages and people of a messenger account.",
    "configuration": "Named documents of settings of a messenger account.",
    "webhooks": "Where a messenger account's events are sent.",
    "presence": "Typing and recording, as the other side sees it.",
    "hooks": "Callbacks of providers.",
    "unsubscribe": "Links in emails.",
    "storage": "Key-value storage.",
    "legacy": "The bridge to the legacy system.",
    "metrics": "For Prometheus.",
    "extensions": "Postern's own routes, which the specification does not list.",
}
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
    document["info"]["contact"] = {"name": "Postern"}
    document["tags"] = [{"name": name, "description": said} for name, said in _TAGS.items()]
    document["components"]["responses"] = _shared_refusals(document["paths"])
    _without_titles(document["paths"])
    for schema in document["components"]["schemas"].values():
        _without_titles(schema.get("properties", {}))
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
    else:  # what is no HTTP request that anybody can answer in JSON
        answers.setdefault("400", {"description": "The request's head is no valid HTTP"})
    answers.setdefault("500", _error(500))
    operation.setdefault("security", [])
    operation["responses"] = dict(sorted(answers.items()))
    if "extensions" in operation.get("tags", []):
        operation["x-postern-extension"] = True
    for parameter in operation.get("parameters", []):
        if parameter.get("description") == parameter.get("schema", {}).get("description"):
            parameter["schema"].pop("description", None)
    operation["operationId"] = _operation_id(method, path)
    operation["summary"] = operation["description"].partition(".")[0].strip()


def _error(status: int) -> dict[str, Any]:
    said = errors(status)[status]
    content = {**said.pop("content")["application/json"], "schema": {"$ref": _ENVELOPE}}
    del said["model"]
    return {**said, "content": {"application/json": content}}


def _shared_refusals(paths: dict[str, Any]) -> dict[str, Any]:
    """Puts each refusal that several operations answer into the document once, and a reference in its places.

    Returns `components.responses`. The most frequent one of a status has the status's name, another one that and
    the path where it is first.
    """
    places = [
        (path, operation, status, json.dumps(answer, sort_keys=True))
        for path, item in paths.items()
        for operation in item.values()
        for status, answer in operation["responses"].items()
        if status >= "400" and "content" in answer
    ]
    counted = Counter((status, text) for _, _, status, text in places)
    first = {(status, text): path for path, _, status, text in reversed(places)}
    named: dict[tuple[str, str], str] = {}
    for (status, text), count in counted.most_common():
        if count > 1:
            phrase = HTTPStatus(int(status)).phrase.title().replace(" ", "")
            name = f"Vendor{phrase}" if _VENDOR in text else phrase
            if name in named.values():
                name += _operation_id("", first[status, text])
            named[status, text] = name
    for _, operation, status, text in places:
        if name := named.get((status, text), ""):
            operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}
    return {name: json.loads(text) for (_, text), name in sorted(named.items(), key=lambda one: one[1])}


def _without_titles(part: Any) -> None:
    """Drops the titles that pydantic makes of fields' names; those of shapes stay."""
    if isinstance(part, dict):
        if isinstance(part.get("title"), str) and part.keys() & _SCHEMA_WORDS:
            del part["title"]
        for value in part.values():
            _without_titles(value)
    elif isinstance(part, list):
        for value in part:
            _without_titles(value)


_SCHEMA_WORDS = {"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const", "description", "default"}


def _operation_id(method: str, path: str) -> str:
    words = [part.strip("{}") for part in re.split(r"[-_/]", path) if part]
    return method + "".join(word[:1].upper() + word[1:] for word in words or ["root"])
