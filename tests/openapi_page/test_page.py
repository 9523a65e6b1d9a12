"""/docs: whole, safe, cached, and its commands work."""

import json
import re
import shlex
from html.parser import HTMLParser
from typing import Any

import pytest

from postern.app import doors
from rest.frame.html import Html, join, page, paragraphs, prose, tag
from rest.frame.samples import Shapes
from schema.field_index import fields
from tests.openapi.test_document import DOCUMENT, OPERATIONS

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
VOID = {"meta", "link", "br", "hr", "wbr"}


class Page(HTMLParser):
    """What a browser would see; nesting is checked on the way."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.copied: list[str] = []
        self.text: dict[str, str] = {}  # by section
        self._section = ""
        self.feed(text)
        self.close()
        assert self.open == [], "all that is opened is closed"

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if "id" in given:
            self.ids.append(str(given["id"]))
        if tag == "section":
            self._section = str(given["id"])
        if tag == "pre" and given.get("class") == "copy":
            self.copied.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text[self._section] = self.text.get(self._section, "") + data
        if "pre" in self.open and self.copied and "code" in self.open and not self._answers():
            self.copied[-1] += data

    def _answers(self) -> bool:
        return "details" in self.open


@pytest.fixture
async def shown(client) -> Page:
    answer = await client.get("/docs")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return Page(answer.text)


async def test_every_operation_has_its_section(shown):
    assert len(shown.ids) == len(set(shown.ids)), "an anchor is one place"
    for method, path, operation in OPERATIONS:
        text = shown.text[operation["operationId"]]
        assert text.startswith(f"{method}{path}")
        for parameter in operation.get("parameters", ()):
            assert parameter["name"] in text
        for status in operation["responses"]:
            assert status in text
    for target in [str(given["href"]) for name, given in shown.tags if name == "a"]:
        assert not target.startswith("#") or target[1:] in shown.ids, target


async def test_what_one_operation_says(shown):
    text = " ".join(shown.text["postMessages"].split())
    for said in (
        "users and administrators (messages:send)",
        "mutation { sendMessage }",
        "Idempotency-Key",
        "torequired",
        "accountIdUUID or null",
        "1 to 1600 characters",
        "sms | email | push",
        '"to": "+14155550100"',
        "insufficient_balance",
        '-H "authorization: Bearer $TOKEN"',
    ):
        assert said in text, f"{said} is not in: {text}"
    listing = " ".join(shown.text["getMessages"].split())
    assert "limitquery, integerrows on one page; 1 to 100; default 20" in listing
    assert "92233720368547757" not in listing, "a bound that nobody meets is noise"
    assert "administrators alone (users:list)" in shown.text["getUsers"]
    assert "anybody, without a credential" in shown.text["postAuthLogin"]
    assert "read-only" not in shown.copied, "an example sends nothing that may not be set"


async def test_every_graphql_field_is_on_the_page(shown):
    text = " ".join(shown.text.values())
    for field in fields():
        assert field.operations or field.name in ("node", "nodes"), f"{field.name} calls no operation"
        assert field.name in text


async def test_the_page_asks_for_nothing_from_elsewhere_and_runs_nothing(client, shown):
    names = {name for name, _ in shown.tags}
    assert names.isdisjoint({"script", "style", "iframe", "form", "img", "base", "object"})
    for name, given in shown.tags:
        assert not any(key.startswith("on") or key == "style" for key in given), given
        if name in ("link", "a"):
            assert str(given["href"]).startswith(("#", "/")), given
    for path in ("/docs", "/docs/style.css"):
        answer = await client.get(path)
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
    style = await client.get("/docs/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "url(" not in style.text
    assert "@import" not in style.text
    assert "prefers-color-scheme: dark" in style.text


async def test_it_can_be_used_by_keyboard(shown):
    first = next(given for name, given in shown.tags if name == "a")
    assert first["class"] == "skip"
    assert all(given.get("tabindex") == "0" for name, given in shown.tags if name == "pre")
    assert next(given for name, given in shown.tags if name == "html")["lang"] == "en"
    assert [given["aria-label"] for name, given in shown.tags if name == "nav"] == ["Contents"]


@pytest.mark.parametrize("path", ["/docs", "/docs/style.css"])
async def test_it_is_built_once_and_asked_for_again(client, app, monkeypatch, path):
    first = await client.get(path)
    monkeypatch.setattr(app.api, "openapi", None)
    again = await client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    other = await client.get(path, headers={"if-none-match": '"another"'})
    assert (other.status_code, other.content) == (200, first.content)


async def test_it_is_no_operation(client):
    assert not any(path.startswith("/docs") for path in DOCUMENT["paths"])
    assert (await client.post("/docs")).status_code == 405


def words_of(command: str, variables: dict[str, str]) -> tuple[str, str, dict[str, str], str | None]:
    """Method, URL, headers and body of a curl line, as a shell and curl read it."""
    command = re.sub(r"\$([A-Z]+)", lambda found: variables[found[1]], command)
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:2] == ["curl", "-s"], command
    method, url, headers, body = "GET", "", {}, None
    rest = iter(words[2:])
    for word in rest:
        if word == "-X":
            method = next(rest)
        elif word == "-H":
            name, _, value = next(rest).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(rest)
        elif word == "-F":  # a file that holds a phone
            name, _, file = next(rest).partition("=@")
            headers["content-type"] = "multipart/form-data; boundary=b"
            body = (
                f'--b\r\ncontent-disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'
                "+14155550100\r\n--b--\r\n"
            )
        else:
            url = word
    return method, url, headers, body


@pytest.mark.settings(public_url="https://gateway.example.com/")
async def test_every_command_is_understood(client, ada, shown):
    """Each line is sent as it stands: nothing that the page shows may be malformed or unknown."""
    variables = {
        "TOKEN": ada.token, "KEY": "x", "PATH": "x", "DRIVER": "sandbox", "NAME": "sms", "SOURCE": "messages", "FILEORIGINALNAME": "x",
        "INDEX": "0", "ACCOUNT": str(ada.account_id),
        **{
            one["name"].upper(): str(ada.account_id)
            for *_, operation in OPERATIONS
            for one in operation.get("parameters", ())
            if one["in"] == "path" and one["schema"].get("format") == "uuid"
        },
    }  # fmt: skip
    lines = [line for line in shown.copied if line.startswith("curl")]
    assert len(lines) == len(OPERATIONS)
    leaving = [line for line in lines if "/auth/logout" in line]
    refused = []
    for line in [*(line for line in lines if line not in leaving), *leaving]:
        method, url, headers, body = words_of(line, variables)
        assert url.startswith("https://gateway.example.com/"), url
        if "/graphql/stream" in url:
            continue  # it does not end: tests/live
        answer = await client.request(
            method, url.removeprefix("https://gateway.example.com"), headers=headers, content=body
        )
        code = re.findall(r'"code":"(\w+)"', answer.text)
        wrong = answer.status_code in (400, 405, 406, 415, 422, 500) or code == ["route_not_found"]
        # /metrics hides from other machines, the sandbox has no callbacks.
        if wrong and "/metrics" not in url and code != ["bad_hook"]:
            refused.append((line, answer.status_code, answer.text))
    assert refused == []


@pytest.mark.parametrize(
    "accept", ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"]
)
@pytest.mark.settings(graphiql=False)  # with it: tests/graphiql
async def test_a_browser_at_graphql_is_told_how(client, ada, accept):
    answer = await client.get("/graphql", headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["vary"] == "Accept"
    shown = Page(answer.text)
    assert any(given.get("href", "").startswith("/docs") for name, given in shown.tags if name == "a")
    assert len(shown.copied) == 3
    for line in shown.copied:
        method, _, headers, body = words_of(line, {"TOKEN": ada.token})
        asked = await client.request("POST" if body else method, "/graphql", headers=headers, content=body)
        assert "errors" not in asked.json(), asked.text


@pytest.mark.parametrize(
    "accept", [None, "*/*", "application/json", "application/graphql-response+json, text/html"]
)
async def test_a_program_at_graphql_is_not(client, accept):
    answer = await client.get("/graphql", headers={"accept": accept} if accept else {})
    assert answer.status_code == 400
    assert "json" in answer.headers["content-type"]


async def test_a_browser_that_brings_a_query_gets_its_answer(client):
    asked = {"query": "{ health { status } }"}
    for accept in ("text/html, */*", "*/*"):
        answer = await client.get("/graphql", params=asked, headers={"accept": accept})
        assert answer.json()["data"] == {"health": {"status": "ok"}}


def test_nothing_reaches_the_page_unescaped():
    evil = '<script>alert("1")</script>&'
    assert (
        "<script" not in page(evil, tag("p", evil, title=evil), prose(f"`{evil}`"), paragraphs(evil)).decode()
    )
    assert tag("p", "a & b", hidden=True, lang=None) == "<p hidden>a &amp; b</p>"
    assert join("<", Html("<br>"), None) == "&lt;<br>"
    assert prose("see `a`  or\nb ") == "see <code>a</code> or b "


def test_words_limits_and_examples_of_a_schema():
    shapes = Shapes(
        {
            "components": {
                "schemas": {
                    "Tree": {
                        "title": "Tree",
                        "type": "object",
                        "properties": {
                            "leaf": {"type": "string", "examples": ["oak"]},
                            "next": {"$ref": "#/x/Tree"},
                        },
                    },
                    "Kind": {"enum": ["a", "b"]},
                }
            }
        }
    )
    tree: dict[str, Any] = {"$ref": "#/x/Tree"}
    assert shapes.words({"type": "array", "items": tree}) == 'array of <a href="#shape-Tree">Tree</a>'
    assert shapes.words({"$ref": "#/x/Kind"}) == "<code>a</code> | <code>b</code>"
    assert shapes.words({"const": 1}) == "<code>1</code>"
    assert shapes.words({"type": ["object", "null"]}) == "object or null"
    assert shapes.words({}) == "any JSON"
    assert shapes.limits({"type": "integer", "minimum": 1, "maximum": 100}) == ["1 to 100"]
    assert shapes.limits({"type": "number", "minimum": 0.5, "maximum": 10**15}) == ["at least 0.5"]
    assert shapes.limits({"type": "string", "minLength": 3, "maxLength": 3}) == ["3 characters"]
    assert shapes.limits({"type": "string", "maxLength": 1_000_000, "pattern": "^a$"}) == ["matches `^a$`"]
    assert shapes.limits({"type": "array", "maxItems": 5}) == ["at most 5 entries"]
    assert shapes.limits({"type": "object", "maxProperties": 5}) == ["at most 5 keys"]
    example = shapes.example(tree)
    assert example["leaf"] == "oak"
    assert len(json.dumps(example)) < 1000, "a shape may contain itself"
    assert shapes.example({"anyOf": [{"type": "integer", "minimum": 7}, {"type": "null"}]}) == 7
    assert shapes.example({"type": "object"}) == {}
    assert shapes.example({"const": "x"}) == "x"
    assert shapes.request({"anyOf": [{"type": "array", "items": {"type": "boolean"}}]}) == [True]


def test_the_document_that_the_page_shows_is_the_one_that_machines_read():
    assert doors(explorable=False).openapi()["paths"].keys() == DOCUMENT["paths"].keys()
    assert not re.search(r"/docs", json.dumps(list(DOCUMENT["paths"])))
