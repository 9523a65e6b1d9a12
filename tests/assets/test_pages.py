"""The pages /graphql and /docs: what they are made of, how their files are served, and what is not served."""

import gzip
import hashlib
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from core.assets import DOCS, GRAPHIQL, VENDOR, pinned_files
from rest import docs, graphiql
from rest.frame import asset_pages
from rest.frame.asset_pages import AssetPage
from tests.support.assets import BROWSER, Tags, needs, policy_of

KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "json": "application/json"}


class Case(NamedTuple):
    """A page: its path, its folder, what serves it, a third-party script of it, and how many files it loads."""

    path: str
    folder: Path
    page: AssetPage
    script: str
    loads: int
    policy: dict[str, str]


_NOTHING = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
CASES = [
    Case(
        "/graphql",
        GRAPHIQL,
        graphiql.PAGE,
        "graphiql.min.js",
        15,
        {
            **_NOTHING,
            "script-src": "'self'",
            "style-src": "'self' 'sha256-Y/huXlwoYkVyQlxwSVcCi1RCDGDCSVBzDt0hYP9qlTc='",  # GraphiQL's dialogs
            "connect-src": "'self'",
            "img-src": "'self' data:",
            "font-src": "data:",
        },
    ),
    Case(
        "/docs",
        DOCS,
        docs.PAGE,
        "scalar.js",
        5,
        {
            **_NOTHING,
            "script-src": "'self'",
            "style-src": "'self' 'unsafe-inline'",
            "connect-src": "'self'",
            "img-src": "'self' data: blob:",
        },
    ),
]


@pytest.fixture(params=CASES, ids=lambda case: case.path)
def case(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def installed(case: Case) -> None:
    needs(case.folder)


@pytest.fixture
async def tags(installed: None, client: Any, case: Case) -> Tags:
    answer = await client.get(case.path, headers=BROWSER)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return Tags(answer.text)


async def test_nothing_runs_but_our_own_files(client, case, tags):
    page = await client.get(case.path, headers=BROWSER)
    file = await client.get(f"/{tags.assets[0]}")
    for answer in (page, file):
        assert policy_of(answer) == case.policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    for tag, attributes in tags.found:
        assert tag not in {"style", "iframe", "object", "base"}
        assert not any(name.startswith("on") or name == "style" for name in attributes), attributes
        if tag == "script":
            assert attributes["src"].startswith(f"{case.page.address}/")
    assert tags.inside.get("script", "").strip() == "", "no script stands in the page"
    assert "//" not in re.sub(r"<!--.*?-->", "", page.text), "no address of anybody else"


async def test_every_file_is_there_and_kept_for_good(client, case, tags):
    assert len(tags.assets) == case.loads
    for address in tags.assets:
        name = address.removeprefix(f"{case.page.address}/")
        answer = await client.get(f"/{address}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"].split(";")[0] == KINDS[name.rpartition(".")[2]]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(answer.content).hexdigest().startswith(name.split(".")[-2])
        again = await client.get(f"/{address}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = await client.get(f"/{address}", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        async with client.stream("GET", f"/{address}", headers={"accept-encoding": "gzip"}) as zipped:
            assert zipped.headers["vary"] == "Accept-Encoding"
            raw = b"".join([part async for part in zipped.aiter_raw()])
        assert gzip.decompress(raw) == plain.content


async def test_the_licence_of_each_third_party_is_served(client, case, installed):
    built = case.page.build(VENDOR)
    assert built is not None
    texts = [asset.body.decode() for name, asset in built.assets.items() if name.endswith(".txt")]
    assert texts
    assert all("Copyright" in text for text in texts)


async def test_the_page_is_asked_for_again_and_costs_nothing_then(client, case, tags):
    first = await client.get(case.path, headers=BROWSER)
    assert first.headers["cache-control"] == "no-cache"
    again = await client.get(case.path, headers={**BROWSER, "if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name",
    [
        "graphiql.min.js",  # without its hash
        "scalar.js",
        "index.html",
        "vendor.json",
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
async def test_nothing_else_can_be_read(client, case, tags, name):
    answer = await client.get(f"/{case.page.address}/{name}")
    assert answer.status_code == 404, answer.text
    assert "root:" not in answer.text
    assert "[project]" not in answer.text


async def test_without_the_files_the_page_says_what_to_do(client, case, monkeypatch, tmp_path):
    monkeypatch.setattr(asset_pages, "VENDOR", tmp_path)
    answer = await client.get(case.path, headers=BROWSER)
    assert answer.status_code == 200
    assert "make setup" in answer.text
    assert "postern assets" in answer.text
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    assert (await client.get(f"/{case.page.address}/page.js")).status_code == 404
    answer = await client.post("/graphql", json={"query": "{health{status}}"})
    assert answer.json()["data"] == {"health": {"status": "ok"}}


async def test_files_that_are_missing_are_not_looked_for_with_every_request(client, case, monkeypatch):
    paths: list[Path] = []
    monkeypatch.setattr(AssetPage, "build", lambda _, vendor: paths.append(vendor))
    for _ in range(5):
        assert "make setup" in (await client.get(case.path, headers=BROWSER)).text
        assert (await client.get(f"/{case.page.address}/page.js")).status_code == 404
    assert len(paths) == 1


async def test_they_are_there_soon_after_they_are_installed(client, case, installed, monkeypatch, tmp_path):
    monkeypatch.setattr(asset_pages, "VENDOR", tmp_path)
    monkeypatch.setattr(asset_pages, "_AGAIN", 0.0)
    assert "make setup" in (await client.get(case.path, headers=BROWSER)).text
    for file in pinned_files(case.folder):
        shutil.copyfile(VENDOR / file.name, tmp_path / file.name)
    assert "<script" in (await client.get(case.path, headers=BROWSER)).text


async def test_a_file_that_was_changed_is_not_served(client, case, installed, monkeypatch, tmp_path):
    for file in pinned_files(case.folder):
        shutil.copyfile(VENDOR / file.name, tmp_path / file.name)
    with (tmp_path / case.script).open("ab") as stream:
        stream.write(b";fetch('/graphql')")
    monkeypatch.setattr(asset_pages, "VENDOR", tmp_path)
    answer = await client.get(case.path, headers=BROWSER)
    assert "make setup" in answer.text
    assert "<script" not in answer.text
