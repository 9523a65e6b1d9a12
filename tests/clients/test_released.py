"""Clients that were generated from the document of the first release read the answers of today, and of tomorrow."""

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from core.installation import ROOT
from tests.clients.conftest import Caller, Workshop, run
from tests.support.described import openapi

RELEASED = ROOT / "tests" / "released" / "openapi.json"
DOCUMENT = json.loads(RELEASED.read_text(encoding="utf-8"))
SCHEMAS = DOCUMENT["components"]["schemas"]


def _readable() -> Iterator[tuple[str, str]]:
    """Yields each path that can be read without further knowledge, with the name of the schema of its answer."""
    for path, item in DOCUMENT["paths"].items():
        answer = item.get("get", {}).get("responses", {}).get("200", {})
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        required = [each for each in item.get("get", {}).get("parameters", []) if each.get("required")]
        if "$ref" in schema and not required:
            yield path, schema["$ref"].rpartition("/")[2]


def _with_more(value: Any, schema: dict[str, Any]) -> Any:
    """Returns the value with a made-up property in each object whose properties are described by name."""
    if "$ref" in schema:
        return _with_more(value, SCHEMAS[schema["$ref"].rpartition("/")[2]])
    for part in schema.get("anyOf", ()):
        if part.get("type") != "null":
            value = _with_more(value, part)
    if isinstance(value, list):
        return [_with_more(each, schema.get("items", {})) for each in value]
    if isinstance(value, dict) and "properties" in schema:
        described = schema["properties"]
        more = {name: _with_more(part, described.get(name, {})) for name, part in value.items()}
        return more | {"madeUp": {"of": ["tomorrow"]}}
    return value


@pytest.fixture
def models(tmp_path: Path, python: Path) -> Iterator[Any]:
    """The models that datamodel-code-generator makes of the released document."""
    run(
        [str(python / "datamodel-codegen"), "--input", str(RELEASED), "--input-file-type", "openapi",
         "--output", str(tmp_path / "released_models.py"), "--output-model-type", "pydantic_v2.BaseModel",
         "--target-python-version", "3.11", "--use-title-as-name", "--formatters", "ruff-format"],
        tmp_path, PATH=f"{python}:/usr/bin:/bin",
    )  # fmt: skip
    sys.path.insert(0, str(tmp_path))
    try:
        yield importlib.import_module("released_models")
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("released_models", None)


def test_datamodel_code_generator(models: Any, caller: Caller) -> None:
    named = {
        name.replace("_", "").casefold(): model
        for name, model in vars(models).items()
        if isinstance(model, type)
    }
    read, refused = 0, []
    for path, schema in _readable():
        answer = caller.live.client.get(path, headers=caller.headers)
        if answer.status_code != 200:
            continue
        model = named["".join(filter(str.isalnum, schema)).casefold()]
        assert issubclass(model, BaseModel)
        for body in (answer.json(), _with_more(answer.json(), SCHEMAS[schema])):
            try:
                model.model_validate(body)
                read += 1
            except ValidationError as error:
                refused.append(f"{path}: {error}")
    assert refused == []
    assert read >= 60


@pytest.mark.slow
def test_hey_api(workshop: Workshop, caller: Caller) -> None:
    workshop.bring("hey_api")
    shutil.copy(RELEASED, workshop.folder / "openapi.json")
    workshop.tool("openapi-ts")
    workshop.tool("tsc", "-p", ".")
    id = json.loads(workshop.node("client.js", caller))["id"]
    assert caller.data("query($id: ID!) { message(id: $id) { to } }", {"id": id}) == {
        "message": {"to": "typed@example.com"}
    }


def test_what_was_released_is_still_there() -> None:
    """A client of the first release sends what is still taken, and finds in an answer what it expects."""
    now, broken = openapi(), []
    for path, item in DOCUMENT["paths"].items():
        broken += [f"{method} {path} is gone" for method in item.keys() - now["paths"].get(path, {}).keys()]
    for name, schema in SCHEMAS.items():
        today = now["components"]["schemas"].get(name)
        if today is None:
            broken.append(f"{name} is gone")
            continue
        is_request = schema.get("additionalProperties") is False
        gone = schema.get("properties", {}).keys() - today.get("properties", {}).keys()
        required, demanded = {*schema.get("required", ())}, {*today.get("required", ())}
        broken += [f"{name}.{each} is gone" for each in sorted(gone)]
        if is_request:
            broken += [f"{name}.{each} is demanded now" for each in sorted(demanded - required)]
        else:
            broken += [f"{name}.{each} may be missing now" for each in sorted(required - demanded)]
            new = today.get("properties", {}).keys() - schema.get("properties", {}).keys()
            broken += [
                f"{name}.{each} is required, and an older release does not have it: give it a default"
                for each in sorted(new & demanded)
            ]
    assert broken == []
