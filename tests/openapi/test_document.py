"""OpenAPI 3.1: valid, complete, described, and the same as the committed snapshot."""

import asyncio
import json
import re
from threading import Event, current_thread
from typing import Any

import orjson
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from core.installation import ROOT
from postern.app import doors
from rest.frame.code_samples import with_samples
from rest.frame.vendor_errors import PATHS
from tests.support.described import openapi
from tests.support.waits import PATIENCE, until

DOCUMENT = openapi()
OPERATIONS = [
    (method.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
]
RENEW = "The committed snapshot is old. Look at the change, then renew it: make snapshots"


def test_the_document_is_valid_openapi_3_1():
    assert DOCUMENT["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []


def test_operation_ids_are_unique_and_plain():
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)
    assert [id for id in ids if not re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", id)] == []


def test_nothing_of_the_framework_s_own_422_is_left():
    text = json.dumps(DOCUMENT)
    assert "HTTPValidationError" not in text
    assert "ValidationError" not in DOCUMENT["components"]["schemas"]
    for _, path, operation in OPERATIONS:
        if path in PATHS:
            continue  # there a messenger may refuse for good
        keyed = any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", []))
        unreadable = path in ("/contacts/imports/preview", "/recipient-import/preview")
        assert ("422" in operation["responses"]) == (keyed or unreadable), path


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_operation_says_all_that_can_happen(method: str, path: str, operation: dict[str, Any]):
    answers = {status: resolved(answer) for status, answer in operation["responses"].items()}
    assert operation["summary"]
    assert operation["summary"] not in " ".join(operation.get("description", "").split())
    assert "500" in answers
    assert ("403" in answers) or path in ("/", "/health", "/health/v2")
    if operation.get("security") == [{"bearer": []}]:
        assert "401" in answers
        assert "503" in answers
    if "requestBody" in operation:
        assert "413" in answers
        assert "400" in answers
        for content in operation["requestBody"]["content"].values():
            assert has_example(content), f"{method} {path} shows no example of its body"
    if operation.get("parameters"):
        assert "400" in answers or path.startswith("/common/")
    for status, answer in answers.items():
        if status >= "400" and path not in ("/graphql", "/graphql/stream", "/health/v2", "/metrics"):
            if path in ("/", "/health") and status == "400":
                continue  # refused before anybody reads a path
            content = answer["content"]["application/json"]
            if path in PATHS:
                assert content["schema"] == {"$ref": "#/components/schemas/VendorError"}
                assert content["example"]["status"] == "error"
                continue
            assert content["schema"] == {"$ref": "#/components/schemas/ErrorEnvelope"}
            assert content["example"]["statusCode"] == int(status)


def resolved(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer itself, where the document has it once for many operations."""
    if "$ref" in answer:
        response: dict[str, Any] = DOCUMENT["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        return response
    return answer


def test_the_document_that_is_served_is_small():
    served = orjson.dumps(DOCUMENT)
    assert len(served) < 2_400 * len(OPERATIONS)


def test_a_refusal_that_several_operations_answer_is_written_once():
    texts = [
        json.dumps(answer, sort_keys=True)
        for _, _, operation in OPERATIONS
        for status, answer in operation["responses"].items()
        if status >= "400" and "content" in answer
    ]
    assert len(texts) == len(set(texts))


def test_every_tag_is_described_and_every_operation_says_who_may_call():
    """The document has what redocly (recommended) and spectral (oas) ask for and FastAPI leaves out."""
    described = {tag["name"] for tag in DOCUMENT["tags"] if tag["description"]}
    used = {tag for _, _, operation in OPERATIONS for tag in operation["tags"]}
    assert used == described
    assert DOCUMENT["info"]["contact"]["name"]
    for method, path, operation in OPERATIONS:
        assert "security" in operation, f"{method} {path}"
        assert any("400" <= status < "500" for status in operation["responses"]), f"{method} {path}"


def test_a_required_field_is_a_field():
    def objects(part: Any) -> Any:
        for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from objects(value)
        if isinstance(part, dict) and isinstance(part.get("required"), list):
            yield part

    for shape in objects(DOCUMENT):
        assert set(shape["required"]) <= shape.get("properties", {}).keys(), shape


def has_example(content: dict[str, Any]) -> bool:
    """An example of the whole, or of every field that must be given."""
    schema = content.get("schema", {})
    if "example" in content or "examples" in schema or schema == {}:
        return True
    options = [option for option in schema.get("anyOf", [schema]) if option != {"type": "null"}]
    for option in options:
        shape = (
            DOCUMENT["components"]["schemas"][option["$ref"].rpartition("/")[2]]
            if "$ref" in option
            else option
        )
        fields = shape.get("properties", {})
        needed = shape.get("required", [])
        if not all("examples" in fields[name] or "$ref" in fields[name] for name in needed):
            return False
    return True


def test_the_ways_to_authenticate_are_described():
    (scheme,) = DOCUMENT["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert "pst_" in scheme["description"]


def test_the_openapi_snapshot():
    committed = json.loads((ROOT / "openapi.json").read_text(encoding="utf-8"))
    assert committed == json.loads(json.dumps(DOCUMENT)), RENEW


async def test_it_is_built_once_and_beside_other_requests(app, client, monkeypatch):
    """The first of those who ask waits for it, and nobody else does."""
    built, goes_on, build = [], Event(), app.api.openapi

    def slow() -> dict[str, Any]:
        built.append(current_thread())
        assert goes_on.wait(PATIENCE)
        return build()

    monkeypatch.setattr(app.api, "openapi", slow)
    asked = [asyncio.create_task(client.get("/openapi.json")) for _ in range(3)]
    await until(lambda: built)
    assert (await client.get("/common/currencies")).status_code == 200
    assert not any(task.done() for task in asked)
    goes_on.set()
    answers = await asyncio.gather(*asked)
    assert len(built) == 1
    for answer in answers:
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert answer.json() == json.loads(json.dumps(with_samples(DOCUMENT)))
    assert answers[0].headers["content-encoding"] == "gzip"
    again = await client.get("/openapi.json", headers={"if-none-match": answers[0].headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await client.head("/openapi.json")).status_code == 200
    assert len(built) == 1


def test_every_field_of_rest_is_described():
    missing = [
        f"{name}.{field}"
        for name, shape in DOCUMENT["components"]["schemas"].items()
        for field, its in shape.get("properties", {}).items()
        if not any("description" in schema or "$ref" in schema for schema in (its, *its.get("anyOf", ())))
    ]
    assert missing == []


def test_the_document_is_the_same_however_often_it_is_built():
    assert doors(explorable=True).openapi() == doors(explorable=True).openapi() == DOCUMENT


def test_answers_are_open_and_requests_are_closed():
    """Contract §9.11: a client that was generated from this document reads the answers of later releases."""
    schemas = DOCUMENT["components"]["schemas"]
    for name in ("SendMessage", "NewContactField", "NewSendingProject"):
        assert schemas[name]["additionalProperties"] is False, name
    assert "additionalProperties" not in schemas["Message"]
    assert "further values" in schemas["DeliveryState"]["description"]
    assert "further values" not in schemas["MessageStatus"]["description"]
    assert "default: 86400" in schemas["NewSendingProject"]["properties"]["startWithinSeconds"]["description"]
    assert '"default":' not in json.dumps(schemas["NewSendingProject"])
