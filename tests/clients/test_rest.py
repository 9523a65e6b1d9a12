"""The REST door by clients that are generated from /openapi.json."""

import json
import re
from pathlib import Path

import pytest

from tests.clients.conftest import MESSAGES, Caller, Workshop, run


@pytest.mark.slow
def test_openapi_typescript(workshop: Workshop, caller: Caller):
    workshop.bring("openapi_ts")
    workshop.tool("openapi-typescript", f"{caller.url}/openapi.json", "-o", "api.d.ts")
    workshop.tool("tsc", "-p", ".")
    answers = json.loads(workshop.node("client.js", caller))
    assert answers["seen"] == MESSAGES + 1
    assert caller.data("query($id: ID!) { message(id: $id) { uuid to } }", {"id": answers["id"]}) == {
        "message": {"uuid": answers["id"], "to": "typed@example.com"}
    }


def test_openapi_python_client(tmp_path: Path, python: Path, caller: Caller):
    path = f"{python}:/usr/bin:/bin"  # it calls ruff
    Path(tmp_path, "config.yml").write_text(
        "project_name_override: made\npackage_name_override: postern_client\nhttp_timeout: 60\n"
    )
    output = run(
        [str(python / "openapi-python-client"), "generate", "--url", f"{caller.url}/openapi.json",
         "--output-path", "made", "--config", "config.yml"],
        tmp_path, PATH=path,
    )  # fmt: skip
    # /legacy passes any type on, and this generator wants one that it knows.
    warned = re.findall(r"WARNING parsing \w+ (\S+)", output)
    assert {path for path in warned if path != "/legacy/{path}"} == set(), output
    id = run(
        [str(python / "python"), str(Path(__file__).with_name("openapi_client.py")), caller.url],
        tmp_path, TOKEN=caller.token, PYTHONPATH=str(tmp_path / "made"),
    ).strip()  # fmt: skip
    assert caller.data("query($id: ID!) { message(id: $id) { to } }", {"id": id}) == {
        "message": {"to": "typed@example.com"}
    }
