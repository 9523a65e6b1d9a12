"""GET /graphql for a browser: what the page is made of, and what it lets in."""

import gzip
import hashlib
import re
import shutil
from html.parser import HTMLParser
from typing import Any

import pytest

from core.assets import PROJECT, VENDOR, pinned_files
from rest import graphiql

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'sha256-Y/huXlwoYkVyQlxwSVcCi1RCDGDCSVBzDt0hYP9qlTc='",  # GraphiQL's dialogs
    "connect-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "json": "application/json"}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.inside: dict[str, str] = {}
        self._last = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._last = tag
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.inside[self._last] = self.inside.get(self._last, "") + data

    @property
    def assets(self) -> list[str]:
        """The names of what the page asks for."""
        urls = [
            given[key]
            for tag, given in self.found
            for key in ("src", "href", "data-examples")
            if key in given and tag != "a"
        ]
        return [str(url).removeprefix("graphql/assets/") for url in urls]


@pytest.fixture
async def tags(installed, client) -> Tags:
    answer = await client.get("/graphql", headers=BROWSER)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return Tags(answer.text)


def _policy(answer: Any) -> dict[str, str]:
    parts = answer.headers["content-security-policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)


async def test_nothing_runs_but_our_own_files(client, tags):
    page = await client.get("/graphql", headers=BROWSER)
    one = await client.get(f"/graphql/assets/{tags.assets[0]}")
    for answer in (page, one):
        assert _policy(answer) == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert page.headers["vary"] == "Accept"
    for tag, given in tags.found:
        assert tag not in {"style", "iframe", "object", "base"}
        assert not any(name.startswith("on") or name == "style" for name in given), given
        if tag == "script":
            assert given["src"].startswith("graphql/assets/")
    assert tags.inside.get("script", "").strip() == "", "no script stands in the page"
    assert "//" not in re.sub(r"<!--.*?-->", "", page.text), "no address of anybody else"


async def test_every_file_is_there_and_kept_for_good(client, tags):
    assert len(tags.assets) > 12
    for name in tags.assets:
        answer = await client.get(f"/graphql/assets/{name}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"].split(";")[0] == KINDS[name.rpartition(".")[2]]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(answer.content).hexdigest().startswith(name.split(".")[-2])
        again = await client.get(f"/graphql/assets/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = await client.get(f"/graphql/assets/{name}", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        async with client.stream(
            "GET", f"/graphql/assets/{name}", headers={"accept-encoding": "gzip"}
        ) as zipped:
            assert zipped.headers["vary"] == "Accept-Encoding"
            raw = b"".join([part async for part in zipped.aiter_raw()])
        assert gzip.decompress(raw) == plain.content


async def test_the_page_is_asked_for_again_and_costs_nothing_then(client, tags):
    first = await client.get("/graphql", headers=BROWSER)
    assert first.headers["cache-control"] == "no-cache"
    again = await client.get("/graphql", headers={**BROWSER, "if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_a_client_gets_no_page(client, installed):
    for accept in ("application/json", "*/*", "application/graphql-response+json, text/html"):
        answer = await client.get("/graphql", headers={"accept": accept})
        assert "text/html" not in answer.headers["content-type"]
    asked = await client.get("/graphql", params={"query": "{health{status}}"}, headers=BROWSER)
    assert asked.json()["data"] == {"health": {"status": "ok"}}


@pytest.mark.parametrize(
    "path",
    [
        "graphiql.min.js",  # without its hash
        "index.html",
        "vendor.json",
        "package.json",
        "../../pyproject.toml",
        "..%2f..%2fpyproject.toml",
        "%2e%2e/%2e%2e/pyproject.toml",
        "..%5c..%5cpyproject.toml",
        "%2fetc%2fpasswd",
        "....//....//etc/passwd",
        ".",
        "",
    ],
)
async def test_nothing_else_can_be_read(client, tags, path):
    answer = await client.get(f"/graphql/assets/{path}")
    assert answer.status_code == 404, answer.text
    assert "root:" not in answer.text
    assert "[project]" not in answer.text


@pytest.mark.settings(graphiql=False)
async def test_in_production_there_is_no_explorer(client):
    answer = await client.get("/graphql", headers=BROWSER)
    assert answer.status_code == 200
    assert "graphiql" not in answer.text.lower()
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    if graphiql.build(PROJECT, VENDOR) is not None:
        for name in graphiql.build(PROJECT, VENDOR).assets:
            assert (await client.get(f"/graphql/assets/{name}")).status_code == 404


async def test_without_the_files_the_page_says_what_to_do(client, monkeypatch, tmp_path):
    monkeypatch.setattr(graphiql, "VENDOR", tmp_path)
    answer = await client.get("/graphql", headers=BROWSER)
    assert answer.status_code == 200
    assert "make setup" in answer.text
    assert "<script" not in answer.text
    assert (await client.get("/graphql/assets/page.js")).status_code == 404
    answer = await client.post("/graphql", json={"query": "{health{status}}"})
    assert answer.json()["data"] == {"health": {"status": "ok"}}


async def test_files_that_are_missing_are_not_looked_for_with_every_request(client, monkeypatch):
    built = []
    monkeypatch.setattr(graphiql, "build", lambda *where: built.append(where))
    for _ in range(5):
        assert "make setup" in (await client.get("/graphql", headers=BROWSER)).text
        assert (await client.get("/graphql/assets/page.js")).status_code == 404
    assert len(built) == 1


async def test_they_are_there_soon_after_they_are_installed(client, installed, monkeypatch, tmp_path):
    monkeypatch.setattr(graphiql, "VENDOR", tmp_path)
    monkeypatch.setattr(graphiql, "_AGAIN", 0.0)
    assert "make setup" in (await client.get("/graphql", headers=BROWSER)).text
    for file in pinned_files(PROJECT):
        shutil.copyfile(VENDOR / file.name, tmp_path / file.name)
    assert "<script" in (await client.get("/graphql", headers=BROWSER)).text


async def test_a_file_that_was_changed_is_not_served(client, installed, monkeypatch, tmp_path):
    for file in pinned_files(PROJECT):
        shutil.copyfile(VENDOR / file.name, tmp_path / file.name)
    with (tmp_path / "graphiql.min.js").open("ab") as stream:
        stream.write(b";fetch('/graphql')")
    monkeypatch.setattr(graphiql, "VENDOR", tmp_path)
    answer = await client.get("/graphql", headers=BROWSER)
    assert "make setup" in answer.text
    assert "<script" not in answer.text
