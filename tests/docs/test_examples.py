"""Examples and commands of all pages: GraphQL is run, JSON is read, and shell lines name what exists."""

import ast
import configparser
import json
import re
import subprocess
import textwrap
import tomllib
from typing import Any

import pytest
import typer
from graphql import parse, validate

from core.http.allowlist import AllowlistMode
from core.installation import ROOT
from core.settings import Settings
from postern.app import ALLOWED_HEADERS, EXPOSED_HEADERS
from postern.cli import app
from tests.docs.pages import PAGES, blocks, plain, read, rows, section
from tests.docs.shell import run_script
from tests.support.described import openapi, printed_schema

SCHEMA = printed_schema()
API = openapi()["paths"]


def of(language: str) -> list[Any]:
    examples = [
        pytest.param(text, id=f"{page.relative_to(ROOT)}:{number}")
        for page in PAGES
        for number, text in enumerate(blocks(page.read_text(), language))
    ]
    assert examples
    return examples


@pytest.mark.parametrize("text", of("graphql"))
def test_the_graphql_of_the_pages_is_of_this_schema(text):
    assert validate(SCHEMA, parse(text)) == []


@pytest.mark.parametrize("text", [block for block in of("graphql") if "subscription" not in block.values[0]])
async def test_the_graphql_of_the_pages_runs(ada, text):
    body = await ada.graphql(text)
    assert "errors" not in body, body


@pytest.mark.parametrize("text", of("json"))
def test_the_json_of_the_pages_is_json(text):
    json.loads(text.replace("…", ""))


@pytest.mark.parametrize("text", of("sh"))
def test_the_shell_lines_of_the_pages_name_what_exists(text):
    checked = subprocess.run(
        ["bash", "-n"], input=text, text=True, capture_output=True, timeout=30, check=False
    )
    assert checked.returncode == 0, checked.stderr
    made = re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE)
    for target in re.findall(r"^make ([a-z-]+)", text, re.MULTILINE):
        assert target in made, target
    for words in re.findall(r"(?:^|python -m )postern ((?:[a-z]+ ?)+)", text, re.MULTILINE):
        command: Any = typer.main.get_command(app)
        for word in words.split():
            if not hasattr(command, "commands"):
                break
            command = command.commands[word]
    called = re.findall(r"""127\.0\.0\.1:3000(/[^\s"'?]*)""", text) + [
        f"/{method}" for method in re.findall(r"^call (\w+)", text, re.MULTILINE)
    ]
    for path in called:
        own_form = path == "/mcp" or path.startswith("/doors/")
        assert own_form or exists(path), path
    for _, body in re.findall(r"-d ('|\")(\{.*?\})\1(?= |\n|$)", text, re.DOTALL):
        if "$" not in body and '\\"' not in body:
            json.loads(body)


def test_the_order_of_the_architecture_is_that_of_the_import_linter():
    """The table names the folders from top to bottom, as the contract `layers` in pyproject.toml does."""
    named = [plain(folder).strip("/") for folder, _ in rows(read("ARCHITECTURE.md"), "folder")]
    layers = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"][0]["layers"]
    allowed = [folder for layer in layers for folder in layer.split(" | ")]
    assert named[: len(allowed)] == allowed


def test_the_systemd_unit_starts_what_exists():
    (unit,) = [block for block in blocks(read("docs/operations.md"), "ini") if "[Service]" in block]
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(unit)
    service = parsed["Service"]
    assert service["ExecStart"].split()[-3:] == ["-m", "postern", "serve"]
    stops = ("drain_seconds", "shutdown_seconds")
    assert int(service["TimeoutStopSec"]) > sum(Settings.model_fields[each].default for each in stops)
    assert service["StateDirectoryMode"] == "0700" and service["UMask"] == "0077"
    assert service["Environment"] == f"POSTERN_DATA_DIR=/var/lib/{service['StateDirectory']}"


def test_nginx_as_the_page_has_it(tmp_path):
    """The sizes are those of the settings, and WebSockets, uploads and streams have what they need."""
    (config,) = blocks(read("docs/operations.md"), "nginx")
    assert config.count("{") == config.count("}")
    megabytes = Settings.model_fields["max_body_bytes"].default // 2**20
    files = Settings.model_fields["max_file_bytes"].default // 2**20 + 1
    assert re.findall(r"client_max_body_size (\d+)m", config) == [str(megabytes), str(files), str(files)]
    for line in (
        "Upgrade $http_upgrade",
        "Connection $connection_upgrade",
        "X-Real-IP $remote_addr",
        'X-Forwarded-For ""',
    ):
        assert f"proxy_set_header {line};" in config, line
    assert "proxy_buffering off" in config and "proxy_http_version 1.1" in config


def exists(path: str) -> bool:
    if path.split("/")[1] in ("graphql", "docs", "openapi.json", ""):
        return True
    pattern = [part if not part.startswith("$") else None for part in path.strip("/").split("/")]
    return any(
        len(parts := route.strip("/").split("/")) == len(pattern)
        and all(
            value is None or part.startswith("{") or part == value
            for part, value in zip(parts, pattern, strict=True)
        )
        for route in API
    )


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_commands_of_the_graphql_page_run(settings, tmp_path):
    (tmp_path / "recipients.csv").write_text("phone\n+14155550100\n")
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    query, uploaded = (blocks(section("docs/graphql.md", title), "sh")[0] for title in ("Asking", "Uploads"))
    output = await run_script(settings, f"{login}\n{query}\necho\n{uploaded}", cwd=tmp_path)
    answers = [json.loads(line)["data"] for line in output if line]
    assert answers[0]["me"]["accounts"]["nodes"][0]["currency"]
    assert answers[1]["uploadFile"]["size"] == 19


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off, sandbox_moment=0.05)
async def test_the_commands_of_the_messengers_page_run(settings):
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    page = blocks(section("docs/messengers.md", "Trying it without a messenger"), "sh")[0]
    call = """call getInfo '{"source": "telegram", "login": "15005551000"}'"""
    works = f"""until {call} | grep -q '"accountState":"working"'; do sleep 0.1; done"""
    page = page.replace("http://localhost:3000; TOKEN=pst_…", "http://127.0.0.1:3000").replace(
        "; }", "; echo; }"
    )
    page = page.replace("\ncall sendMessage", f"\n{works}\ncall sendMessage")
    added, _, _, sent, read = [
        json.loads(line) for line in await run_script(settings, f"{login}\n{page}") if line
    ]
    assert (added["status"], sent["status"], read["status"]) == ("ok", "ok", "ok")
    assert read["messages"][0]["text"] == "Hello"


@pytest.mark.parametrize("text", of("python"))
def test_the_python_of_the_pages_is_python(text):
    ast.parse(textwrap.dedent(text))


def test_the_scalars_of_the_front_ends_page_are_those_of_the_schema():
    page = "docs/frontends.md"
    listed = {cell.strip("`") for cell, *_ in rows(section(page, "Scalars"), "scalar")}
    ours = {name for name, kind in SCHEMA.type_map.items() if kind.__class__.__name__ == "GraphQLScalarType"}
    assert listed == ours - {"String", "Int", "Float", "Boolean", "ID"}
    (config,) = map(json.loads, blocks(section(page, "Scalars"), "json"))
    assert config["generates"]["src/gql/"]["config"]["scalars"].keys() == listed


@pytest.mark.settings(cors_origins=["https://app.example.com"])
async def test_a_page_of_another_origin_may_send_and_read_what_the_page_says(client, ada):
    page = section("docs/frontends.md", "Another origin")
    for name in (*ALLOWED_HEADERS, *EXPOSED_HEADERS):
        assert f"`{name}`" in page, name
    request = {
        "origin": "https://app.example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": ",".join(ALLOWED_HEADERS),
    }
    preflight = await client.options("/graphql", headers=request)
    assert preflight.status_code == 200, preflight.text
    answer = await ada.rest("GET", "/accounts", headers={"origin": "https://app.example.com"})
    assert answer.headers["access-control-allow-origin"] == "https://app.example.com"
    exposed = answer.headers["access-control-expose-headers"].lower()
    assert all(name in exposed for name in EXPOSED_HEADERS)
    other = await client.options("/graphql", headers={**request, "origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers
