"""The samples of /docs: each belongs to an operation, and runs as it stands against a running service."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rest.frame.code_samples import LANGUAGES, SAMPLES, samples
from tests.sdk.conftest import Sdk, ask, fresh_phone
from tests.sdk.programs import SAMPLES as SOURCES
from tests.support.described import openapi
from tests.support.live import Live
from tests.support.waits import PATIENCE

_ID = "0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11"  # the samples' own; a test puts a real one in its place
_OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, item in openapi()["paths"].items()
    for method, operation in item.items()
}


def test_each_sample_is_of_an_operation_and_each_operation_has_all_languages():
    assert SOURCES == SAMPLES
    assert samples().keys() <= _OPERATIONS.keys()
    assert len(samples()) >= 10
    for folder in SAMPLES.iterdir():
        assert {path.name for path in folder.iterdir()} == LANGUAGES.keys(), folder.name


@pytest.mark.parametrize("id", sorted(samples()))
def test_the_curl_of_a_sample_calls_its_operation(id: str):
    method, path = _OPERATIONS[id]
    text = (SAMPLES / id / "curl.sh").read_text()
    assert re.findall(r"-X (\w+)", text) == ([] if method == "GET" else [method])
    called = re.findall(r'"\$POSTERN_URL(/[^"?]*)', text)
    assert re.fullmatch(re.sub(r"\{\w+\}", _ID, path), called[0]), called


def _message(live: Live) -> str:
    return str(
        ask(live, "POST", "/messages", json={"channel": "sms", "to": fresh_phone(), "body": "x"})["id"]
    )


def _project(live: Live) -> str:
    wanted = {"name": "Sample", "channel": "sms", "text": "Hello {{ name }}"}
    return str(ask(live, "POST", "/sending-project", json=wanted)["uuid"])


def _filled_project(live: Live) -> str:
    id = _project(live)
    ask(live, "POST", f"/recipient/{id}", json={"recipients": [{"phone": "+14155550100", "name": "Anna"}]})
    return id


_IDS: dict[str, Callable[[Live], str]] = {
    "messages_get": _message,
    "recipients_add": _project,
    "sending_projects_start": _filled_project,
}


def _text(live: Live, text: str, id: str) -> str:
    """The sample with an id of an object, and with an address that this machine can resolve."""
    real = _IDS.get(id, lambda _: "")(live)
    return text.replace(_ID, real).replace("https://example.com/events", "http://127.0.0.1:8080/events")


@pytest.mark.parametrize("id", sorted(samples()))
def test_a_sample_of_curl_runs(id: str, live: Live, python_sdk: Sdk):
    text = _text(live, (SAMPLES / id / "curl.sh").read_text(), id)
    script = f'curl() {{ command curl --silent --show-error --fail-with-body "$@"; }}\n{text}'
    assert isinstance(json.loads(_run(["bash", "-c", script], live, python_sdk)), dict)


@pytest.mark.parametrize("id", sorted(samples()))
def test_a_sample_of_python_runs(id: str, live: Live, python_sdk: Sdk):
    text = _text(live, (SAMPLES / id / "python.py").read_text(), id)
    assert _run([sys.executable, "-c", text], live, python_sdk) or id == "messages_list"


@pytest.mark.parametrize("id", sorted(samples()))
def test_a_sample_of_typescript_runs(id: str, live: Live, typescript_sdk: Sdk):
    folder = typescript_sdk.recipes.parent / "samples"
    text = _text(live, (folder / f"{id}.js").read_text(), id)
    program = ["node", "--input-type=module", "--eval", text]
    assert _run(program, live, typescript_sdk, cwd=folder) or id == "messages_list"


def _run(command: list[str], live: Live, sdk: Sdk, **options: Any) -> str:
    done = subprocess.run(
        command, env=sdk.environment(live.port, live.ada.token), capture_output=True, text=True,
        timeout=2 * PATIENCE, check=False, stdin=subprocess.DEVNULL, **options,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
