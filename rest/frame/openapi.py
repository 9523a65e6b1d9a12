"""Builds the OpenAPI 3.1 document: adds to FastAPI's document the credentials, the errors, which routes are
extensions, and for routes without a text of their own that of the operation that they call (`Operation.text`).
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from core.http.allowlist import UNCHECKED_PATHS
from rest.frame import open_answers, vendor_errors
from rest.frame.errors import errors
from runtime.doors import operation_of
from runtime.operation import Operation
from runtime.permissions import Permission

_ABOUT = """A messaging gateway that companies run themselves: SMS, email and push behind one API.

GraphQL at `/graphql` offers the same operations with the same fields. Routes tagged `extensions` are Postern's own; all
others follow the service interface specification. `docs/errors.md` describes all errors.

A member acts for an owner by the header `X-Postern-Owner: <uuid>`, on every route: `GET /memberships` lists the owners.
Without it everybody acts for themselves.

Routes tagged `messenger …`, `chats`, `webhooks`, `presence` and `configuration` follow a public vendor API. Each
of them is also available under `/api/…` and also accepts the token in the body. For clients of the vendor API, which
send neither a Bearer header nor `X-Postern-Errors: http`, errors have HTTP status 200."""

_ENVELOPE = "#/components/schemas/ErrorEnvelope"
_VENDOR = "#/components/schemas/VendorError"


def install(app: FastAPI, schemas: Mapping[str, dict[str, Any]], tags: Mapping[str, str]) -> None:
    """Replaces FastAPI's document of the app; it is built on first use and then cached.

    `schemas`: those that routes refer to by name and that no model describes. `tags`: each with its description.
    """

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = build(app, schemas, tags)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def build(app: FastAPI, schemas: Mapping[str, dict[str, Any]], tags: Mapping[str, str]) -> dict[str, Any]:
    """Returns the OpenAPI document."""
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
        "description": "An access token (from POST /auth/login) or an API token (`pst_…`).",
    }
    called = operations_by_id(app)
    for path, item in document["paths"].items():
        for operation in item.values():
            ours = called.get(operation["operationId"])
            if ours is not None:
                operation.setdefault("description", ours.text)
            if ours is not None and ours.switch is not None:
                operation["responses"].setdefault("404", _error(404))  # while its module is off
            _complete(path, operation)
            if ours is not None and ours.permission is not Permission.public:
                operation["x-permission"] = ours.needs
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"].get("schemas", {}).pop(name, None)
    document["info"]["contact"] = {"name": "Postern"}
    document["tags"] = [{"name": name, "description": description} for name, description in tags.items()]
    document["components"]["responses"] = _shared_refusals(document["paths"])
    _without_repetitions(document["paths"])
    for name, schema in document["components"]["schemas"].items():
        if schema.get("title") == name:  # readers of the document show the name of the component
            del schema["title"]
        _without_repetitions(schema.get("properties", {}))
    document["components"]["schemas"] = dict(sorted({**document["components"]["schemas"], **schemas}.items()))
    open_answers.apply(document)
    return document


def operations_by_id(app: FastAPI) -> dict[str, Operation]:
    """Returns the operation that each route calls, by the route's `operationId`; nothing for other routes."""
    called = {
        route.unique_id: operation_of(route.endpoint) for route in app.routes if isinstance(route, APIRoute)
    }
    return {id: operation for id, operation in called.items() if operation is not None}


def _complete(path: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    # FastAPI documents 422 for every route with parameters; ours return 400 (contract §0).
    if "HTTPValidationError" in str(answers.get("422", "")):
        del answers["422"]
    if path in vendor_errors.PATHS:
        answers = vendor_errors.described(answers, _VENDOR)
    if "requestBody" in operation:
        answers.setdefault("413", _error(413))
    if path not in UNCHECKED_PATHS:
        answers.setdefault("403", _error(403))
    else:  # for invalid HTTP, which is refused before a JSON body is possible
        answers.setdefault("400", {"description": "The head of the request is not valid HTTP"})
    answers.setdefault("500", _error(500))
    for answer in answers.values():  # shortens FastAPI's default phrase, which most routes have
        answer["description"] = answer["description"].replace("Successful Response", "Success")
    operation.setdefault("security", [])
    operation["responses"] = dict(sorted(answers.items()))
    if "extensions" in operation.get("tags", []):
        operation["x-postern-extension"] = True
    for parameter in operation.get("parameters", []):
        if parameter.get("description") == parameter.get("schema", {}).get("description"):
            parameter["schema"].pop("description", None)
    operation["summary"], rest = _first_sentence(operation.pop("description"))
    if rest:
        operation["description"] = rest


def _error(status: int) -> dict[str, Any]:
    response = errors(status)[status]
    content = {**response.pop("content")["application/json"], "schema": {"$ref": _ENVELOPE}}
    del response["model"]
    return {**response, "content": {"application/json": content}}


def _shared_refusals(paths: dict[str, Any]) -> dict[str, Any]:
    """Moves each error response that several operations have into `components.responses`, which it returns.

    The operations then refer to it. The most frequent response of a status is named after the status; another one also
    after the first path that has it.
    """
    occurrences = [
        (path, operation, status, json.dumps(answer, sort_keys=True))
        for path, item in paths.items()
        for operation in item.values()
        for status, answer in operation["responses"].items()
        if status >= "400" and "content" in answer
    ]
    counted = Counter((status, text) for _, _, status, text in occurrences)
    first = {(status, text): path for path, _, status, text in reversed(occurrences)}
    names: dict[tuple[str, str], str] = {}
    for (status, text), count in counted.most_common():
        if count > 1:
            phrase = HTTPStatus(int(status)).phrase.title().replace(" ", "")
            name = f"Vendor{phrase}" if _VENDOR in text else phrase
            if name in names.values():
                name += _in_camel_case(first[status, text])
            names[status, text] = name
    for _, operation, status, text in occurrences:
        if name := names.get((status, text), ""):
            operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}
    return {name: json.loads(text) for (_, text), name in sorted(names.items(), key=lambda item: item[1])}


def _without_repetitions(part: Any) -> None:
    """Removes the titles that pydantic derives from the names of fields, and the description of an optional value where
    its field has the same.
    """
    if isinstance(part, dict):
        if isinstance(part.get("title"), str) and part.keys() & _SCHEMA_WORDS:
            del part["title"]
        for choice in part.get("anyOf", ()):
            if "description" in part and choice.get("description") == part["description"]:
                del choice["description"]
        for value in part.values():
            _without_repetitions(value)
    elif isinstance(part, list):
        for value in part:
            _without_repetitions(value)


_SCHEMA_WORDS = {"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const", "description", "default"}


def _in_camel_case(path: str) -> str:
    words = [part.strip("{}") for part in re.split(r"[-_/]", path) if part]
    return "".join(word[:1].upper() + word[1:] for word in words or ["root"])


def _first_sentence(text: str) -> tuple[str, str]:
    """Returns the first sentence, on one line and without its period, and the text after it."""
    sentence, _, rest = (*re.split(r"(\.)(?=\s|$)", text.strip(), maxsplit=1), "", "")[:3]
    return " ".join(sentence.split()), rest.strip()
